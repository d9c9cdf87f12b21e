/** Closer to the end than this counts as at the end. */
const STICK_WITHIN_PX = 32;

/** A scroll position, in px. */
export interface ScrollPlace {
  readonly top: number;
  readonly distanceFromEnd: number;
  /**
   * The view became taller since it was last looked at. At the end, the browser moves the text for that, not the
   * reader.
   */
  readonly hasGrown?: boolean;
}

/** Keeps the newest text in view until the reader scrolls away. Intents, not guesses: callers say what happened. */
export class FollowLatest {
  following = $state(true);
  /** New content arrived that the reader, who scrolled away, has not seen. */
  hasUnseen = $state(false);
  #isHeld = false;
  #lastTop = 0;
  #lastDistance = 0;

  /** Whether the page should be moved to its end now. */
  get shouldStick(): boolean {
    return this.following && !this.#isHeld;
  }

  /** The end may have moved before the scroll event arrives, so only scrolling up means that the reader left. */
  scrolled({ top, distanceFromEnd, hasGrown = false }: ScrollPlace): void {
    const wentBack = top < this.#lastTop;
    this.#lastTop = top;
    this.#lastDistance = distanceFromEnd;
    if (distanceFromEnd < STICK_WITHIN_PX) this.#arrivedAtEnd();
    else if (wentBack && !hasGrown) this.following = false;
  }

  /**
   * The page was scrolled to its end. If calls were folded, that is further up than before, although the reader did not
   * leave.
   */
  stuck({ top }: Pick<ScrollPlace, 'top'>): void {
    this.#lastTop = top;
    this.#lastDistance = 0;
  }

  /**
   * The layout changed, and nothing was scrolled. If the end came into view (calls were folded, the window grew), the
   * reader sees it.
   */
  laidOut({ distanceFromEnd }: Pick<ScrollPlace, 'distanceFromEnd'>): void {
    const cameCloser = distanceFromEnd < this.#lastDistance;
    this.#lastDistance = distanceFromEnd;
    if (cameCloser && distanceFromEnd < STICK_WITHIN_PX) this.#arrivedAtEnd();
  }

  /** The wheel was turned up: however little, the reader wants to leave the end. */
  readerTurnedBack({ top }: ScrollPlace): void {
    if (top > 0) this.following = false;
  }

  /**
   * A card was opened: it stays where it is while it grows. `scrolled` says afterwards whether the end is still in
   * view.
   */
  readerOpened(): void {
    this.following = false;
  }

  /** Text is being selected or a button is held: nothing may move under the pointer. */
  readerHolds(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  contentArrived(): void {
    if (!this.following) this.hasUnseen = true;
  }

  messageSent(): void {
    this.#arrivedAtEnd();
  }

  jumpedToLatest(): void {
    this.#arrivedAtEnd();
  }

  jumpedElsewhere(): void {
    this.following = false;
  }

  #arrivedAtEnd(): void {
    this.following = true;
    this.hasUnseen = false;
  }
}
