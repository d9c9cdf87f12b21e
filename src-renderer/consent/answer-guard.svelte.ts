/** A key or click that was meant for what stood here before must not answer this card. Source: design section 4. */
export const GUARD_MS = 500;

export interface Timers {
  /** Calls back once after `ms`; the returned function takes that back. */
  after(ms: number, callback: () => void): () => void;
}

export const pageTimers: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Shut from the moment a card appears; open when it has been there long enough to be read as what it is, and nobody pressed anything
 * meanwhile: who clicks again and again, perhaps because the chat makes a game of it, is not reading.
 */
export class AnswerGuard {
  #isOpen = $state(false);
  readonly #timers: Timers;
  #cancel: () => void = () => undefined;
  #hasCard = false;
  #isPressed = false;
  /** A key or button that went down while shut stays without effect until it is up again, however long it is held. */
  #isStale = false;

  constructor(timers: Timers = pageTimers) {
    this.#timers = timers;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Another card is shown, or the same one comes into view again. */
  cardAppeared(): void {
    this.#hasCard = true;
    this.#isStale ||= this.#isPressed;
    this.#shut();
  }

  cardVanished(): void {
    this.#hasCard = false;
    this.#cancel();
    this.#isOpen = false;
  }

  /** Not for the repeats of a held key. */
  pressBegan(): void {
    this.#isPressed = true;
    this.#isStale = !this.#isOpen;
    if (this.#hasCard && !this.#isOpen) this.#shut();
  }

  /** The click that a press makes comes after its release, in the same task. */
  pressEnded(): void {
    this.#isPressed = false;
    this.#timers.after(0, () => {
      if (!this.#isPressed) this.#isStale = false;
    });
  }

  /** Whether the present key or click may answer. */
  accepts(): boolean {
    return this.#isOpen && !this.#isStale;
  }

  #shut(): void {
    this.#cancel();
    this.#isOpen = false;
    this.#cancel = this.#timers.after(GUARD_MS, () => {
      this.#isOpen = true;
    });
  }
}
