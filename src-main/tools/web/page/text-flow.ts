import type { FormatCallback } from 'html-to-text';

/** The package's type, which it does not export directly. */
export type TextBuilder = Parameters<FormatCallback>[2];

/** The text before a row of cells. */
export interface OpenRow {
  readonly lineEnds: number;
  readonly blockLineEnds: number;
  readonly isAtStart: boolean;
  readonly isIndented: boolean;
  readonly indent: string;
}

/** Only a text that has these is collapsed, for which the builder takes each word by itself. */
const HAS_MORE_THAN_BLANKS = /[\t\r\n\f\u00a0]| {2}/;
const WORD = /^[\p{L}\p{M}\p{N}]/u;
/** These characters follow an address or a button directly. */
const CLOSING = /^[.,;:!?)\]}>…%'"’”»]/u;
const OPENING = /[([{<'"‘“«]$/u;
/** More would push the text out of sight; deeper lists stay readable by their markers. */
const MAX_INDENTED = 8;

/**
 * Remembers what stands before a text, which the builder doesn't tell. Line ends, blanks and markers are owed until
 * there is text that needs them: so nothing empty reaches the builder. Its blocks are beside each other, whatever they
 * are nested in in the page: one for each stretch of text that is preformatted or not.
 */
export class TextFlow {
  readonly #builder: TextBuilder;
  /** All texts, without markers. */
  readonly #texts: string[] = [];
  #isBlockOpen = false;
  #isBlockPreformatted = false;
  /** Indentation and markers, whose blanks the builder keeps. */
  #lineStart = '';
  #line = '';
  #isLineEmpty = true;
  #lineEnds = 0;
  #blockLineEnds = 0;
  #blank = '';
  /** The markers of list items that have no text yet. */
  #markers = '';
  /** How many lists the first of them is in. */
  #markedAt = 0;
  /** Whether the position is at the start of the page or of a cell: line ends are dropped there. */
  #isAtStart = true;
  #isIndented = false;
  /**
   * Parts the next text from the one before: always, or if both would become one word. With `link`, only if the next
   * text is a link, too.
   */
  #seam: 'none' | 'link' | 'words' | 'always' = 'none';
  #lists = 0;
  #preformatted = 0;
  #flat = 0;
  #struck = 0;
  #isStrikeOpen = false;

  constructor(builder: TextBuilder) {
    this.#builder = builder;
  }

  /** Text with its whitespace collapsed; kept as it is between `openPreformatted` and `closePreformatted`. */
  add(text: string): void {
    if (text === '') return;
    if (this.#isPreformatted) {
      this.#addPreformatted(text);
      return;
    }
    const startsBlank = isBlank(text, 0);
    const endsBlank = isBlank(text, text.length - 1);
    const words = startsBlank || endsBlank ? text.trim() : text;
    if (startsBlank) this.#blank = ' ';
    if (words !== '') this.#write(words);
    if (endsBlank) this.#blank = ' ';
  }

  /** Directly after the text before, whatever is owed. */
  append(text: string): void {
    this.#line += text;
    this.#texts.push(text);
  }

  endLine(): void {
    if (this.#flat > 0) this.#blank = ' ';
    else if (!this.#isHeld) {
      this.#lineEnds++;
      this.#blank = '';
    }
  }

  /** The start or end of a block: at least so many line ends are between it and other text. */
  boundary(lineEnds: number): void {
    if (this.#flat > 0) this.#blank = ' ';
    else if (!this.#isHeld) {
      this.#blockLineEnds = Math.max(this.#blockLineEnds, lineEnds);
      this.#blank = '';
    }
  }

  openPreformatted(): void {
    this.#preformatted++;
  }

  closePreformatted(): void {
    this.#preformatted--;
    this.#blank = '';
  }

  /** What follows does not continue the text before it. */
  part(): void {
    this.#seam = 'always';
  }

  openList(): void {
    this.#lists++;
  }

  closeList(): void {
    this.#lists--;
  }

  /** `marker` precedes the item's text; an item without text has none. Returns what `closeItem` needs. */
  openItem(marker: string): string {
    const before = this.#markers;
    if (before === '') this.#markedAt = this.#lists;
    this.#markers = before + marker;
    return before;
  }

  closeItem(before: string): void {
    if (this.#markers !== '') this.#markers = before;
  }

  openStruck(): void {
    this.#struck++;
  }

  closeStruck(): void {
    this.#struck--;
    if (this.#struck === 0) this.#endStrike();
  }

  openRow(): OpenRow {
    this.end();
    this.#builder.openTable();
    this.#builder.openTableRow();
    const isIndented = this.#isIndented && this.#lineEnds + this.#blockLineEnds === 0;
    this.#isIndented = isIndented;
    return {
      lineEnds: this.#lineEnds,
      blockLineEnds: this.#blockLineEnds,
      isAtStart: this.#isAtStart,
      isIndented,
      indent: isIndented ? '' : this.#indent,
    };
  }

  /** With `isFlat`, blanks part its blocks. */
  openCell(isFlat: boolean): void {
    this.#builder.openTableCell();
    if (isFlat) this.#flat++;
    this.#lineEnds = 0;
    this.#blockLineEnds = 0;
    this.#blank = '';
    this.#isLineEmpty = true;
    this.#isAtStart = true;
  }

  closeCell(isFlat: boolean): void {
    this.end();
    this.#builder.closeTableCell();
    if (isFlat) this.#flat--;
    this.#blank = '';
    this.#isIndented = true;
  }

  /** `tabs` is how many precede each of its cells. A row without text leaves nothing. */
  closeRow(row: OpenRow, tabs: readonly number[]): void {
    this.#builder.closeTableRow();
    let line = '';
    this.#builder.closeTable({
      leadingLineBreaks: Math.min(2, row.lineEnds + row.blockLineEnds),
      trailingLineBreaks: 0,
      tableToString: ([cells = []]) => {
        const text = cells.map((cell, index) => '\t'.repeat(tabs[index] ?? 1) + cell.text).join('');
        line = text.replace(/(?<!\t)\t+$/, '');
        return line.startsWith('\t') ? row.indent + line : line;
      },
    });
    this.#lineEnds = line === '' ? row.lineEnds : 0;
    this.#blockLineEnds = line === '' ? row.blockLineEnds : 0;
    this.#isAtStart = line === '' && row.isAtStart;
    this.#isIndented = row.isIndented;
  }

  openLink(): void {
    if (this.#seam === 'link') this.#seam = 'words';
  }

  closeLink(): void {
    if (this.#seam === 'none') this.#seam = 'link';
  }

  /** Ends the page or a cell. */
  end(): void {
    this.#endLine();
    if (this.#isBlockOpen) this.#builder.closeBlock({ trailingLineBreaks: 0 });
    this.#isBlockOpen = false;
  }

  /** The character that the next text would follow directly, or an empty text if there is none. */
  get lastCharacter(): string {
    const isFirst = this.#isLineEmpty || this.#lineEnds > 0 || this.#blockLineEnds > 0;
    return isFirst || this.#blank !== '' || this.#markers !== '' ? '' : lastOf(this.#texts.at(-1) ?? '');
  }

  /** The place to give to `textSince`. */
  get place(): number {
    return this.#texts.length;
  }

  /** Cut where it is longer than `length`. */
  textSince(place: number, length: number): string {
    let text = '';
    for (let index = place; index < this.#texts.length && text.length <= length + 1; index++)
      text += this.#texts[index] ?? '';
    return text.trimStart();
  }

  /** The last `length` characters so far, or a few more. */
  lastText(length: number): string {
    let text = '';
    for (let index = this.#texts.length - 1; index >= 0 && text.length < length; index--)
      text = (this.#texts[index] ?? '').slice(-length) + text;
    return text;
  }

  get #isHeld(): boolean {
    return this.#isAtStart || this.#markers !== '';
  }

  get #isPreformatted(): boolean {
    return this.#preformatted > 0 && this.#flat === 0;
  }

  get #indent(): string {
    const lists = this.#markers === '' ? this.#lists : this.#markedAt;
    return '  '.repeat(Math.max(0, Math.min(lists, MAX_INDENTED) - 1));
  }

  #addPreformatted(text: string): void {
    for (const [index, line] of text
      .replaceAll('\u00a0', ' ')
      .split(/\r\n?|\n/)
      .entries()) {
      if (index > 0) this.endLine();
      const words = line.trimEnd();
      if (words !== '') {
        const start = words.length - words.trimStart().length;
        this.#blank += words.slice(0, start);
        this.#write(words.slice(start));
      }
      this.#blank += line.slice(words.length);
    }
  }

  /** `words` neither start nor end with a blank. */
  #write(words: string): void {
    this.#startLine();
    const isFirst = this.#isLineEmpty;
    if (this.#seam !== 'none') this.#keepApart(words, isFirst || this.#markers !== '');
    if (isFirst && (this.#markers !== '' || !this.#isPreformatted)) this.#blank = '';
    this.#texts.push(isFirst || this.#blank !== '' ? ` ${words}` : words);
    if (isFirst) this.#lineStart = (this.#isIndented ? '' : this.#indent) + this.#blank + this.#markers;
    else this.#line += this.#blank + this.#markers;
    if (this.#struck > 0 && !this.#isStrikeOpen) {
      this.#line += '~~';
      this.#isStrikeOpen = true;
    }
    this.#line += words;
    this.#blank = '';
    this.#markers = '';
    this.#isLineEmpty = false;
    this.#isAtStart = false;
  }

  /** Gives the builder the line ends that are owed. */
  #startLine(): void {
    const lineEnds = Math.min(2, this.#lineEnds + this.#blockLineEnds);
    if (!this.#isBlockOpen || this.#isBlockPreformatted !== this.#isPreformatted) {
      this.end();
      this.#builder.openBlock({ leadingLineBreaks: lineEnds, isPre: this.#isPreformatted });
      this.#isBlockOpen = true;
      this.#isBlockPreformatted = this.#isPreformatted;
    } else if (lineEnds > 0) {
      this.#endLine();
      for (let count = 0; count < lineEnds; count++) this.#builder.addLineBreak();
    }
    if (lineEnds > 0) {
      this.#isLineEmpty = true;
      this.#isIndented = false;
    }
    this.#lineEnds = 0;
    this.#blockLineEnds = 0;
  }

  #keepApart(words: string, isNew: boolean): void {
    const before = lastOf(this.#texts.at(-1) ?? '');
    if (!isNew && this.#blank === '') {
      const isNeeded =
        this.#seam === 'always'
          ? !CLOSING.test(words) && !OPENING.test(before)
          : this.#seam === 'words' && isWord(before) && isWord(words);
      if (isNeeded) this.#blank = ' ';
    }
    this.#seam = 'none';
  }

  #endStrike(): void {
    if (this.#isStrikeOpen) this.#line += '~~';
    this.#isStrikeOpen = false;
  }

  #endLine(): void {
    this.#endStrike();
    if (this.#line === '') return;
    if (HAS_MORE_THAN_BLANKS.test(this.#line)) {
      this.#builder.addLiteral(this.#lineStart);
      this.#builder.addInline(this.#line);
    } else this.#builder.addLiteral(this.#lineStart + this.#line);
    this.#lineStart = '';
    this.#line = '';
  }
}

/** What counts as whitespace in pages. */
function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 0x20 || code === 0xa0 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0x0c;
}

/** Whether it starts with a letter or a digit. */
export function isWord(text: string): boolean {
  return WORD.test(text);
}

/** A whole character, also beyond U+FFFF. */
function lastOf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return text.slice(last >= 0xdc00 && last <= 0xdfff ? -2 : -1);
}
