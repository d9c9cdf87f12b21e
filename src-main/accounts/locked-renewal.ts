import { withFileLock } from '../base/file-lock.ts';

/** Longer than a renewal takes. */
const LOCK_WAIT_MS = 45_000;

/** Renews a token once: for all calls in this process that need it, and across processes. */
export class LockedRenewal<Outcome> {
  readonly #lockFile: string;
  #running: { readonly token: string; readonly work: Promise<Outcome> } | undefined;

  /** The folder of `lockFile` exists. */
  constructor(lockFile: string) {
    this.#lockFile = lockFile;
  }

  /** Changes the record under the lock. */
  locked<T>(change: () => Promise<T>): Promise<T> {
    return withFileLock(this.#lockFile, change, { waitMs: LOCK_WAIT_MS });
  }

  /**
   * Runs `renew` under the lock, unless a renewal of the same token is in progress. `renew` reads the record again:
   * another process may have renewed it meanwhile.
   */
  run(token: string, renew: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#running?.token === token) return this.#running.work;
    const work = this.locked(renew).finally(() => {
      if (this.#running?.work === work) this.#running = undefined;
    });
    this.#running = { token, work };
    return work;
  }
}
