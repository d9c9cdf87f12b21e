import { MAX_PASTE_IN_MESSAGE_LENGTH, MAX_TEXT_IN_MESSAGE_LENGTH } from '../../src-preload/contract/attached-text.ts';
import { isModifier } from '../../src-preload/contract/modifier-keys.ts';
import { makesText, type PressedKey } from './pressed-key.ts';

/** Text written in one go, and how each UTF-16 unit was entered: `t` typed, `p` pasted. */
interface Stretch {
  text: string;
  origins: string;
  caret: number;
}

/** Older drafts to keep in addition to the newest; the oldest are dropped first. */
const MAX_STRETCHES = 100;
const MAX_CHARACTERS = 4_000_000;
/** What was typed before may be gone after them: deleted, sent, or in a field that closed. */
const ERASING: ReadonlySet<string> = new Set(['Backspace', 'Delete', 'Enter', 'Escape']);
/** The keys that cut, undo and redo. */
const ERASING_WITH_MOD: ReadonlySet<string> = new Set(['x', 'z', 'y']);
/** IMEs and dead keys produce text, although the system does not report which. */
const UNKNOWN_TEXT: ReadonlySet<string> = new Set(['Process', 'Dead', 'Unidentified']);

/**
 * Main's own record of what a user wrote in a page, from the keys and pastes that the system delivered, never from what
 * the page reports. A page could submit any text with a real Enter; this record tells which of its words and lines a
 * user wrote.
 *
 * It follows the caret while only keys move it, and starts a new run after anything else (a click, a selection, an
 * undo). So a word counts as typed only if its letters were typed next to each other, not if they are picked from a
 * longer text. Anything that can't be followed counts as not typed.
 */
export class TypedRecord {
  readonly #stretches: Stretch[] = [emptyStretch()];
  #isWritten = false;
  #isRecalled = false;
  #mayBeEmpty = true;

  pressed(input: PressedKey): void {
    if (isModifier(input)) return;
    const { key, control, alt, meta, shift } = input;
    this.#mayBeEmpty &&= !UNKNOWN_TEXT.has(key);
    if (UNKNOWN_TEXT.has(key)) {
      this.#isWritten = true;
      this.interrupt();
    } else if (makesText(input)) {
      this.#isWritten = true;
      this.#mayBeEmpty = false;
      this.#insert(key, 't');
    } else if (key === 'Enter' && shift && !control && !alt && !meta) this.#insert('\n', 't');
    else {
      this.#mayBeEmpty ||= ERASING.has(key) || ((control || meta) && ERASING_WITH_MOD.has(key.toLowerCase()));
      if (control || alt || meta || shift) this.interrupt();
      else this.#edit(key);
    }
  }

  /**
   * `text` is the clipboard's content, or empty if someone other than the user may have put it there. A long text is
   * attached and does not move the caret; it is kept separately if it may still be inserted into the message.
   */
  pasted(text: string): void {
    this.#isWritten = true;
    this.#mayBeEmpty = false;
    const pasted = text.replaceAll('\r\n', '\n');
    if (text === '') this.interrupt();
    else if (pasted.length <= MAX_PASTE_IN_MESSAGE_LENGTH) this.#insert(pasted, 'p');
    else if (pasted.length <= MAX_TEXT_IN_MESSAGE_LENGTH) this.#keepApart(pasted);
  }

