/**
 * Distinguishes pastes of text copied in another program from text that the page may have put on the clipboard: only
 * text copied while the window was not focused and the page could not write certainly comes from the user.
 */
export class OutsideClipboard {
  readonly #read: () => Promise<string>;
  #outside: Promise<string>;
  /**
   * The content at the moment from which the page could no longer write. Undefined if it still may, or if the window
   * has the focus.
   */
  #atBlur: string | undefined;
  #blurs = 0;
  #hasHadFocus = false;

  /** `read` gives the current clipboard text. It must be called before the page can write to it. */
  constructor(read: () => Promise<string>) {
    this.#read = read;
    this.#outside = read();
  }

  /** `shut` tells whether the page can no longer write, from when it resolves until the focus comes back. */
  async focusLeft(shut: Promise<boolean>): Promise<void> {
    this.#hasHadFocus = true;
    this.#blurs += 1;
    const blur = this.#blurs;
    this.#atBlur = undefined;
    const text = (await shut) ? await this.#read() : undefined;
    if (blur === this.#blurs) this.#atBlur = text;
  }

  focusCame(): void {
    // On Wayland nothing can be read without the focus. Before it first came, nobody can have clicked, so the page
    // can't have written.
    if (!this.#hasHadFocus) this.#outside = this.#read();
    else if (this.#atBlur !== undefined) this.#outside = this.#newest(this.#read(), this.#atBlur, this.#outside);
    this.#hasHadFocus = true;
    this.#blurs += 1;
    this.#atBlur = undefined;
  }

  /** The text a paste would insert now, if the user copied it; otherwise empty. */
  async text(): Promise<string> {
    const [now, outside] = await Promise.all([this.#read(), this.#outside]);
    return now === outside ? now : '';
  }

  async #newest(now: Promise<string>, atBlur: string, outside: Promise<string>): Promise<string> {
    return (await now) === atBlur ? outside : now;
  }
}
