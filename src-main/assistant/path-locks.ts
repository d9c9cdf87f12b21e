/**
 * Runs work that writes the same real paths one after another, and everything else at the same time.
 * Source: tool catalogue A.8.
 */
export class PathLocks {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Whether work on any of them would have to wait. */
  isHeld(paths: readonly string[]): boolean {
    return paths.some((path) => this.#tails.has(path));
  }

  /** `work` is told whether it had to wait: earlier information about the paths is then stale. */
  async run<T>(paths: readonly string[], work: (waited: boolean) => Promise<T>): Promise<T> {
    const earlier = paths.flatMap((path) => this.#tails.get(path) ?? []);
    const done = Promise.allSettled(earlier).then(() => work(earlier.length > 0));
    // All paths are claimed in the same tick, so two calls can never wait for each other.
    for (const path of paths) this.#tails.set(path, done);
    try {
      return await done;
    } finally {
      for (const path of paths) if (this.#tails.get(path) === done) this.#tails.delete(path);
    }
  }
}
