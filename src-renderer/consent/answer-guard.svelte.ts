/** A key or click meant for what was here before must not answer this card. Source: design section 4. */
export const GUARD_MS = 500;

export interface Timers {
  /** Calls back once after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export const pageTimers: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Closed when a card appears; opens once the card has been visible long enough to be recognised and nothing was pressed
 * meanwhile: someone who clicks repeatedly, perhaps because the chat makes a game of it, is not reading.
 */
export class AnswerGuard {
  #isOpen = $state(false);
  readonly #timers: Timers;
  #cancel: () => void = () => undefined;
  #hasCard = false;
  #isPressed = false;
  /** A key or button pressed while the guard is closed has no effect until it is released, however long it is held. */
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

  /** Called when a press begins, but not for the repeats of a held key. */
  pressBegan(): void {
    this.#isPressed = true;
    this.#isStale = !this.#isOpen;
    if (this.#hasCard && !this.#isOpen) this.#shut();
  }

  /** The click event follows the release, in the same task. */
  pressEnded(): void {
    this.#isPressed = false;
    this.#timers.after(0, () => {
      if (!this.#isPressed) this.#isStale = false;
    });
  }

  /** Whether the current key or click may answer. */
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
