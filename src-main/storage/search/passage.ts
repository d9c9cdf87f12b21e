import { type Reading, read, type Term } from './relevance.ts';
import { atCharacterStart } from './snippet.ts';

/** How much of a longer text is read around a probable match. */
const READ_LENGTH = 50_000;
const BEFORE_FIRST_MATCH = 100;

/** Part of a text, with `…` where it was cut. */
export interface Passage extends Reading {
  readonly text: string;
}

/** The part of at most `length` UTF-16 units that is most relevant to the terms. */
export function passageOf(text: string, terms: readonly Term[], length: number): Passage {
  const from = text.length <= READ_LENGTH ? 0 : atCharacterStart(text, placeToRead(text, terms));
  const whole = text.slice(from, from + READ_LENGTH);
  const startsOfWords: number[] = [];
  const { matches, words } = read(whole, terms, startsOfWords);
  if (text.length <= length) return { text: whole, matches, words };
  let best = { start: 0, weight: 0 };
  for (const [index, { start: first }] of matches.entries()) {
    const start = Math.max(0, Math.min(first - BEFORE_FIRST_MATCH, whole.length - length));
    const inside = new Set<number>();
    for (const { term, end } of matches.slice(index)) {
      if (end > start + length) break;
      inside.add(term);
    }
    const weight = [...inside].reduce((sum, term) => sum + (terms[term]?.weight ?? 0), 0);
    if (weight > best.weight) best = { start, weight };
  }
  const start = atCharacterStart(whole, best.start);
  const end = atCharacterStart(whole, Math.min(whole.length, start + length));
  return {
    text: `${from + start > 0 ? '…' : ''}${whole.slice(start, end)}${from + end < text.length ? '…' : ''}`,
    matches: matches.filter((match) => match.start >= start && match.end <= end),
    words: startsOfWords.filter((each) => each >= start && each < end).length,
  };
}

/** Compares letters as written, which is quick; where accents hide a word, the text is read from its start. */
function placeToRead(text: string, terms: readonly Term[]): number {
  const folded = text.toLowerCase();
  const places = terms.map(({ words }) => folded.indexOf(words[0] ?? '')).filter((place) => place >= 0);
  return Math.max(0, (places[0] ?? 0) - READ_LENGTH / 2);
}
