/**
 * Tells pastes of what the person copied in another program from pastes of what the page itself may have put on the clipboard: only
 * what came there while the window did not have the focus, and the page could not write, is theirs for certain.
 */
export class OutsideClipboard {
  readonly #read: () => Promise<string>;
  #outside: Promise<string>;
  /** What was there when the page could write for the last time; `undefined`: it still may, or the window has the focus. */
  #atBlur: string | undefined;
  #blurs = 0;

  /** `read`: the text on the clipboard now. The page must not have had a chance to write yet. */
  constructor(read: () => Promise<string>) {
    this.#read = read;
    this.#outside = read();
  }

  /** `shut`: whether the page can no longer write, from when it resolves until the focus comes back. */
  async focusLeft(shut: Promise<boolean>): Promise<void> {
    this.#blurs += 1;
    const blur = this.#blurs;
    this.#atBlur = undefined;
    const text = (await shut) ? await this.#read() : undefined;
    if (blur === this.#blurs) this.#atBlur = text;
  }

  focusCame(): void {
    if (this.#atBlur !== undefined) this.#outside = this.#newest(this.#read(), this.#atBlur, this.#outside);
    this.#blurs += 1;
    this.#atBlur = undefined;
  }

  /** What a paste now would write, if the person brought it; else empty. */
  async text(): Promise<string> {
    const [now, outside] = await Promise.all([this.#read(), this.#outside]);
    return now === outside ? now : '';
  }

  async #newest(now: Promise<string>, atBlur: string, outside: Promise<string>): Promise<string> {
    return (await now) === atBlur ? outside : now;
  }
}
