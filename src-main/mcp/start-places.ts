import { availableParallelism } from 'node:os';
import { untilAborted } from '../base/until-aborted.ts';

const FEWEST = 2;
const MAX_PLACES = 8;
/** A start that takes longer no longer keeps others waiting: what hangs must hold nobody up. */
const KEPT_FOR_MS = 5_000;

/** A server's share in `StartPlaces`. */
export interface StartPlace {
  /**
   * Resolves when the server may start, with a function that gives its place back. Rejects with the signal's reason.
   */
  take(signal: AbortSignal): Promise<() => void>;
  /** Something waits for this server: its next start comes before those that nothing waits for. */
  want(): void;
}

interface Waiting {
  readonly name: string;
  readonly rank: number;
  readonly grant: () => void;
}

/**
 * How many server programs start at a time. If all of many did at once, none would be ready in time: each start takes a
 * processor. Source: tool catalogue C.1.
 */
export class StartPlaces {
  readonly #count: number;
  readonly #keptForMs: number;
  readonly #wanted = new Set<string>();
  #waiting: readonly Waiting[] = [];
  #taken = 0;

  constructor({ count = placesOfMachine(), keptForMs = KEPT_FOR_MS } = {}) {
    this.#count = count;
    this.#keptForMs = keptForMs;
  }

  /** The lowest `rank` comes first, and of equal ones the one that has waited longest. */
  placeOf(name: string, rank: () => number): StartPlace {
    return {
      take: (signal) => this.#take(name, rank(), signal),
      want: () => void this.#wanted.add(name),
    };
  }

  async #take(name: string, rank: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const leave = this.#leaver(name);
    let isGranted = false;
    let waiting: Waiting | undefined;
    const granted = new Promise<void>((resolve) => {
      const grant = () => {
        isGranted = true;
        resolve();
      };
      waiting = { name, rank, grant };
      this.#waiting = [...this.#waiting, waiting];
    });
    // Others that begin to wait at the same time may come before.
    setImmediate(() => this.#next());
    try {
      await untilAborted(granted, signal);
    } catch (error) {
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      if (isGranted) leave();
      throw error;
    }
    const timer = setTimeout(leave, this.#keptForMs).unref();
    return () => {
      clearTimeout(timer);
      leave();
    };
  }

  #leaver(name: string): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#taken -= 1;
      this.#wanted.delete(name);
      this.#next();
    };
  }

  #next(): void {
    const isOther = ({ name }: Waiting) => (this.#wanted.has(name) ? 0 : 1);
    while (this.#taken < this.#count) {
      const [next] = this.#waiting.toSorted((a, b) => isOther(a) - isOther(b) || a.rank - b.rank);
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#taken += 1;
      next.grant();
    }
  }
}

/** One place for each processor, within limits. */
export function placesOfMachine(processors = availableParallelism()): number {
  return Math.min(MAX_PLACES, Math.max(FEWEST, processors));
}
