/** What a row of cells has to know of the text before it. */
export interface OpenRow {
  readonly written: number;
  readonly tabs: number;
  readonly lineEnds: number;
  readonly blockLineEnds: number;
  readonly isAtStart: boolean;
}

/** The text that a link shows. */
export interface OpenLink {
  /** Whitespace collapsed; cut where it is longer than what it is compared with. */
  text: string;
  readonly longest: number;
  /** The part of the output that continues the word before the link; `undefined`: none does. */
  gluedPart: number | undefined;
  readonly outer: OpenLink | undefined;
}

const BLANK = /[ \t\r\n\f\u00a0]/;
const BLANKS = /[ \t\r\n\f\u00a0]+/g;
const HAS_MORE_THAN_BLANKS = /[\t\r\n\f\u00a0]| {2}/;
const WORD = /[\p{L}\p{M}\p{N}]/u;
/** Follow an address or a button directly. */
const CLOSING = /^[.,;:!?)\]}>…%'"’”»]/u;
const OPENING = /[([{<'"‘“«]$/u;
/** More would push the text out of sight; deeper lists stay readable by their markers. */
const MOST_INDENTED = 8;

/**
 * Joins pieces of a page to lines. Line ends, blanks, tabs and markers are owed until there is text that needs them: so no line ends with a
 * blank, no row with a tab, and nothing begins with an empty line. Everything is appended once, whatever it is nested in.
 */
export class TextFlow {
  readonly #parts: string[] = [];
  #written = 0;
  #tail = '';
  #isLineEmpty = true;
  #lineEnds = 0;
  #blockLineEnds = 0;
  #blank = '';
  #tabs = 0;
  /** Of items that have no text yet. */
  #markers = '';
  /** How many lists the first of them is in. */
  #markedAt = 0;
  /** Line ends at the start of a cell are dropped. */
  #isAtStart = false;
  /** Parts the next text from the one before: always, or where both would become one word. `link`: only if the next text is a link, too. */
  #seam: 'none' | 'link' | 'words' | 'always' = 'none';
  #lists = 0;
  #preformatted = 0;
  #flat = 0;
  #struck = 0;
  #isStrikeOpen = false;
  #link: OpenLink | undefined;

  /** Text with its whitespace collapsed; kept as it is between `openPreformatted` and `closePreformatted`. */
  add(text: string): void {
    if (text === '') return;
    if (this.#preformatted > 0 && this.#flat === 0) {
      this.#addPreformatted(text);
      return;
    }
    const collapsed = HAS_MORE_THAN_BLANKS.test(text) ? text.replace(BLANKS, ' ') : text;
    const start = collapsed.startsWith(' ') ? 1 : 0;
    if (start > 0) this.#blank = ' ';
    if (collapsed.length === start) return;
    const isOpenEnded = collapsed.endsWith(' ');
    this.#write(start > 0 || isOpenEnded ? collapsed.trim() : collapsed);
    if (isOpenEnded) this.#blank = ' ';
  }

  /** Directly after the text before, whatever is owed. */
  append(text: string): void {
    this.#emit(text);
    this.#tail = text;
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
    return {
      ...{ written: this.#written, tabs: this.#tabs, isAtStart: this.#isAtStart },
      ...{ lineEnds: this.#lineEnds, blockLineEnds: this.#blockLineEnds },
    };
  }

  /** `tabs`: before the cell. `isFlat`: its blocks are parted by blanks. */
  openCell(row: OpenRow, tabs: number, isFlat: boolean): void {
    const isFirstText = this.#written === row.written;
    this.#lineEnds = isFirstText ? row.lineEnds : 0;
    this.#blockLineEnds = isFirstText ? row.blockLineEnds : 0;
    this.#blank = '';
    this.#tabs += tabs;
    this.#isAtStart = true;
    if (isFlat) this.#flat++;
  }

  closeCell(isFlat: boolean): void {
    if (isFlat) this.#flat--;
    this.#blank = '';
  }

  closeRow(row: OpenRow): void {
    const hasText = this.#written !== row.written;
    this.#tabs = hasText ? 0 : row.tabs;
    this.#isAtStart = hasText ? false : row.isAtStart;
    this.#lineEnds = hasText ? 0 : row.lineEnds;
    this.#blockLineEnds = hasText ? 0 : row.blockLineEnds;
  }

  /** `longest`: characters of the address that its text is compared with. */
  openLink(longest: number): OpenLink {
    if (this.#seam === 'link') this.#seam = 'words';
    const link: OpenLink = { text: '', longest, gluedPart: undefined, outer: this.#link };
    this.#link = link;
    return link;
  }

  closeLink(link: OpenLink): void {
    this.#link = link.outer;
    if (link.outer !== undefined) addTo(link.outer, link.text);
    if (this.#seam === 'none') this.#seam = 'link';
  }

  /** Parts the link from the word that it would continue. */
  partBefore({ gluedPart }: OpenLink): void {
    const part = gluedPart === undefined ? undefined : this.#parts[gluedPart];
    if (gluedPart === undefined || part === undefined) return;
    this.#parts[gluedPart] = ` ${part}`;
    this.#written++;
  }

  /** Whether there is no text in this line yet. */
  get isLineEmpty(): boolean {
    return this.#isLineEmpty || this.#lineEnds > 0 || this.#blockLineEnds > 0 || this.#tabs > 0;
  }

  /** The character that the next text would follow directly; empty: none. */
  get lastCharacter(): string {
    return this.isLineEmpty || this.#blank !== '' || this.#markers !== '' ? '' : lastOf(this.#tail);
  }

  /** The last `length` characters so far, or a few more. */
  lastText(length: number): string {
    let text = '';
    for (let index = this.#parts.length - 1; index >= 0 && text.length < length; index--)
      text = (this.#parts[index] ?? '').slice(-length) + text;
    return text;
  }

  toString(): string {
    this.#endStrike();
    return this.#parts.join('').trim();
  }

  get #isHeld(): boolean {
    return this.#isAtStart || this.#markers !== '';
  }

  #addPreformatted(text: string): void {
    const lines = text.replaceAll('\u00a0', ' ').split(/\r\n?|\n/);
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.endLine();
      const words = line.trimEnd();
      if (words !== '') {
        const start = words.length - words.trimStart().length;
        this.#blank += words.slice(0, start);
        this.#write(words.slice(start));
        this.#blank = line.slice(words.length);
      } else this.#blank += line;
    }
  }

  /** `words`: neither starts nor ends with a blank. */
  #write(words: string): void {
    const isGlued = this.#blank === '';
    const isNew = this.#startLine();
    if (this.#seam !== 'none') this.#keepApart(words, isNew);
    if (isNew && this.#preformatted === 0) this.#blank = '';
    if (this.#link !== undefined) this.#addToLink(words, isGlued && !isNew);
    if (this.#blank !== '') this.#emit(this.#blank);
    if (this.#struck > 0 && !this.#isStrikeOpen) {
      this.#emit('~~');
      this.#isStrikeOpen = true;
    }
    this.#emit(words);
    this.#blank = '';
    this.#tail = words;
    this.#isLineEmpty = false;
    this.#isAtStart = false;
  }

  /** Writes the line ends, tabs and markers that are owed; false: none are, and the line has text. */
  #startLine(): boolean {
    const lineEnds = Math.min(2, this.#lineEnds + this.#blockLineEnds);
    this.#lineEnds = 0;
    this.#blockLineEnds = 0;
    if (lineEnds > 0 && this.#written > 0) {
      this.#endStrike();
      this.#emit(lineEnds === 1 ? '\n' : '\n\n');
      this.#isLineEmpty = true;
    }
    const isNew = this.#isLineEmpty || this.#tabs > 0 || this.#markers !== '';
    if (!isNew) return false;
    const lists = Math.min(this.#markers === '' ? this.#lists : this.#markedAt, MOST_INDENTED);
    if (this.#isLineEmpty && lists > 1) this.#emit('  '.repeat(lists - 1));
    if (this.#tabs > 0) {
      this.#endStrike();
      this.#emit('\t'.repeat(this.#tabs));
      this.#tabs = 0;
      this.#blank = '';
    } else if (this.#markers !== '' && !this.#isLineEmpty && this.#blank !== '') this.#emit(this.#blank);
    if (this.#markers !== '') {
      this.#emit(this.#markers);
      this.#markers = '';
      this.#blank = '';
    }
    return true;
  }

  #keepApart(words: string, isNew: boolean): void {
    const before = lastOf(this.#tail);
    if (!isNew && this.#blank === '') {
      const isNeeded =
        this.#seam === 'always'
          ? !CLOSING.test(words) && !OPENING.test(before)
          : this.#seam === 'words' && WORD.test(before) && startsWord(words);
      if (isNeeded) this.#blank = ' ';
    }
    this.#seam = 'none';
  }

  #addToLink(words: string, isGlued: boolean): void {
    const link = this.#link;
    if (link === undefined) return;
    if (link.text === '' && isGlued && this.#blank === '' && WORD.test(lastOf(this.#tail)))
      link.gluedPart = this.#parts.length;
    addTo(link, link.text !== '' && !isGlued ? ` ${words}` : words);
  }

  #endStrike(): void {
    if (!this.#isStrikeOpen) return;
    this.#emit('~~');
    this.#isStrikeOpen = false;
  }

  #emit(text: string): void {
    this.#parts.push(text);
    this.#written += text.length;
  }
}

function addTo(link: OpenLink, words: string): void {
  if (link.text.length <= link.longest) link.text += words.slice(0, link.longest + 1);
}

function startsWord(words: string): boolean {
  return WORD.test(String.fromCodePoint(words.codePointAt(0) ?? 0));
}

/** A whole character, also beyond U+FFFF. */
function lastOf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return text.slice(last >= 0xdc00 && last <= 0xdfff ? -2 : -1);
}

/** Whether it is only what counts as whitespace in pages. */
export function isBlank(text: string): boolean {
  return !BLANK.test(text) ? text === '' : text.replace(BLANKS, '') === '';
}
