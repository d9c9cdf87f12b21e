import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** What may be read at once, and per second after that; decompressed bytes. */
const BURST_BYTES = 64 * 1024 * 1024;
const BYTES_PER_SECOND = 10 * 1024 * 1024;
/** An event costs checking, logging and perhaps an answer, however short it is. */
const BYTES_PER_EVENT = 16 * 1024;
/**
 * Streams that may be opened per minute without a delay. Servers may close one whenever they like and have it resumed
 * (SEP-1699).
 */
const FREE_OPENINGS = 20;
const MAX_WAIT_MS = 30_000;
const MINUTE_MS = 60_000;

/**
 * Slows down a remote server that sends without end, or closes each stream at once, so that everything else still gets
 * its turn.
 */
export class ServerPace {
  #left = BURST_BYTES;
  #countedAt = performance.now();
  #openings: readonly number[] = [];

  /** Waits, if necessary, before more is read. */
  async read({ bytes = 0, events = 0 }: { readonly bytes?: number; readonly events?: number }): Promise<void> {
    const now = performance.now();
    const regained = ((now - this.#countedAt) / 1_000) * BYTES_PER_SECOND;
    this.#left = Math.min(BURST_BYTES, this.#left + regained) - bytes - events * BYTES_PER_EVENT;
    this.#countedAt = now;
    if (this.#left >= 0) await nextTurn();
    else await delay((-this.#left / BYTES_PER_SECOND) * 1_000, undefined, { ref: false });
  }

  /** Waits, if necessary, before a stream of events is opened. Rejects on abort. */
  async open(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    this.#openings = [...this.#openings.filter((at) => now - at < MINUTE_MS), now];
    const over = this.#openings.length - FREE_OPENINGS;
    if (over > 0) await delay(Math.min(1_000 * 2 ** over, MAX_WAIT_MS), undefined, { signal, ref: false });
  }
}
