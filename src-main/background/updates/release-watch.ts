import { errorMessage } from '../../base/errors.ts';
import type { LastCheck, LastCheckFile } from './last-check.ts';
import type { Release } from './release.ts';
import { UpdateProblem } from './update-problem.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The clock and the timer, which tests replace. */
export interface WatchClock {
  /** Returns the time in ms since 1970. */
  now(): number;
  /** Calls back again and again. Returns a function that ends it. */
  every(ms: number, callback: () => void): () => void;
}

export const systemClock: WatchClock = {
  now: () => Date.now(),
  every: (ms, callback) => {
    const timer = setInterval(callback, ms).unref();
    return () => clearInterval(timer);
  },
};

export interface ReleaseWatchPorts {
  readonly file: LastCheckFile;
  readonly clock: WatchClock;
  /** Whether the user wants the check. */
  readonly isOn: () => boolean;
  /** Asks for the newest release. Rejects with `UpdateProblem`. */
  readonly ask: (signal: AbortSignal) => Promise<Release>;
  readonly onChange: () => void;
  /** Told when what was known can't be read. It is then asked for again. */
  readonly onUnreadable: (error: unknown) => void;
}

/** Looks for a new release once a day, while that is switched on. */
export class ReleaseWatch {
  readonly #ports: ReleaseWatchPorts;
  readonly #ending = new AbortController();
  readonly #endTimer: () => void;
  #known: LastCheck | null;
  #checking: Promise<void> | undefined;

  private constructor(ports: ReleaseWatchPorts, known: LastCheck | null) {
    this.#ports = ports;
    this.#known = known;
    // There is not one timer for the whole day, because that would stand still while the computer sleeps.
    this.#endTimer = ports.clock.every(HOUR_MS, () => this.checkIfDue());
  }

  static async open(ports: ReleaseWatchPorts): Promise<ReleaseWatch> {
    const known = await ports.file.read().catch((error: unknown) => {
      ports.onUnreadable(error);
      return null;
    });
    const watch = new ReleaseWatch(ports, known);
    watch.checkIfDue();
    return watch;
  }

  get known(): LastCheck | null {
    return this.#known;
  }

  get isChecking(): boolean {
    return this.#checking !== undefined;
  }

  /** Checks at most once a day. If there was no connection, it checks again an hour later. */
  checkIfDue(): void {
    if (this.#ports.isOn() && this.#isDue()) void this.check();
  }

  /** Joins a check that is running. Does nothing while it is switched off. A failure is kept like an answer. */
  async check(): Promise<void> {
    if (!this.#ports.isOn() || this.#ending.signal.aborted) return;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
      this.#ports.onChange();
    });
    this.#ports.onChange();
    await this.#checking;
  }

  async dismiss(version: string): Promise<void> {
    if (this.#known !== null) await this.#keep({ ...this.#known, dismissed: version });
    this.#ports.onChange();
  }

  /**
   * Remembers a failed installation for the next start, whose notice says it. `null` means that another attempt begins.
   */
  async installFailed(notInstalled: LastCheck['notInstalled']): Promise<void> {
    if (this.#known === null) return;
    await this.#keep({ ...this.#known, notInstalled, dismissed: notInstalled === null ? this.#known.dismissed : null });
  }

  async close(): Promise<void> {
    this.#endTimer();
    this.#ending.abort(new Error('Steward is closing'));
    await this.#checking;
  }

  /** A clock that was set back must not end the checks. */
  #isDue(): boolean {
    if (this.#known === null) return true;
    const since = this.#ports.clock.now() - this.#known.at;
    const nothingWasAsked = this.#known.failure?.code === 'unreachable';
    return since < 0 || since >= (nothingWasAsked ? HOUR_MS : DAY_MS);
  }

  async #check(): Promise<void> {
    const { clock, ask } = this.#ports;
    const { signal } = this.#ending;
    // What is known is read at the end of the check, because the user may have dismissed something meanwhile.
    const kept = () => ({ dismissed: this.#known?.dismissed ?? null, notInstalled: this.#known?.notInstalled ?? null });
    const at = clock.now();
    try {
      const release = await ask(signal);
      await this.#keep({ at, failure: null, release, ...kept() });
    } catch (error) {
      if (signal.aborted) return;
      const { failure } = error instanceof UpdateProblem ? error : new UpdateProblem('unusable', errorMessage(error));
      await this.#keep({ at, failure, release: this.#known?.release ?? null, ...kept() });
    }
  }

  async #keep(known: LastCheck): Promise<void> {
    this.#known = known;
    // If it is not stored, the next start asks again.
    await this.#ports.file.keep(known).catch(() => undefined);
  }
}
