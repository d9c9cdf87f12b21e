import type { InputEvent } from 'electron';
import { type HeardInput, type HeardKey, type HeardMouse, heardInput } from './heard-input.ts';
import type { OutsideClipboard } from './outside-clipboard.ts';
import { type PressedKey, pastes } from './pressed-key.ts';
import { TypedRecord } from './typed-record.ts';

/** How long after a key or click its request may reach main. */
const LASTS_MS = 1000;
/** Keys of a text that make no character by themselves: those that an input method takes are called `Process`. */
const WRITING_KEYS = new Set(['Backspace', 'Dead', 'Process']);
/** People don't pause longer than this within a sentence. */
const WRITES_ON_MS = 2000;
/** The key and the menu entry may both report the same paste. */
const ONE_PASTE_MS = 100;
const PRESSES: Readonly<Partial<Record<string, 'key' | 'writing'>>> = { Enter: 'key', ' ': 'writing' };
/** Shift+Delete deletes permanently. */
const WITH_SHIFT: typeof PRESSES = { Enter: 'writing', ' ': 'writing', Delete: 'writing' };

/**
 * What a user did in the chat, from input events of the system, which scripts in the page can't fake. A mouse press
 * counts when it is released; each click and key counts once.
 */
export class HumanInput {
  readonly #record = new TypedRecord();
  readonly #clipboard: OutsideClipboard;
  readonly #platform: NodeJS.Platform;
  /** Events that arrive while a paste is being read wait for it, so that the record stays in order. */
  #pastes = 0;
  #recorded: Promise<void> = Promise.resolve();
  #gesture: { readonly by: 'click' | 'key' | 'writing'; readonly at: number } | undefined;
  #isControlHeld = false;
  #pastedAt = Number.NEGATIVE_INFINITY;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #menuAskedAt = Number.NEGATIVE_INFINITY;

  constructor(clipboard: OutsideClipboard, platform: NodeJS.Platform = process.platform) {
    this.#clipboard = clipboard;
    this.#platform = platform;
  }

  /** Includes everything received so far. */
  async record(): Promise<TypedRecord> {
    await this.#recorded;
    return this.#record;
  }

  /**
   * Whether a user clicked, or pressed Enter, the space bar or Shift+Delete, right before `at` (of
   * `performance.now()`). Counts once.
   */
  takeGesture(at: number): boolean {
    const gesture = this.#gesture;
    this.#gesture = undefined;
    return gesture !== undefined && at >= gesture.at && at - gesture.at < LASTS_MS;
  }

  /** Takes the input that sends a message. The space bar and Shift+Enter don't count, because they only write text. */
  takeSending(at: number): boolean {
    const isWriting = this.#gesture?.by === 'writing';
    return this.takeGesture(at) && !isWriting;
  }

  /** Whether they have just pressed a key that produces text. */
  get isWriting(): boolean {
    return performance.now() - this.#wroteAt < WRITES_ON_MS;
  }

  /** Whether the message field can be empty, by what was heard. */
  get mayBeEmpty(): boolean {
    return this.#pastes === 0 && this.#record.mayBeEmpty;
  }

  /** A key that was pressed at the question, and is written here. */
  typedFor(input: PressedKey): void {
    this.#wroteAt = performance.now();
    this.#note((record) => record.pressed(input));
  }

  /** Whether a user asked for a menu (the right button, its key, a long touch) right before `at`. Counts once. */
  takeMenuRequest(at: number): boolean {
    const askedAt = this.#menuAskedAt;
    this.#menuAskedAt = Number.NEGATIVE_INFINITY;
    return at >= askedAt && at - askedAt < LASTS_MS;
  }

  /** A choice in a menu that main made counts as a click in the page. */
  choseInMenu(): void {
    this.#gesture = { by: 'click', at: performance.now() };
  }

  /** A key of the menu may have moved the caret elsewhere. */
  leftText(): void {
    this.#note((record) => record.interrupt());
  }

  /** The user pasted from the menu or by a key. */
  pasted(): void {
    const now = performance.now();
    if (now - this.#pastedAt < ONE_PASTE_MS) return;
    this.#pastedAt = now;
    const text = this.#clipboard.text();
    this.#pastes += 1;
    this.#recorded = this.#recorded.then(async () => {
      this.#record.pasted(await text);
      this.#pastes -= 1;
    });
  }

  /** It is called for each `input-event` of the page. */
  heard(event: InputEvent): void {
    const input = heardInput(event);
    if (input === undefined) return;
    if (this.#asksForMenu(input)) this.#menuAskedAt = performance.now();
    if (input.kind === 'key') this.#pressed(input);
    else if (input.kind === 'mouse') this.#clicked(input);
    else if (input.type === 'tap') this.#gesture = { by: 'click', at: performance.now() };
  }

  /** Keys that are released elsewhere are not heard. */
  focusLeft(): void {
    this.#isControlHeld = false;
  }

  #clicked(input: HeardMouse): void {
    if (!input.isDown) {
      if (input.button === 'left' && !this.#isMenuClick(input)) this.#gesture = { by: 'click', at: performance.now() };
      return;
    }
    // On Linux the middle button pastes the current selection, which the page may have made.
    if (this.#platform === 'linux' && input.button === 'middle') this.#note((record) => record.pasted(''));
    else this.#note((record) => record.interrupt());
  }

  #pressed(input: HeardKey): void {
    this.#isControlHeld = input.control;
    if (!input.isDown) return;
    const by = input.shift ? WITH_SHIFT[input.key] : PRESSES[input.key];
    if (input.key.length === 1 || WRITING_KEYS.has(input.key)) this.#wroteAt = performance.now();
    if (by !== undefined && !input.isAutoRepeat) this.#gesture = { by, at: performance.now() };
    if (pastes(input, this.#platform)) this.pasted();
    else this.#note((record) => record.pressed(input));
  }

  #asksForMenu(input: HeardInput): boolean {
    if (input.kind === 'touch') return input.type === 'menu';
    if (input.kind === 'mouse') return input.button === 'right' || this.#isMenuClick(input);
    return input.isDown && (input.key === 'ContextMenu' || (input.key === 'F10' && input.shift));
  }

  /** On macOS a click with Control is one with the right button. */
  #isMenuClick({ isWithControl = this.#isControlHeld }: HeardMouse): boolean {
    return this.#platform === 'darwin' && isWithControl;
  }

  #note(change: (record: TypedRecord) => void): void {
    if (this.#pastes === 0) change(this.#record);
    else this.#recorded = this.#recorded.then(() => change(this.#record));
  }
}
