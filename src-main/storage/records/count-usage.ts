import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import type { WritableDatabase } from '../database/connection.ts';

/** Rows from before the provider was recorded are all Claude's. */
const ONLY_PROVIDER = 'anthropic';

/** Larger counts can't be summed and read as exact numbers; no service takes as many. */
const MAX_TOKENS = 1e12;
const MAX_COST = 1e9;

/** Adds an event to the totals. It must run in the transaction that adds the event. `at` is in ISO 8601. */
export function countUsage(
  connection: WritableDatabase,
  conversation: number,
  at: string,
  event: ConversationEvent,
): void {
  if (event.type !== 'usage') return;
  const { provider = ONLY_PROVIDER, model, costUsd } = event;
  const tokens = [event.input, event.output, event.cacheRead, event.cacheWrite].map(whole);
  const time = new Date(at);
  // The Guide takes none.
  if (tokens.every((count) => count === 0) || Number.isNaN(time.getTime())) return;
  connection
    .statement(
      `INSERT INTO usage_totals VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (day, conversation, provider, model) DO UPDATE SET
         requests = requests + 1,
         input = min(${MAX_TOKENS}, input + excluded.input),
         output = min(${MAX_TOKENS}, output + excluded.output),
         cache_read = min(${MAX_TOKENS}, cache_read + excluded.cache_read),
         cache_write = min(${MAX_TOKENS}, cache_write + excluded.cache_write),
         cost = cost + excluded.cost, unpriced = unpriced + excluded.unpriced`,
    )
    .run(
      localDay(time),
      conversation,
      provider,
      model,
      ...tokens,
      bounded(costUsd ?? 0, MAX_COST),
      costUsd === undefined ? 1 : 0,
    );
}

function whole(count: number): number {
  return Math.round(bounded(count, MAX_TOKENS));
}

/** A service, or a damaged row, may say anything. */
function bounded(value: number, most: number): number {
  return value > 0 ? Math.min(most, value) : 0;
}

/** The day in this machine's time zone, as `2026-11-23`. */
export function localDay(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
