/** Longer than a formula in a line of text is: then the dollar was none of its marks. */
const LONGEST_FORMULA = 80;
const CLOSED_TARGET =
  /\(\s*(?:<[^<>\n]*>|[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y;
const OPEN_TARGET = /\((?:[^()\n]|\([^()\n]*\)?)*$/y;
const CLOSED_TAG = /<[A-Za-z/!?][^<>]*>/y;
const OPEN_TAG = /<(?:[A-Za-z/!?][^<>\n]*)?$/y;
const OPEN_REFERENCE = /&#?\w{0,31}$/y;
const CLOSED_FORMULA = /\$\$[^$\n]+?\$\$|\$(?![\s$])(?:\\.|[^$\\\n])*?[^\s$\\]\$(?![\d$])|\\\(.+?\\\)|\\\[.+?\\\]/y;
const OPEN_FORMULA = /(?:\$\$?(?![\s$\d])|\\[([])[^\n]*$/y;
const BACKTICKS = /`+/y;

/**
 * The text of a paragraph that is still being written, with nothing in it that is only begun: emphasis and code are closed where the
 * text ends now, a link is its text until its target is there, and pictures, formulas and tags wait until they are whole.
 */
export function withoutOpenMarks(text: string): string {
  const body = text.trimEnd();
  return closeEmphasis(dropUnfinished(body)) + text.slice(body.length);
}

/** What `pattern` (sticky) finds exactly at `index`; empty where it does not match. */
function at(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? '';
}

/** Where a code span that begins at `index` ends; `null`: it is still open. */
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

function closedCode(before: string, code: string): string {
  const fence = at(BACKTICKS, code, 0);
  const content = code.slice(fence.length).replace(/`+$/, '');
  return content.trim() === '' ? before : `${before}${fence}${content}${fence}`;
}

interface OpenBracket {
  readonly index: number;
  readonly isImage: boolean;
}

/** Everything but emphasis. */
function dropUnfinished(text: string): string {
  const brackets: OpenBracket[] = [];
  /** Brackets of links that are not whole: without them their text stands. */
  const dropped: number[] = [];
  const until = (end: number) =>
    [...text.slice(0, end)].length === 0 ? '' : withoutCharacters(text.slice(0, end), dropped);
  let index = 0;
  while (index < text.length) {
    const character = text[index];
    if (character === '`') {
      const end = endOfCode(text, index);
      if (end === null) return closedCode(until(index), text.slice(index));
      index = end;
    } else if (character === '$' || character === '\\') {
      const formula = at(CLOSED_FORMULA, text, index);
      const open = formula === '' ? at(OPEN_FORMULA, text, index) : '';
      if (open !== '' && open.length <= LONGEST_FORMULA) return until(index);
      if (index === text.length - 1) return until(index);
      index += formula.length || (character === '\\' ? 2 : 1);
    } else if (character === '<') {
      if (at(OPEN_TAG, text, index) !== '') return until(index);
      index += at(CLOSED_TAG, text, index).length || 1;
    } else if (character === '&' && at(OPEN_REFERENCE, text, index) !== '') {
      return until(index);
    } else if (character === '!' && index === text.length - 1) {
      return until(index);
    } else if (character === '[') {
      const isImage = text[index - 1] === '!';
      brackets.push({ index: isImage ? index - 1 : index, isImage });
      index += 1;
    } else if (character === ']') {
      const open = brackets.pop();
      index += 1;
      if (open === undefined) continue;
      const target = at(CLOSED_TARGET, text, index);
      index += target.length;
      const isUnfinished = target === '' && (index === text.length || at(OPEN_TARGET, text, index) !== '');
      if (!isUnfinished) continue;
      if (open.isImage) return until(open.index);
      dropped.push(open.index);
      return until(index - 1);
    } else {
      index += 1;
    }
  }
  const image = brackets.find(({ isImage }) => isImage);
  dropped.push(...brackets.filter(({ isImage }) => !isImage).map((bracket) => bracket.index));
  return until(image?.index ?? text.length);
}

function withoutCharacters(text: string, indices: readonly number[]): string {
  return [...indices]
    .sort((one, other) => other - one)
    .filter((index) => index < text.length)
    .reduce((rest, index) => rest.slice(0, index) + rest.slice(index + 1), text);
}

/** A run of emphasis marks, as CommonMark has it. `length`: of it, what has found no partner yet. */
interface Run {
  readonly mark: string;
  readonly index: number;
  readonly whole: number;
  length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

function closeEmphasis(text: string): string {
  const runs = runsIn(text);
  const last = runs.at(-1);
  const endsWithRun = last !== undefined && last.index + last.whole === text.length;
  pair(runs);
  if (endsWithRun && !isWholly(last, runs)) return closeEmphasis(text.slice(0, last.index).trimEnd());
  const closers = runs.filter(isOpen).map(({ mark, length }) => mark.repeat(length));
  return text + closers.reverse().join('');
}

/** It closes what it stands at the end of, and nothing that could still grow. */
function isWholly(last: Run, runs: readonly Run[]): boolean {
  return (
    last.length === 0 &&
    !runs.some((run) => run !== last && run.mark === last.mark && run.length < run.whole && run.length > 0)
  );
}

function isOpen({ mark, canOpen, length, whole, index: _index }: Run): boolean {
  if (!canOpen || length === 0) return false;
  return mark !== '~' || whole === 2;
}

/** Leaves each run with as many marks as have no partner. */
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
