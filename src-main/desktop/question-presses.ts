import type { InputEvent } from 'electron';
import { isModifier } from '../../src-preload/contract/modifier-keys.ts';
import { heardInput } from './heard-input.ts';
import type { PressedKey } from './pressed-key.ts';

/** After a key anywhere, a question that took the keyboard by itself accepts none for this long. */
export const QUIET_BEFORE_ANSWER_MS = 500;
/** These keys only move the text of the question. */
const READING: ReadonlySet<string> = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
]);

interface Press {
  readonly at: number;
  /** Null if it was the mouse or a finger. */
  readonly key: string | null;
  /** How long no key had been pressed before. */
  readonly quietMs: number;
}

/**
 * What a user pressed at the question, as delivered by the system. Main accepts no yes without such a press, whatever
 * the question's page says. Each press counts for one answer.
 */
export class QuestionPresses {
  readonly #now: () => number;
  #keyAt = Number.NEGATIVE_INFINITY;
  #last: Press | undefined;
  #before: Press | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  keyElsewhere(input: PressedKey): void {
    if (!isModifier(input)) this.#keyAt = this.#now();
  }

  #key(input: PressedKey & { readonly isAutoRepeat: boolean }): void {
    if (isModifier(input) || READING.has(input.key)) return;
    const at = this.#now();
    const quietMs = at - this.#keyAt;
    this.#keyAt = at;
    if (!input.isAutoRepeat) this.#press({ at, key: nameOf(input), quietMs });
  }

  /** Each `input-event` of the question's page. */
  heard(event: InputEvent): void {
    const input = heardInput(event);
    if (input?.kind === 'key') {
      if (input.isDown) this.#key(input);
      return;
    }
    const isPress = input?.kind === 'mouse' ? input.isDown : input?.kind === 'touch' && input.type === 'tap';
    if (isPress) this.#press({ at: this.#now(), key: null, quietMs: Number.POSITIVE_INFINITY });
  }

  /**
   * Whether the user pressed something at the question since then that may mean yes. With `isGrave`, one key is not
   * enough, nor the same one twice. With `needsQuiet`, the question took the keyboard by itself.
   */
  take(since: number, { isGrave, needsQuiet }: { readonly isGrave: boolean; readonly needsQuiet: boolean }): boolean {
    const [press, before] = [this.#last, this.#before];
    if (press === undefined || press.at < since) return false;
    if (press.key !== null) {
      if (needsQuiet && !isGrave && press.quietMs < QUIET_BEFORE_ANSWER_MS) return false;
      if (isGrave && !isSecond(press, before, since, needsQuiet)) return false;
    }
    this.#last = undefined;
    this.#before = undefined;
    return true;
  }

  #press(press: Press): void {
    this.#before = this.#last;
    this.#last = press;
  }
}

/** A different key directly after the first one, which must itself have come after a pause. */
function isSecond({ key }: Press, before: Press | undefined, since: number, needsQuiet: boolean): boolean {
  if (before === undefined || before.key === null || before.at < since || before.key === key) return false;
  return !needsQuiet || before.quietMs >= QUIET_BEFORE_ANSWER_MS;
}

function nameOf({ key, control, meta, alt, shift }: PressedKey): string {
  return [control && 'control', meta && 'meta', alt && 'alt', shift && 'shift', key.toLowerCase()]
    .filter(Boolean)
    .join('+');
}
