import type { Connection } from './connection.ts';
import { type Term, weightOf } from './relevance.ts';

/** What the indexes are asked when something is to be remembered. */

/** Where a term stands in more texts than this, how many it is in all is guessed from how far back these reach. */
const COUNTED = 500;
/** Of the terms of one question that are looked up together, the rarest. */
const MAX_TERMS = 8;

export interface WeighedTerm extends Term {
  /** It stands in some text of the index; for messages: or in some title. */
  readonly isThere: boolean;
}

/**
 * The terms of a question, the rarest first. `highest`: the highest row number; as rows are numbered in order, it stands for
 * how many there are.
 */
export function weighTerms(
  connection: Connection,
  index: 'memory_index' | 'message_index',
  terms: readonly (readonly string[])[],
  highest: number,
): WeighedTerm[] {
  const titled = connection.statement('SELECT 1 FROM title_index WHERE words MATCH ? LIMIT 1');
  const isInTitle = (words: readonly string[]) => index === 'message_index' && titled.get(phrase(words)) !== undefined;
  const sample = connection.statement(
    `SELECT count(*) AS found, min(rowid) AS oldest
     FROM (SELECT rowid FROM ${index} WHERE words MATCH ? ORDER BY rowid DESC LIMIT ${COUNTED})`,
  );
  return terms
    .map((words) => {
      const { found, oldest } = sample.get(phrase(words)) as { found: number; oldest: number | null };
      const reach = found < COUNTED || oldest === null ? highest : highest - oldest + 1;
      return { words, weight: weightOf(found / Math.max(1, reach), highest), isThere: found > 0 || isInTitle(words) };
    })
    .sort((a, b) => b.weight - a.weight);
}

/**
 * Match expressions from strict to lenient: all terms, then without the commonest, and so on; without the rarest, and so on;
 * each by itself. `terms`: rarest first.
 */
export function expressionsFrom(terms: readonly WeighedTerm[]): ReadonlySet<string> {
  const phrases = terms
    .filter(({ isThere }) => isThere)
    .slice(0, MAX_TERMS)
    .map(({ words }) => phrase(words));
  const together = (some: readonly string[]) => some.join(' AND ');
  return new Set([
    ...phrases.map((_, dropped) => together(phrases.slice(0, phrases.length - dropped))),
    ...phrases.map((_, dropped) => together(phrases.slice(dropped))),
    ...phrases,
  ]);
}

/** Words hold no character that FTS5 knows. */
function phrase(words: readonly string[]): string {
  return `"${words.join(' ')}"`;
}
