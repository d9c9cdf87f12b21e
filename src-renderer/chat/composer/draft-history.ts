/**
 * ↑ in an empty composer brings back what was sent before, newest first; ↓ goes back towards the empty composer. Once
 * the text has been edited, the arrows move the caret again.
 */
export class DraftHistory {
  readonly #sent: () => readonly string[];
  #position: number | null = null;
  #recalled: string | null = null;

  constructor(sent: () => readonly string[]) {
    this.#sent = sent;
  }

  /** The text to show, or `null` if the key should move the caret. */
  older(current: string): string | null {
    if (current !== '' && current !== this.#recalled) return null;
    const texts = this.#sent();
    const next = this.#isRecalling(current) ? (this.#position ?? texts.length) - 1 : texts.length - 1;
    return this.#recall(texts, Math.max(0, next));
  }

  newer(current: string): string | null {
    if (!this.#isRecalling(current) || this.#position === null) return null;
    const texts = this.#sent();
    if (this.#position + 1 < texts.length) return this.#recall(texts, this.#position + 1);
    this.forget();
    return '';
  }

  forget(): void {
    this.#position = null;
    this.#recalled = null;
  }

  #isRecalling(current: string): boolean {
    return this.#recalled !== null && current === this.#recalled;
  }

  #recall(texts: readonly string[], position: number): string | null {
    const text = texts[position];
    if (text === undefined) return null;
    this.#position = position;
    this.#recalled = text;
    return text;
  }
}
