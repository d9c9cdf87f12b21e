import type { BrowserWindow, WebContents } from 'electron';
import type { PressedKey } from './pressed-key.ts';
import { type QuestionKey, QuestionKeyboard } from './question-keyboard.ts';
import { QuestionPresses } from './question-presses.ts';

export interface QuestionInputOptions {
  readonly window: BrowserWindow;
  readonly question: () => WebContents | undefined;
  /** Whether the message field can be empty, by main's own record of keys. */
  readonly mayBeEmpty: () => boolean;
  /** See `QuestionKeyboard`. */
  readonly onTaken: () => void;
  /**
   * A key that was pressed at the question is written in the message field. `paste` means that the clipboard is pasted
   * there.
   */
  readonly onWritten: (input: PressedKey | 'paste') => void;
}

const CLICKS = new Set(['mouseDown', 'gestureTap']);

/** Keys, clicks and the focus of both surfaces, as the system reports them. */
export class QuestionInput {
  readonly keyboard: QuestionKeyboard;
  readonly #options: QuestionInputOptions;
  readonly #presses = new QuestionPresses();

  constructor(options: QuestionInputOptions) {
    this.#options = options;
    const { window } = options;
    this.keyboard = new QuestionKeyboard({
      focus: (surface) => this.focus(surface),
      isWindowFocused: () => !window.isDestroyed() && window.isFocused(),
      mayBeEmpty: options.mayBeEmpty,
      onTaken: options.onTaken,
      platform: process.platform,
      now: () => performance.now(),
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    });
    window.on('focus', () => this.keyboard.windowFocused());
    const { webContents: chat } = window;
    chat.on('focus', () => this.keyboard.focusCame('chat'));
    chat.on('before-input-event', (_event, input) => {
      if (input.type !== 'keyUp') this.#presses.keyElsewhere(input);
      this.keyboard.pressedInChat(input);
    });
    chat.on('input-event', (_event, { type }) => {
      if (CLICKS.has(type)) this.keyboard.clickedInChat();
    });
  }

  /** Listens to the page of a question as soon as there is one. */
  listen(contents: WebContents): void {
    contents.on('before-input-event', (event, input) => {
      if (this.#pressed(input)) event.preventDefault();
    });
    contents.on('input-event', (_event, input) => {
      this.#presses.heard(input);
      if (CLICKS.has(input.type)) this.keyboard.clickedInQuestion();
    });
    contents.on('focus', () => this.keyboard.focusCame('question'));
  }

  /** See `Desktop.takePressAtQuestion`. */
  takePress(since: number, isGrave: boolean): boolean {
    return this.#presses.take(since, { isGrave, needsQuiet: this.keyboard.holder === 'taken' });
  }

  /**
   * Called when the question is gone. One that took the keyboard by itself must not bring a window to the front in
   * which nobody works.
   */
  returnToChat(holder: 'taken' | 'entered'): void {
    const { window } = this.#options;
    if (holder === 'entered' || window.isFocused()) this.focus('chat');
    else window.once('focus', () => this.focus('chat'));
  }

  focus(surface: 'chat' | 'question'): void {
    const { window, question } = this.#options;
    if (window.isDestroyed()) return;
    if (surface === 'chat') window.webContents.focus();
    else question()?.focus();
  }

  /** Handles a key before the question's page gets it. Returns true if the key is for the message field. */
  #pressed(input: QuestionKey & { readonly isAutoRepeat: boolean }): boolean {
    const target = this.keyboard.pressedInQuestion(input);
    // The key counts as a press only once it is on its way to the page (`input-event`).
    if (target === 'question') return false;
    this.#presses.keyElsewhere(input);
    if (target === 'message-paste') this.#options.onWritten('paste');
    if (target === 'message') {
      this.#options.onWritten(input);
      this.#write(input.key);
    }
    return true;
  }

  /**
   * Writes a character in the message field as a key does: the next key, which the chat gets itself, can overtake a
   * message to the page (`insertText` is one), but no other key.
   */
  #write(character: string): void {
    const { webContents: chat } = this.#options.window;
    // Chromium drops characters that follow a key that did not reach the page, until the next key goes down. One of the
    // menu may have been the last in the chat.
    chat.sendInputEvent({ type: 'keyDown', keyCode: 'Shift' });
    chat.sendInputEvent({ type: 'char', keyCode: character });
    chat.sendInputEvent({ type: 'keyUp', keyCode: 'Shift' });
  }
}
