import { isRecord } from '../../../base/json.ts';

/** Reads mammoth's document tree as text, paragraph by paragraph. */
export class WordText {
  paragraphs: string[] = [];
  /** The numbers of notes by type, then id. */
  readonly #notes = new Map<string, Map<string, number>>();
  #noteCount = 0;
  #text = '';
  /** Raised text, which may come in pieces. */
  #raised = '';
  /** The link that is being read, which may come in pieces, too. */
  #link: { readonly address: string; readonly start: number } | undefined;

  /** Returns the paragraphs of an element, or of several. */
  read(elements: unknown): readonly string[] {
    this.paragraphs = [];
    this.#read(elements, {});
    this.#endParagraph();
    return this.paragraphs;
  }

  #read(element: unknown, within: { readonly isRaised?: boolean; readonly address?: string }): void {
    if (Array.isArray(element)) {
      for (const each of element) this.#read(each, within);
      return;
    }
    if (!isRecord(element)) return;
    switch (element.type) {
      case 'text':
        this.#add(String(element.value), within);
        break;
      case 'tab':
        this.#add('\t', {});
        break;
      case 'break':
        if (element.breakType === 'line') this.#add('\n', {});
        break;
      case 'checkbox':
        this.#add(element.checked === true ? '☒' : '☐', {});
        break;
      case 'noteReference':
        this.#add(`[${this.#numberOf(String(element.noteType), String(element.noteId))}]`, {});
        break;
      case 'run':
        this.#read(element.children, { ...within, isRaised: element.verticalAlignment === 'superscript' });
        break;
      case 'hyperlink':
        this.#read(element.children, typeof element.href === 'string' ? { ...within, address: element.href } : within);
        break;
      default:
        this.#read(element.children, within);
    }
    // The content of a text box comes before the end of the paragraph that holds it.
    if (element.type === 'paragraph') {
      this.#flush(undefined);
      this.paragraphs.push(this.#text);
      this.#text = '';
    }
  }

  #endParagraph(): void {
    this.#flush(undefined);
    if (this.#text !== '') this.paragraphs.push(this.#text);
    this.#text = '';
  }

  #add(text: string, { isRaised = false, address }: { readonly isRaised?: boolean; readonly address?: string }): void {
    if (isRaised && address === undefined && this.#link === undefined) {
      this.#raised += text;
      return;
    }
    this.#flush(address);
    if (address !== undefined) this.#link ??= { address, start: this.#text.length };
    this.#text += text;
  }

  /** Called before what follows: ends a superscript, and a link unless it goes on. */
  #flush(address: string | undefined): void {
    this.#text += raisedText(this.#raised, this.#text);
    this.#raised = '';
    if (this.#link === undefined || this.#link.address === address) return;
    const { address: ended, start } = this.#link;
    this.#link = undefined;
    const shown = this.#text.slice(start).trim();
    if (shown === '') this.#text += ended;
    else if (!isSame(shown, ended)) this.#text += ` (${ended})`;
  }

  /**
   * Notes of a type by id, in the order in which the text refers to them; footnotes and endnotes are counted together.
   */
  noteNumbers(type: string): ReadonlyMap<string, number> {
    return this.#notes.get(type) ?? new Map();
  }

  #numberOf(type: string, id: string): number {
    const ofType = this.#notes.get(type) ?? new Map<string, number>();
    this.#notes.set(type, ofType);
    const known = ofType.get(id);
    if (known !== undefined) return known;
    this.#noteCount++;
    ofType.set(id, this.#noteCount);
    return this.#noteCount;
  }
}

function isSame(shown: string, address: string): boolean {
  const plain = (text: string) => text.replace(/^mailto:/i, '').replace(/\/$/, '');
  return plain(shown) === plain(address);
}

/** Superscripts that are not exponents: *1st*, *Name™*. */
const NO_EXPONENT = /^(?:st|nd|rd|th|TM|SM)$/;

function raisedText(raised: string, before: string): string {
  const exponent = raised.trim();
  const follows = /[\p{L}\p{N})\]]/u.test(before.slice(-2));
  if (!follows || NO_EXPONENT.test(exponent) || !/[\p{L}\p{N}]/u.test(exponent) || exponent.startsWith('['))
    return raised;
  return /^[-−+]?[\p{L}\p{N}.,]+$/u.test(exponent) ? raised.replace(exponent, `^${exponent}`) : `^(${exponent})`;
}
