import type { ReadableDatabase } from '../database/connection.ts';
import { type Term, weightOf } from './relevance.ts';

/** Queries of the indexes for recalling memories. */

/** If a term occurs in more texts than this, the total is estimated from how far back these go. */
const COUNTED = 500;
/** Maximum number of terms of one question that are looked up together: the rarest. */
const MAX_TERMS = 8;

export interface WeighedTerm extends Term {
  /** The term occurs in some text of the index. For messages, that may be a title. */
  readonly isThere: boolean;
}

/**
 * The terms of a question, the rarest first. `highest` is the highest row number, which approximates the number of rows
 * because they are numbered in order.
 */
export function weighTerms(
  connection: ReadableDatabase,
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

export interface Lookup {
  readonly expression: string;
  /** The frequency of its most common term. */
  readonly weight: number;
}

/**
 * Queries from strict to lenient: first all terms, then one less (without the most common, without the rarest), and so
 * on, and finally each term alone. `terms` begin with the rarest.
 */
export function lookupsFor(terms: readonly WeighedTerm[]): Lookup[] {
  const there = terms.filter(({ isThere }) => isThere).slice(0, MAX_TERMS);
  const lookups = there.flatMap((_, dropped) => [there.slice(0, there.length - dropped), there.slice(dropped)]);
  const expressions = [...lookups, ...there.map((term) => [term])].map(
    (together) =>
      [
        together.map(({ words }) => phrase(words)).join(' AND '),
        Math.min(...together.map(({ weight }) => weight)),
      ] as const,
  );
  return Array.from(new Map(expressions), ([expression, weight]) => ({ expression, weight }));
}

/** Words contain no FTS5 syntax. */
function phrase(words: readonly string[]): string {
  return `"${words.join(' ')}"`;
}
