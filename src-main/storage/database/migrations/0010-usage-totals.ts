import type { Migration } from './migration.ts';

// A damaged row may have more, whose sum would be no integer.
const MOST_TOKENS = 1e12;
const MOST_COST = 1e9;

/**
 * What requests to models took, summed: derived from the `usage` events, and written with them (see records/count-usage.ts). `day`: of the
 * person's own calendar, as it was when the request was made. `unpriced`: requests whose cost is not known; `cost` (US dollars) is that of
 * the others.
 */
export const usageTotals: Migration = {
  name: 'usage totals',
  up: (database) =>
    database.exec(`
      CREATE TABLE usage_totals (
        day TEXT NOT NULL,
        conversation INTEGER NOT NULL REFERENCES conversations (num),
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        requests INTEGER NOT NULL,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        cost REAL NOT NULL,
        unpriced INTEGER NOT NULL,
        PRIMARY KEY (day, conversation, provider, model)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX usage_totals_by_conversation ON usage_totals (conversation);
      INSERT INTO usage_totals
      SELECT
        date(at, 'localtime') AS day,
        conversation,
        coalesce(body ->> '$.provider', 'anthropic') AS provider,
        body ->> '$.model' AS model,
        count(*),
        min(${MOST_TOKENS}, sum(max(0, min(${MOST_TOKENS}, body ->> '$.input')))),
        min(${MOST_TOKENS}, sum(max(0, min(${MOST_TOKENS}, body ->> '$.output')))),
        min(${MOST_TOKENS}, sum(max(0, min(${MOST_TOKENS}, body ->> '$.cacheRead')))),
        min(${MOST_TOKENS}, sum(max(0, min(${MOST_TOKENS}, body ->> '$.cacheWrite')))),
        total(max(0, min(${MOST_COST}, CAST(body ->> '$.costUsd' AS REAL)))),
        sum(body ->> '$.costUsd' IS NULL)
      FROM events
      WHERE type = 'usage' AND json_valid(body) AND date(at, 'localtime') IS NOT NULL
        AND json_type(body, '$.model') = 'text'
        AND json_type(body, '$.input') = 'integer' AND json_type(body, '$.output') = 'integer'
        AND json_type(body, '$.cacheRead') = 'integer' AND json_type(body, '$.cacheWrite') = 'integer'
        AND max(body ->> '$.input', body ->> '$.output', body ->> '$.cacheRead', body ->> '$.cacheWrite') > 0
        AND EXISTS (SELECT 1 FROM conversations WHERE num = conversation)
      GROUP BY 1, 2, 3, 4;
    `),
};
