import type { Mark } from '../../../src-preload/contract/events.ts';
import type { ReadableDatabase } from '../database/connection.ts';
import { marksOf } from '../records/marks-column.ts';
import { lookupsFor, type WeighedTerm, weighTerms } from './recall-index.ts';
import { fitOf, read } from './relevance.ts';

/** A match, before ranking. */
export interface Found {
  readonly text: string;
  /** From 0 to 1; see `fitOf`. */
  readonly fit: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The marks, which are looked up only for results that are shown. */
  marks(): readonly Mark[];
}

/** Minimum number of rows to examine closely; more if more results are requested. */
const CANDIDATES = 40;
/** If more rows match, the best of this many of the newest are added, */
const RANKED = 1_000;
/** unless one of the terms is in more than one of twenty texts: ranking them then tells little and takes long. */
const TELLING_WEIGHT = Math.log(20);

interface MemoryRow {
  readonly question: string;
  readonly answer: string;
  readonly marks: string;
  readonly updated_ms: number;
}

/** Finds stored memories that share words with the question, and the one stored under exactly this question. */
export function recallMemories(
  connection: ReadableDatabase,
  { query, limit }: { readonly query: string; readonly limit: number },
  asked: readonly string[][],
): Found[] {
  const { highest } = connection.statement('SELECT max(num) AS highest FROM memories').get() as {
    highest: number | null;
  };
  if (highest === null) return [];
  const terms = weighTerms(connection, 'memory_index', asked, highest);
  const nums = candidates(connection, terms, Math.max(CANDIDATES, 2 * limit));
  const rows = connection
    .statement<MemoryRow>(
      `SELECT question, answer, marks, updated_ms FROM memories
       WHERE num IN (SELECT value FROM json_each(?)) OR question = ?`,
    )
    .all(JSON.stringify(nums), query);
  return rows.map(({ question, answer, marks, updated_ms }) => ({
    text: `Question: ${question}\nAnswer: ${answer}`,
    fit: question === query ? 1 : fitOf([read(question, terms), read(answer, terms)], terms),
    atMs: updated_ms,
    marks: () => marksOf(marks),
  }));
}

function candidates(connection: ReadableDatabase, terms: readonly WeighedTerm[], count: number): number[] {
  const newest = connection.statement(
    'SELECT rowid AS num FROM memory_index WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?',
  );
  const best = connection.statement(
    `SELECT num FROM (
       SELECT rowid AS num, bm25(memory_index) AS rank FROM memory_index WHERE words MATCH ?
       ORDER BY rowid DESC LIMIT ${RANKED}
     ) ORDER BY rank LIMIT ?`,
  );
  const nums = new Set<number>();
  for (const { expression, weight } of lookupsFor(terms)) {
    const found = newest.all(expression, count) as { num: number }[];
    for (const { num } of found) nums.add(num);
    if (nums.size < count) continue;
    if (weight > TELLING_WEIGHT && found.length === count)
      for (const { num } of best.all(expression, count) as { num: number }[]) nums.add(num);
    break;
  }
  return [...nums];
}
