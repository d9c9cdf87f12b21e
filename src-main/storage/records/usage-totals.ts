import type { TokenUsage } from '../../../src-preload/contract/events.ts';
import type { Database } from '../database/database.ts';

/** What requests to one model took. */
export interface UsageTotal extends TokenUsage {
  /** The provider's name in config.json. */
  readonly provider: string;
  readonly model: string;
  readonly requests: number;
  /** US dollars, of the requests whose cost is known. */
  readonly costUsd: number;
  /** Requests whose cost is not known. */
  readonly unpriced: number;
}

export interface DailyUsage extends UsageTotal {
  /** The day in the user's own calendar, as `2026-11-23`. */
  readonly day: string;
}

/** What conversations used, deleted ones included, without reading their events. All methods throw `StorageError`. */
export interface UsageTotals {
  /** The usage since this day, with the latest day first. */
  since(day: string): readonly DailyUsage[];
  /** The usage by model, empty if the conversation is unknown. */
  ofConversation(id: string): readonly UsageTotal[];
}

const SUMS = `sum(requests) AS requests, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cacheRead,
  sum(cache_write) AS cacheWrite, sum(cost) AS costUsd, sum(unpriced) AS unpriced`;

export function createUsageTotals(database: Database): UsageTotals {
  return {
    since: (day) =>
      database.read((connection) =>
        connection
          .statement<DailyUsage>(
            `SELECT day, provider, model, ${SUMS} FROM usage_totals WHERE day >= ?
             GROUP BY day, provider, model ORDER BY day DESC, sum(cost) DESC, provider, model`,
          )
          .all(day),
      ),

    ofConversation: (id) =>
      database.read((connection) =>
        connection
          .statement<UsageTotal>(
            `SELECT provider, model, ${SUMS} FROM usage_totals
             WHERE conversation = (SELECT num FROM conversations WHERE id = ?)
             GROUP BY provider, model ORDER BY sum(cost) DESC, provider, model`,
          )
          .all(id),
      ),
  };
}
