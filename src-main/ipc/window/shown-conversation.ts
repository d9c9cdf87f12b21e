/** Which conversation the window shows. */
export class ShownConversation {
  readonly #onChange: (conversationId: string | null) => Promise<void>;
  #onScreen: string | null = null;
  #last: string | null = null;

  /** `onChange` moves what follows the window to the conversation. */
  constructor(onChange: (conversationId: string | null) => Promise<void>) {
    this.#onChange = onChange;
  }

  /** The conversation on the screen now, or null if there is none, or another screen. */
  get onScreen(): string | null {
    return this.#onScreen;
  }

  /** The conversation that is shown, or that was shown last. Null if there was none. */
  get last(): string | null {
    return this.#last;
  }

  /** The page has reported what it shows. */
  screenShows(conversationId: string | null): void {
    this.#onScreen = conversationId;
    void this.begun(conversationId);
  }

  /** The page will show it. Resolves once its first turn can run. */
  async begun(conversationId: string | null): Promise<void> {
    this.#last = conversationId ?? this.#last;
    await this.#onChange(conversationId);
  }

  pageLeft(): void {
    this.#onScreen = null;
  }
}
