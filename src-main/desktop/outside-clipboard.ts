/**
 * Tells pastes of what the person copied in another program from pastes of what the page itself may have put on the clipboard: only
 * what came there while the window did not have the focus is theirs for certain.
 */
export class OutsideClipboard {
  readonly #read: () => Promise<string>;
  #outside: Promise<string>;
  #atBlur: Promise<string>;

  /** `read`: the text on the clipboard now. The page must not have had a chance to write yet. */
  constructor(read: () => Promise<string>) {
    this.#read = read;
    this.#outside = read();
    this.#atBlur = this.#outside;
  }

  focusLeft(): void {
    this.#atBlur = this.#read();
  }

  focusCame(): void {
    this.#outside = this.#newest(this.#read(), this.#atBlur, this.#outside);
  }

  /** What a paste now would write, if the person brought it; else empty. */
  async text(): Promise<string> {
    const [now, outside] = await Promise.all([this.#read(), this.#outside]);
    return now === outside ? now : '';
  }

  async #newest(now: Promise<string>, atBlur: Promise<string>, outside: Promise<string>): Promise<string> {
    return (await now) === (await atBlur) ? outside : now;
  }
}
