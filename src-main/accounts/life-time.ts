export interface Clocks {
  /** Milliseconds since 1970. Advances while the machine sleeps, and jumps when the clock is set. */
  readonly wall: () => number;
  /** Milliseconds; never jumps back, but on some systems stops while the machine sleeps. */
  readonly steady: () => number;
}

const SYSTEM_CLOCKS: Clocks = { wall: () => Date.now(), steady: () => performance.now() };
const LOOK_EVERY_MS = 1_000;

/** A time limit that expires by either clock, so that neither sleep nor setting the clock back extends it. */
export class LifeTime {
  readonly #forMs: number;
  readonly #clocks: Clocks;
  readonly #from: { readonly wall: number; readonly steady: number };
  readonly #timer: NodeJS.Timeout;

  constructor(forMs: number, onEnd: () => void, clocks: Clocks = SYSTEM_CLOCKS) {
    this.#forMs = forMs;
    this.#clocks = clocks;
    this.#from = { wall: clocks.wall(), steady: clocks.steady() };
    this.#timer = setInterval(
      () => {
        if (this.isOver) onEnd();
      },
      Math.min(forMs, LOOK_EVERY_MS),
    );
  }

  get isOver(): boolean {
    const { wall, steady } = this.#clocks;
    return wall() - this.#from.wall >= this.#forMs || steady() - this.#from.steady >= this.#forMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