  /** The position of the next key is no longer known. */
  interrupt(): void {
    if (this.#last.text === '') return;
    this.#stretches.push(emptyStretch());
    this.#forgetOldest();
  }

  /** Whether a text key or a paste happened since the last message. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /**
   * Whether nothing can be left of what was written: false right after text, until something that may have deleted it.
   */
  get mayBeEmpty(): boolean {
    return this.#mayBeEmpty;
  }

  /** Whether ↑ was pressed since the last message: the composer may contain an earlier message. */
  get isRecalled(): boolean {
    return this.#isRecalled;
  }

  /** Whether these lines were written exactly like this, as whole lines. */
  holdsLines(lines: string): boolean {
    const wanted = `\n${trimmed(lines)}\n`;
    return wanted.trim() !== '' && this.#stretches.some(({ text }) => `\n${trimmed(text)}\n`.includes(wanted));
  }

  /**
   * Whether this line calls a tool that was chosen in the menu after typing part of its name, with arguments written
   * afterwards.
   */
  holdsChosenTool(line: string): boolean {
    const [, name, input = ''] = /^\/([\w:.-]+)\s*\{([\s\S]*)\}$/.exec(line.trim()) ?? [];
    if (name === undefined) return false;
    const chosenAt = this.#stretches.findIndex(({ text }) => isPartOfName(text, name));
    if (chosenAt === -1) return false;
    if (input.trim() === '') return true;
    const later = this.#stretches.slice(chosenAt + 1);
    return later.some(({ text }) => text.trim() === input.trim());
  }

  /** The text with every word blanked that was not typed; `pasted`: every word that contains nothing pasted. */
  originsOf(text: string): { readonly typed: string; readonly pasted: string } {
    const { typed, pasted } = this.#words();
    const only = (words: ReadonlySet<string>) =>
      text.replace(/\S+/g, (word) => (words.has(word) ? word : ' '.repeat(word.length)));
    return { typed: only(typed), pasted: only(pasted) };
  }

  /**
   * Whether each word of the text was written, the last one at least in its beginning: its end may have been deleted in
   * a field where main doesn't know the caret. If beginnings counted anywhere, a page could spell any text in words of
   * one letter.
   */
  holdsBeginning(text: string): boolean {
    const { typed, pasted } = this.#words();
    const written = new Set([...typed, ...pasted]);
    const wanted = [...text.matchAll(/\S+/g)].map(([word]) => word);
    const last = wanted.pop() ?? '';
    return wanted.every((word) => written.has(word)) && [...written, ''].some((word) => word.startsWith(last));
  }

  /** A message was sent: text that it contains is removed from the record, other drafts stay. */
  messageSent(text: string): void {
    const lines = new Set(text.split('\n').map((line) => line.trim()));
    this.interrupt();
    const isUsed = ({ text: own }: Stretch) => own.split('\n').every((line) => lines.has(line.trim()));
    const kept = this.#stretches.filter((stretch) => stretch.text !== '' && !isUsed(stretch));
    this.#stretches.splice(0, this.#stretches.length, ...kept, emptyStretch());
    this.#isWritten = false;
    this.#isRecalled = false;
    this.#mayBeEmpty = true;
  }

  /** A word that holds something pasted counts as pasted. */
  #words(): { readonly typed: ReadonlySet<string>; readonly pasted: ReadonlySet<string> } {
    const typed = new Set<string>();
    const pasted = new Set<string>();
    for (const { text, origins } of this.#stretches)
      for (const { 0: word, index } of text.matchAll(/\S+/g))
        (origins.slice(index, index + word.length).includes('p') ? pasted : typed).add(word);
    return { typed, pasted };
  }

  get #last(): Stretch {
    return this.#stretches.at(-1) ?? emptyStretch();
  }

  #edit(key: string): void {
    const { text, caret } = this.#last;
    // One UTF-16 unit is not always one caret step.
    const isPlain = /^[\x20-\x7e\n]*$/.test(text);
    if (!isPlain) this.interrupt();
    else if (key === 'Backspace') this.#remove(caret - 1);
    else if (key === 'Delete') this.#remove(caret);
    else if (key === 'ArrowLeft') this.#last.caret = Math.max(0, caret - 1);
    else if (key === 'ArrowRight') this.#last.caret = Math.min(text.length, caret + 1);
    else {
      if (key === 'ArrowUp') this.#isRecalled = true;
      this.interrupt();
    }
  }

  #insert(added: string, origin: 't' | 'p'): void {
    const stretch = this.#last;
    const { text, origins, caret } = stretch;
    stretch.text = text.slice(0, caret) + added + text.slice(caret);
    stretch.origins = origins.slice(0, caret) + origin.repeat(added.length) + origins.slice(caret);
    stretch.caret = caret + added.length;
    this.#forgetOldest();
  }

  #keepApart(text: string): void {
    this.#stretches.splice(-1, 0, { text, origins: 'p'.repeat(text.length), caret: text.length });
    this.#forgetOldest();
  }

  #remove(at: number): void {
    const stretch = this.#last;
    if (at < 0 || at >= stretch.text.length) {
      this.interrupt();
      return;
    }
    stretch.text = stretch.text.slice(0, at) + stretch.text.slice(at + 1);
    stretch.origins = stretch.origins.slice(0, at) + stretch.origins.slice(at + 1);
    stretch.caret = at;
  }

  #forgetOldest(): void {
    const characters = () => this.#stretches.reduce((sum, { text }) => sum + text.length, 0);
    while (this.#stretches.length > 1 && (this.#stretches.length > MAX_STRETCHES || characters() > MAX_CHARACTERS))
      this.#stretches.shift();
    if (characters() > MAX_CHARACTERS) this.#stretches.splice(0, 1, emptyStretch());
  }
}

function emptyStretch(): Stretch {
  return { text: '', origins: '', caret: 0 };
}

/** Lines without blanks at their ends. */
function trimmed(text: string): string {
  return text.trim().replace(/(?<![^\S\n])[^\S\n]+$/gm, '');
}

/** Matches like the composer's menu: the text after the slash may occur anywhere in the name. */
function isPartOfName(text: string, name: string): boolean {
  const part = /(?:^|\n)\/([\w:.-]*)$/.exec(text)?.[1];
  return part !== undefined && name.toLowerCase().includes(part.toLowerCase());
}
