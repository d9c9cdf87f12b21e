/**
 * Distinguishes pastes of text copied in another program from text that the page may have put on the clipboard: only text copied while the window
 * was not focused certainly comes from the person.
 */
export class OutsideClipboard {
  readonly #read: () => Promise<string>;
  #outside: Promise<string>;
  #atBlur: Promise<string>;

  /** `read`: the current clipboard text. Must be called before the page can write to it. */
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

  /** The text a paste would insert now, if the person copied it; otherwise empty. */
  async text(): Promise<string> {
    const [now, outside] = await Promise.all([this.#read(), this.#outside]);
    return now === outside ? now : '';
  }

  async #newest(now: Promise<string>, atBlur: Promise<string>, outside: Promise<string>): Promise<string> {
    return (await now) === (await atBlur) ? outside : now;
  }
}
