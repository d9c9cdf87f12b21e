/** Marks are paired again with every chunk that arrives; beyond this length that would be too slow. */
const MAX_PARAGRAPH_LENGTH = 4_000;
/** No inline formula is longer: beyond this, the dollar did not open one. */
const MAX_FORMULA_LENGTH = 80;
const CLOSED_TARGET =
  /\(\s*(?!\s)(?:<[^<>\n]*>|[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?!\s)(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y;
const OPEN_TARGET = /\([^()\n]*(?:\([^()\n]*(?:\)[^()\n]*)?)*$/y;
const CLOSED_TAG = /<[A-Za-z/!?][^<>]*>/y;
const OPEN_TAG = /<(?:[A-Za-z/!?][^<>\n]*)?$/y;
const OPEN_REFERENCE = /&#?\w{0,31}$/y;
const CLOSED_FORMULA = /\$\$[^$\n]+?\$\$|\$(?![\s$])(?:\\.|[^$\\\n])*?[^\s$\\]\$(?![\d$])|\\\(.+?\\\)|\\\[.+?\\\]/y;
const OPEN_FORMULA = /(?:\$\$?(?![\s$\d])|\\[([])[^\n]*$/y;
const BACKTICKS = /`+/y;

/**
 * The text of a paragraph that is still streaming, without anything half-written: open emphasis and code are closed at
 * the end, a link is shown as its text until its target is complete, and images, formulas and tags are held back until
 * they are complete.
 */
export function withoutOpenMarks(text: string): string {
  if (text.length > MAX_PARAGRAPH_LENGTH) return text;
  const body = text.trimEnd();
  return closeEmphasis(dropUnfinished(body)) + text.slice(body.length);
}

/** What `pattern` (sticky) finds exactly at `index`; empty where it does not match. */
function at(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? '';
}

/** The index at which a code span that begins at `index` ends, or null if it is still open. */
function endOfCode(text: string, index: number): number | null {
  const { length } = at(BACKTICKS, text, index);
  for (let from = index + length; ; ) {
    const next = text.indexOf('`', from);
    if (next === -1) return null;
    const run = at(BACKTICKS, text, next).length;
    if (run === length) return next + length;
    from = next + run;
  }
}

/** A code span that is still open, as if it ended here; empty while nothing is in it. */
function closedCode(code: string): string {
  const fence = at(BACKTICKS, code, 0);
  const content = code.slice(fence.length).replace(/(?<!`)`+$/, '');
  return content.trim() === '' ? '' : `${fence}${content}${fence}`;
}

/** Removes everything unfinished except emphasis. */
function dropUnfinished(text: string): string {
  const { end, code, brackets } = readUntilUnfinished(text);
  const image = brackets.find((index) => text[index - 1] === '!');
  if (image !== undefined) return withoutCharacters(text.slice(0, image - 1), brackets);
  return withoutCharacters(text.slice(0, end), brackets) + closedCode(text.slice(end, end + code));
}

interface Readable {
  /** Text from this index on is held back. */
  readonly end: number;
  /** Length of the open code span that begins at `end`. */
  readonly code: number;
  /** The indices at which an incomplete link or image starts. */
  readonly brackets: readonly number[];
}

function readUntilUnfinished(text: string): Readable {
  const brackets: number[] = [];
  const upTo = (end: number, code = 0): Readable => ({ end, code, brackets });
  const isLast = (index: number) => index === text.length - 1;
  for (let index = 0; index < text.length; ) {
    const character = text[index];
    if (character === '`') {
      const end = endOfCode(text, index);
      if (end === null) return upTo(index, text.length - index);
      index = end;
    } else if (character === '$' || character === '\\') {
      const formula = at(CLOSED_FORMULA, text, index);
      const open = formula === '' ? at(OPEN_FORMULA, text, index) : '';
      if (isLast(index) || (open !== '' && open.length <= MAX_FORMULA_LENGTH)) return upTo(index);
      index += formula.length || (character === '\\' ? 2 : 1);
    } else if (character === '<') {
      if (at(OPEN_TAG, text, index) !== '') return upTo(index);
      index += at(CLOSED_TAG, text, index).length || 1;
    } else if ((character === '&' && at(OPEN_REFERENCE, text, index) !== '') || (character === '!' && isLast(index))) {
      return upTo(index);
    } else if (character === '[') {
      brackets.push(index);
      index += 1;
    } else if (character === ']' && brackets.length > 0) {
      const target = at(CLOSED_TARGET, text, index + 1);
      if (target === '' && (isLast(index) || at(OPEN_TARGET, text, index + 1) !== '')) return upTo(index);
      brackets.pop();
      index += 1 + target.length;
    } else {
      index += 1;
    }
  }
  return upTo(text.length);
}

/** `indices` are in order. */
function withoutCharacters(text: string, indices: readonly number[]): string {
  return indices.reduceRight((rest, index) => rest.slice(0, index) + rest.slice(index + 1), text);
}

/** A delimiter run, as CommonMark defines it. `length` is the number of marks that are not matched yet. */
interface Run {
  readonly mark: string;
  readonly index: number;
  readonly whole: number;
  length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

/** Several different marks in a row at the end of a text. */
const MAX_AT_END = 4;

function closeEmphasis(text: string, from = 0): string {
  const runs = runsIn(text);
  const last = runs.at(-1);
  pair(runs);
  if (last !== undefined && last.index + last.whole === text.length && !isWholly(last, runs)) {
    const before = text.slice(0, last.index);
    // Marks before a space can't open emphasis.
    return before.endsWith(' ') || from === MAX_AT_END ? closed(before.trimEnd()) : closeEmphasis(before, from + 1);
  }
  return text + closersOf(runs);
}

function closed(text: string): string {
  const runs = runsIn(text);
  pair(runs);
  return text + closersOf(runs);
}

function closersOf(runs: readonly Run[]): string {
  const open = runs.filter(
    ({ mark, canOpen, length, whole }) => canOpen && length > 0 && (mark !== '~' || whole === 2),
  );
  return open
    .map(({ mark, length }) => mark.repeat(length))
    .reverse()
    .join('');
}

/** Whether a mark closes the text before it and can't grow any further. */
function isWholly(last: Run, runs: readonly Run[]): boolean {
  const isHalf = (run: Run) => run !== last && run.mark === last.mark && run.length > 0 && run.length < run.whole;
  return last.length === 0 && !runs.some(isHalf);
}

/** Reduces each run to its unmatched marks. */
function pair(runs: readonly Run[]): void {
  for (const [at, closer] of runs.entries()) {
    if (!closer.canClose) continue;
    for (let before = at - 1; before >= 0 && closer.length > 0; before -= 1) {
      const opener = runs[before];
      if (opener === undefined || !canPair(opener, closer)) continue;
      for (const between of runs.slice(before + 1, at)) between.length = 0;
      while (opener.length > 0 && closer.length > 0) {
        const used = Math.min(opener.length, closer.length, 2);
        opener.length -= used;
        closer.length -= used;
      }
    }
  }
}

function canPair(opener: Run, closer: Run): boolean {
  if (opener.mark !== closer.mark || !opener.canOpen || opener.length === 0) return false;
  if (opener.mark === '~') return opener.whole === closer.whole;
  const isEitherBoth = (opener.canOpen && opener.canClose) || (closer.canOpen && closer.canClose);
  const isThird = (opener.whole + closer.whole) % 3 === 0 && (opener.whole % 3 !== 0 || closer.whole % 3 !== 0);
  return !(isEitherBoth && isThird);
}

const SPACE = /^\s?$/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const PLAIN_WORD = /[A-Za-z0-9]/;

function runsIn(text: string): Run[] {
  const runs: Run[] = [];
  for (let index = 0; index < text.length; ) {
    const character = text[index] ?? '';
    if (character === '\\') index += 2;
    else if (character === '`') index = endOfCode(text, index) ?? text.length;
    else if (character === '<') index += at(CLOSED_TAG, text, index).length || 1;
    else if (character === '$') index += at(CLOSED_FORMULA, text, index).length || 1;
    else if (character === ']') index += 1 + at(CLOSED_TARGET, text, index + 1).length;
    else if (character === '*' || character === '_' || character === '~') {
      let end = index;
      while (text[end] === character) end += 1;
      runs.push(runOf(text, character, index, end));
      index = end;
    } else index += 1;
  }
  return runs;
}

function runOf(text: string, mark: string, index: number, end: number): Run {
  const [before, after] = [text[index - 1] ?? '', text[end] ?? ''];
  const isLeft = !SPACE.test(after) && (!PUNCTUATION.test(after) || SPACE.test(before) || PUNCTUATION.test(before));
  const isRight = !SPACE.test(before) && (!PUNCTUATION.test(before) || SPACE.test(after) || PUNCTUATION.test(after));
  const whole = end - index;
  // A single asterisk in a word is mostly a product: `2*3`.
  const isProduct = mark === '*' && whole === 1 && PLAIN_WORD.test(before) && PLAIN_WORD.test(after);
  const canOpen = isLeft && !isProduct && (mark !== '_' || !isRight || PUNCTUATION.test(before));
  const canClose = isRight && (mark !== '_' || !isLeft || PUNCTUATION.test(after));
  return { mark, index, whole, length: whole, canOpen, canClose };
}
