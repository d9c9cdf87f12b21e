import { untilAborted } from './until-aborted.ts';

/**
 * Runs tasks one at a time and in order, since a user answers one question at a time. A task that is aborted while
 * waiting is dropped.
 */
export class SerialQueue {
  #tail: Promise<void> = Promise.resolve();
  #busy = 0;
  readonly #onWaiting: () => void;

  /** `onWaiting` is called whenever `waiting` changes. */
  constructor({ onWaiting = () => undefined }: { onWaiting?: () => void } = {}) {
    this.#onWaiting = onWaiting;
  }

  /** The number of tasks that wait for the one that is running. */
  get waiting(): number {
    return Math.max(0, this.#busy - 1);
  }

  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** `task` is told whether it had to wait. Rejects with the signal's reason if that aborts before its turn comes. */
  async run<T>(signal: AbortSignal, task: (waited: boolean) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const before = this.#tail;
    const waited = this.#busy > 0;
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#tail = before.then(() => left);
    this.#busy += 1;
    this.#onWaiting();
    try {
      await untilAborted(before, signal);
      return await task(waited);
    } finally {
      this.#busy -= 1;
      leave();
      this.#onWaiting();
    }
  }
}
