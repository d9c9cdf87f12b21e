/** What a call needs for itself while it is asked about and done. */
export interface Claim {
  /** Real paths that it writes. */
  readonly paths: readonly string[];
  /** The work runs a command, which may use any file. */
  readonly runs: boolean;
}

/**
 * Keeps work that writes the same real path from running at the same time, and keeps all writes back while a command is
 * asked about or runs. Everything else runs in parallel. Otherwise a rule for edits could replace `build.sh` while the
 * user reads the question about `sh build.sh`. Source: tool catalogue A.8.
 */
export class PathLocks {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #commands = new Set<Promise<unknown>>();

  /** Whether work with this claim would have to wait. */
  isHeld(claim: Claim): boolean {
    return this.#holders(claim).length > 0;
  }

  /** `work` is told whether it had to wait: earlier information about the paths is then stale. */
  async run<T>(claim: Claim, work: (waited: boolean) => Promise<T>): Promise<T> {
    const earlier = this.#holders(claim);
    const done = Promise.allSettled(earlier).then(() => work(earlier.length > 0));
    // Everything is claimed in the same tick, so two calls can never wait for each other.
    for (const path of claim.paths) this.#tails.set(path, done);
    if (claim.runs) this.#commands.add(done);
    try {
      return await done;
    } finally {
      for (const path of claim.paths) if (this.#tails.get(path) === done) this.#tails.delete(path);
      this.#commands.delete(done);
    }
  }

  #holders({ paths }: Claim): readonly Promise<unknown>[] {
    const writers = paths.flatMap((path) => this.#tails.get(path) ?? []);
    return paths.length === 0 ? writers : [...writers, ...this.#commands];
  }
}
