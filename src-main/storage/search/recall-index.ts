import type { Connection } from '../database/connection.ts';
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

export interface Lookup {
  readonly expression: string;
  /** Of its commonest term. */
  readonly weight: number;
}

/**
 * What to look for, from strict to lenient: all terms, then one less (without the commonest, without the rarest), and so on;
 * at last each by itself. `terms`: rarest first.
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

/** Words hold no character that FTS5 knows. */
function phrase(words: readonly string[]): string {
  return `"${words.join(' ')}"`;
}
