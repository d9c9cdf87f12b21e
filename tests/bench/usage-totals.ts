import { join } from 'node:path';
import { openWritable, type WritableDatabase } from '../../src-main/storage/database/connection.ts';
import { countUsage } from '../../src-main/storage/records/count-usage.ts';
import { openStorage } from '../../src-main/storage/storage.ts';
import type { Bench } from './bench.ts';
import { comparison } from './report.ts';
import { interleaved, quantile } from './sampling.ts';

const CONVERSATIONS = 2_000;
const DAYS = 330;
const MS_PER_DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1, 12);
const MODELS = [
  { provider: 'anthropic', model: 'sonnet' },
  { provider: 'openai', model: 'gpt-5' },
  { provider: 'ollama', model: 'qwen3' },
] as const;

/** What the page about usage asks, over a year of heavy use; beside it, the same from the events themselves. */
export const usageTotals: Bench = {
  name: 'usage totals',
  meaning: 'How long the page with costs takes to add up a month.',
  run: async ({ isQuick, temporaryFolder }) => {
    const directory = join(temporaryFolder, 'usage');
    const requests = isQuick ? 10_000 : 100_000;
    const created = await openStorage({ directory });
    for (let index = 0; index < CONVERSATIONS; index++) created.conversations.create({ workspace: '/w', model: 'm' });
    await created.close();
    const file = openWritable(join(directory, 'steward.db'));
    file.transaction(() => {
      for (let index = 0; index < requests; index++) addRequest(file, index, requests);
    });

    const storage = await openStorage({ directory });
    const since = new Date(FIRST_DAY + (DAYS - 30) * MS_PER_DAY).toISOString().slice(0, 10);
    const samples = await interleaved(
      {
        totals: async () => ({ ms: medianOf(() => storage.usage.since(since).length) }),
        events: async () => ({ ms: medianOf(() => file.statement(FROM_EVENTS).all(since).length) }),
      },
      { warmUps: 1, rounds: isQuick ? 2 : 8 },
    );
    await storage.close();
    file.close();
    return [
      comparison(
        {
          what: `30 days of ${requests.toLocaleString('en')} requests`,
          unit: 'ms',
          ours: samples.totals.map(({ ms }) => ms),
        },
        { name: 'reading the events', theirs: samples.events.map(({ ms }) => ms) },
      ),
    ];
  },
};

const FROM_EVENTS = `SELECT date(at, 'localtime') AS day, body ->> '$.provider' AS provider, body ->> '$.model' AS model,
  sum(body ->> '$.input'), sum(body ->> '$.costUsd')
  FROM events WHERE type = 'usage' AND at >= ? GROUP BY 1, 2, 3`;

function addRequest(file: WritableDatabase, index: number, requests: number): void {
  const at = new Date(FIRST_DAY + Math.floor((index / requests) * DAYS) * MS_PER_DAY).toISOString();
  const conversation = 1 + Math.floor((index / requests) * CONVERSATIONS);
  const tokens = { input: 2_310, output: 830, cacheRead: 9_800, cacheWrite: 120, costUsd: 0.02 };
  const event = { type: 'usage', ...(MODELS[index % MODELS.length] ?? MODELS[0]), ...tokens } as const;
  file
    .statement('INSERT INTO events (conversation, turn_id, type, at, body) VALUES (?, ?, ?, ?, ?)')
    .run(conversation, 'turn', 'usage', at, JSON.stringify(event));
  countUsage(file, conversation, at, event);
}

function medianOf(work: () => number): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    if (work() === 0) throw new Error('nothing was found');
    return performance.now() - startedAt;
  });
  return quantile(times, 0.5);
}
