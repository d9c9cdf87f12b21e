/**
 * What counts as a word, both for the search index and for queries. Scripts without spaces (Chinese, Japanese, Thai, …)
 * are split into characters, so that a single character can be found as well as a long phrase; Korean too, because its
 * words have endings. Everything else is a run of letters and digits, ignoring case, width and accents.
 */
export interface Word {
  readonly text: string;
  /** The position in the original text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u30fc\\uff70';
/**
 * One token: a character of an unspaced script with its marks, a pictograph with its modifiers, or any other run that
 * forms a word.
 */
const PIECE = new RegExp(
  `[a-zA-Z0-9]+(?![\\p{L}\\p{N}\\p{M}])|(?:[${UNSPACED}]|\\p{Extended_Pictographic})[\\p{M}\\uff9e\\uff9f]*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);
/** These are by far the most frequent characters of Chinese and Japanese. `fold` would return them unchanged. */
const FOLDS_TO_ITSELF = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]$/;
const ASCII_WORD = /^[a-zA-Z0-9]+$/;

/** The words of a text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(PIECE)) {
    const start = match.index;
    const end = start + match[0].length;
    if (FOLDS_TO_ITSELF.test(match[0])) {
      yield { text: match[0], start, end };
      continue;
    }
    if (ASCII_WORD.test(match[0])) {
      yield { text: match[0].toLowerCase(), start, end };
      continue;
    }
    // Folding may turn one character into several words (a ligature, a squared term): they share its position.
    for (const folded of fold(match[0]).match(PIECE) ?? []) yield { text: folded, start, end };
  }
}

/** The indexed form of a text: its words, separated by spaces. */
export function indexableText(text: string): string {
  const words: string[] = [];
  for (const word of wordsOf(text)) words.push(word.text);
  return words.join(' ');
}

/** Words that must be adjacent. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last word may be a prefix. */
  readonly isPrefix: boolean;
}

/** A longer query is cut: no one types that much, and the index limits how deep an expression may nest. */
const MAX_QUERY_WORDS = 64;

/**
 * A typed query: every part between spaces is a phrase (`東京` is two adjacent characters), and so is text in double
 * quotes. The very last word may be unfinished. All phrases must match.
 */
export function parseQuery(query: string): Phrase[] {
  const phrases: { words: string[]; isPrefix: boolean }[] = [];
  let left = MAX_QUERY_WORDS;
  for (const part of query.matchAll(/"([^"]*)"|[^\s"]+/gu)) {
    const quoted = part[1];
    const words = Array.from(wordsOf((quoted ?? part[0]).slice(0, 4 * 1024)), (word) => word.text).slice(0, left);
    if (words.length === 0) continue;
    left -= words.length;
    phrases.push({ words, isPrefix: quoted === undefined });
    if (left === 0) break;
  }
  return phrases.map((phrase, index) => ({ ...phrase, isPrefix: phrase.isPrefix && index === phrases.length - 1 }));
}

/** The FTS5 expression of a query, or undefined if there is nothing to search for. Words contain no FTS5 syntax. */
export function toMatchExpression(phrases: readonly Phrase[]): string | undefined {
  if (phrases.length === 0) return undefined;
  return phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`).join(' AND ');
}

/** Positions of the phrases in `text`, as `[start, end)` in UTF-16 units. They are ordered and don't overlap. */
export function findPhrases(text: string, phrases: readonly Phrase[]): (readonly [number, number])[] {
  const words = [...wordsOf(text)];
  const found: [number, number][] = [];
  for (let at = 0; at < words.length; at++) {
    for (const phrase of phrases) {
      const first = words[at];
      const last = words[at + phrase.words.length - 1];
      if (first && last && standsAt(words, at, phrase)) found.push([first.start, last.end]);
    }
  }
  return mergeOverlaps(found);
}

function standsAt(words: readonly Word[], at: number, { words: wanted, isPrefix }: Phrase): boolean {
  return wanted.every((word, offset) => {
    const here = words[at + offset]?.text;
    return here === word || (isPrefix && offset === wanted.length - 1 && here?.startsWith(word) === true);
  });
}

function mergeOverlaps(ranges: [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const previous = merged.at(-1);
    if (previous && start < previous[1]) previous[1] = Math.max(previous[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** One spelling for what people see as the same letters. Marks of other scripts (Thai, Arabic, kana) are kept. */
function fold(piece: string): string {
  return piece
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\ufe00-\ufe0f]/g, '')
    .normalize('NFC')
    .replace(/ς/g, 'σ');
}
