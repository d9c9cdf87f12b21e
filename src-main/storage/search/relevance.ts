import { parseQuery, wordsOf } from './search-text.ts';

/** How well texts match a question, on one scale for texts from different indexes. Pure. */

/** A search term: a word, or words that must be adjacent (`東京`, or text in quotes). */
export interface Term {
  readonly words: readonly string[];
  /** The weight of the term, which is higher the rarer it is. */
  readonly weight: number;
}

/** An occurrence of a term: `[start, end)` in UTF-16 units. */
export interface TermMatch {
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** The relevance of a text to the question. */
export interface Reading {
  /** The matches in order. */
  readonly matches: readonly TermMatch[];
  /** The number of occurrences. */
  readonly words: number;
}

/** More words of a question than these only cost time. */
const MAX_ASKED_TERMS = 16;

/** Words without meaning for a search; ignored unless a question has no others. */
const FILLERS = new Set(
  'a an and are at be been being for in is of on or s t the to was were what which who'.split(' '),
);

/** The terms of a question, without duplicates. Empty if it contains no word at all. */
export function termsOf(query: string): string[][] {
  // A search for `France's` searches for France, not for the two words in a row.
  const phrases = parseQuery(query.replace(/['’]/gu, ' '));
  const distinct = [...new Map(phrases.map(({ words }) => [words.join(' '), [...words]]))];
  const telling = distinct.filter(([text]) => !FILLERS.has(text));
  return (telling.length > 0 ? telling : distinct).slice(0, MAX_ASKED_TERMS).map(([, words]) => words);
}

/** In an index with fewer texts than this, word frequency says little. */
const FEWEST_TEXTS = 1_000;

/** The inverse document frequency. `share` is the share of all `texts` that contain the term. */
export function weightOf(share: number, texts: number): number {
  const counted = Math.max(texts, FEWEST_TEXTS);
  return Math.log((counted + 1) / (share * texts + 0.5));
}

/**
 * bm25's k1 and b, lower than usual: whether a word occurs matters more than how often, and a long answer is not worse.
 */
const SATURATION = 0.3;
const LENGTH_MATTERS = 0.5;
const USUAL_WORDS = 60;

/** bm25 relative to its maximum: near 1 if all terms occur in a short text, 0 if none does. */
export function fitOf(readings: readonly Reading[], terms: readonly Term[]): number {
  const counts = terms.map(() => 0);
  for (const { matches } of readings) for (const { term } of matches) counts[term] = (counts[term] ?? 0) + 1;
  const words = readings.reduce((sum, reading) => sum + reading.words, 0);
  const norm = SATURATION * (1 - LENGTH_MATTERS + (LENGTH_MATTERS * words) / USUAL_WORDS);
  let reached = 0;
  let possible = 0;
  for (const [index, { weight }] of terms.entries()) {
    const count = counts[index] ?? 0;
    possible += weight;
    reached += (weight * count) / (count + norm);
  }
  return possible === 0 ? 0 : reached / possible;
}

/** Finds the terms in a text. If `startsOfWords` is given, it is filled with the start of each word. */
export function read(text: string, terms: readonly Term[], startsOfWords: number[] = []): Reading {
  const byFirstWord = new Map<string, number[]>();
  for (const [index, { words }] of terms.entries()) {
    const [first = ''] = words;
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), index]);
  }
  const words = [...wordsOf(text)];
  const matches: TermMatch[] = [];
  for (const [at, word] of words.entries()) {
    startsOfWords.push(word.start);
    for (const index of byFirstWord.get(word.text) ?? []) {
      const wanted = terms[index]?.words ?? [];
      const last = words[at + wanted.length - 1];
      if (last === undefined || !wanted.every((each, offset) => words[at + offset]?.text === each)) continue;
      matches.push({ term: index, start: word.start, end: last.end });
    }
  }
  return { matches, words: words.length };
}

/** The half-life of the bonus for new entries, in days. */
const HALF_LIFE_DAYS = 30;
const NEWNESS_COUNTS = 0.15;
const DAY_MS = 86_400_000;

/**
 * How well a text fits: matching words and recency combined, 0 to 1. A negative `ageMs` (the clock was set back) counts
 * as new.
 */
export function relevanceOf(fit: number, ageMs: number): number {
  const newness = 0.5 ** (Math.max(0, ageMs) / DAY_MS / HALF_LIFE_DAYS);
  return (1 - NEWNESS_COUNTS) * fit + NEWNESS_COUNTS * newness;
}
