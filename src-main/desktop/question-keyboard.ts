import { isModifier } from '../../src-preload/contract/modifier-keys.ts';
import { makesText, type PressedKey, pastes } from './pressed-key.ts';

/** People don't pause longer than this within a word. */
const QUIET_MS = 1000;

/** A key press as Electron tells it before a page gets it (`before-input-event`). */
export interface QuestionKey extends PressedKey {
  readonly type: string;
  readonly isComposing: boolean;
}

export interface KeyboardPorts {
  readonly focus: (surface: 'chat' | 'question') => void;
  readonly isWindowFocused: () => boolean;
  /** Whether the message field can be empty, by main's own record of keys. */
  readonly mayBeEmpty: () => boolean;
  /** The question has just got the keyboard without being asked to: answers count only after another look at it. */
  readonly onTaken: () => void;
  readonly platform: NodeJS.Platform;
  /** A monotonic time in milliseconds. */
  readonly now: () => number;
  /** Calls back once; the returned function cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

export interface KeyboardQuestion {
  readonly id: string;
  /** The question covers the whole window, so there is no message field to write in. */
  readonly isCovering: boolean;
  /** The question follows from what the user has just done, and they are not writing. */
  readonly isAtOnce: boolean;
}

/** What is to happen with a key that was pressed at the question: the question gets it, or the message field does. */
export type KeyTarget = 'question' | 'message' | 'message-paste' | 'message-without';

/**
 * Who has the keyboard while a question is shown. A question takes it by itself when the message field is empty and no
 * key was pressed for a second; what is typed then still goes to the message field. The chat's page only says that its
 * field is free: that alone gives a question nothing, and once the user has gone back to the field, only they return to
 * the question.
 *
 * `taken`: the question took it by itself. `entered`: the user went there.
 */
export class QuestionKeyboard {
  readonly #ports: KeyboardPorts;
  #holder: 'chat' | 'taken' | 'entered' = 'chat';
  #question: KeyboardQuestion | undefined;
  /** The question whose page is there, perhaps only for a moment longer. */
  #shownId: string | undefined;
  #isFieldFree = false;
  /** The user went to the message field while this question was shown. */
  #hasLeft = false;
  #keyAt = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => undefined;

  constructor(ports: KeyboardPorts) {
    this.#ports = ports;
  }

  get holder(): 'chat' | 'taken' | 'entered' {
    return this.#holder;
  }

  /** Called when this question becomes visible, or has changed its place. */
  shown(question: KeyboardQuestion): void {
    if (question.id !== this.#shownId) {
      this.#hasLeft = false;
      // The user went to the one before.
      if (this.#holder === 'entered') this.#holder = 'taken';
    }
    this.#question = question;
    this.#shownId = question.id;
    if (question.isAtOnce) this.#enter();
    else this.#consider();
  }

  /** The question is gone. Its page may be there for a moment longer, for the next one. */
  ended(): void {
    this.#cancel();
    this.#question = undefined;
  }

  hidden(): void {
    this.ended();
    this.#shownId = undefined;
    this.#hasLeft = false;
    this.#holder = 'chat';
  }

  /** The chat's page says that its message field is empty, composes nothing, and has no rival for the keys. */
  messageField(isFree: boolean): void {
    this.#isFieldFree = isFree;
    this.#consider();
  }

  pressedInChat({ type }: Pick<QuestionKey, 'type'>): void {
    if (type === 'keyUp') return;
    this.#keyAt = this.#ports.now();
    this.#consider();
  }

  pressedInQuestion(input: QuestionKey): KeyTarget {
    if (input.type === 'keyUp') return 'question';
    this.#keyAt = this.#ports.now();
    if (!this.#isForMessage || input.isComposing || isModifier(input)) return 'question';
    const isBare = !input.control && !input.meta && !input.alt;
    if (makesText(input)) return this.#leave('message');
    if (pastes(input, this.#ports.platform)) return this.#leave('message-paste');
    if (input.key === 'Escape' && isBare) return this.#leave('message-without');
    if ((input.key === 'Tab' && isBare) || opensPanel(input)) this.#holder = 'entered';
    return 'question';
  }

  clickedInChat(): void {
    if (this.#question !== undefined) this.#hasLeft = true;
  }

  clickedInQuestion(): void {
    if (this.#question !== undefined) this.#holder = 'entered';
  }

  /** The system moved the focus, perhaps because it was asked to. */
  focusCame(surface: 'chat' | 'question'): void {
    if (surface === 'chat') this.#holder = 'chat';
    else if (this.#holder === 'chat') this.#holder = 'entered';
  }

  /** The user may have typed in another window until now. */
  windowFocused(): void {
    this.#keyAt = this.#ports.now();
    if (this.#holder === 'chat') this.#consider();
    else {
      this.#ports.focus('question');
      if (this.#holder === 'taken') this.#ports.onTaken();
    }
  }

  /**
   * Moves to the question with F6, and from there back. If the question covers the window, nothing behind it is
   * reached.
   */
  switched(): void {
    if (this.#question === undefined) return;
    if (this.#holder === 'entered' && !this.#question.isCovering) {
      this.#leave('message-without');
      return;
    }
    this.#enter();
  }

  /** What is typed at the question is not meant for it. */
  get #isForMessage(): boolean {
    const question = this.#question;
    return question === undefined || (this.#holder === 'taken' && !question.isCovering);
  }

  #enter(): void {
    this.#cancel();
    this.#holder = 'entered';
    this.#ports.focus('question');
  }

  #leave(target: KeyTarget): KeyTarget {
    this.#hasLeft = true;
    this.#holder = 'chat';
    this.#ports.focus('chat');
    return target;
  }

  #consider(): void {
    this.#cancel();
    const question = this.#question;
    if (question === undefined || this.#holder !== 'chat' || !this.#ports.isWindowFocused()) return;
    const isFree = this.#isFieldFree && !this.#hasLeft && this.#ports.mayBeEmpty();
    if (!question.isCovering && !isFree) return;
    const quietIn = this.#keyAt + QUIET_MS - this.#ports.now();
    if (quietIn <= 0) this.#take();
    else this.#cancel = this.#ports.after(quietIn, () => this.#consider());
  }

  #take(): void {
    this.#cancel();
    // The holder changes before the focus moves, because the system may report that at once.
    this.#holder = 'taken';
    this.#ports.focus('question');
    this.#ports.onTaken();
  }
}

/**
 * `Deny and explain` and `Don’t ask again` open a panel with fields of its own. Source:
 * src-renderer/consent/answer-keys.ts.
 */
function opensPanel({ key, control, meta, shift }: PressedKey): boolean {
  return (control || meta) && ((key.toLowerCase() === 'e' && !shift) || (key === 'Enter' && shift));
}
