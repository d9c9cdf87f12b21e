import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWritable } from '../../../src-main/storage/database/connection.ts';
import { createDatabase } from '../../../src-main/storage/database/migrate.ts';
import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';
import type { EventOf } from '../../../src-preload/contract/events.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

type Usage = EventOf<'usage'>;

const usage = (more: Partial<Usage> = {}): Usage => ({
  type: 'usage',
  provider: 'anthropic',
  model: 'sonnet',
  input: 10,
  output: 5,
  cacheRead: 100,
  cacheWrite: 20,
  costUsd: 0.01,
  ...more,
});

test('usage is summed by day, provider and model, and by conversation', async () => {
  let now = new Date(2026, 10, 22, 23, 59);
  const storage = await storageIn(temporaryFolder(), { now: () => now });
  const one = storage.conversations.create({ workspace: '/w', model: 'm' }).id;
  const two = storage.conversations.create({ workspace: '/w', model: 'm' }).id;
  storage.events.appendAll(one, 't', [usage(), { type: 'round_end', stopReason: 'end_turn' }]);
  storage.events.appendAll(one, 't', [usage()]);
  // A minute later it is another day, in the user's own time zone.
  now = new Date(2026, 10, 23, 0, 1);
  storage.events.appendAll(one, 't', [usage(), usage({ provider: 'local', model: 'qwen3', inside: 'c1' })]);
  const { costUsd: _, ...unpriced } = usage();
  storage.events.appendAll(two, 't', [unpriced]);
  // The Guide takes nothing.
  storage.events.appendAll(two, 't', [usage({ model: 'guide', input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })]);

  expect(storage.usage.since('2026-11-22')).toMatchObject([
    { day: '2026-11-23', provider: 'anthropic', model: 'sonnet', requests: 2, input: 20, unpriced: 1 },
    { day: '2026-11-23', provider: 'local', model: 'qwen3', requests: 1 },
    { day: '2026-11-22', provider: 'anthropic', requests: 2, output: 10, cacheRead: 200, cacheWrite: 40 },
  ]);
  expect(storage.usage.since('2026-11-23')).toHaveLength(2);
  expect(storage.usage.ofConversation(one)).toMatchObject([
    { provider: 'anthropic', model: 'sonnet', requests: 3, costUsd: expect.closeTo(0.03) },
    { provider: 'local', model: 'qwen3', requests: 1 },
  ]);
  expect(storage.usage.ofConversation('unknown')).toEqual([]);
  // What was spent was spent.
  storage.conversations.remove(one);
  expect(storage.usage.since('2026-11-22')).toHaveLength(3);
});

test('what a service or a damaged row says as a number may be none', async () => {
  const storage = await storageIn(temporaryFolder());
  const { id } = storage.conversations.create({ workspace: '/w', model: 'm' });
  storage.events.appendAll(id, 't', [usage({ input: 1.6, output: -3, cacheRead: Number.NaN })]);
  expect(storage.usage.ofConversation(id)).toMatchObject([{ input: 2, output: 0, cacheRead: 0, cacheWrite: 20 }]);
});

test('no count is too large to be recorded, summed and read', async () => {
  const storage = await storageIn(temporaryFolder());
  const { id } = storage.conversations.create({ workspace: '/w', model: 'm' });
  const huge = usage({ input: 1e19, output: Number.MAX_SAFE_INTEGER, cacheRead: Number.MAX_VALUE });
  for (let time = 0; time < 3; time += 1) storage.events.appendAll(id, 't', [huge]);
  expect(storage.events.read(id)).toHaveLength(3);
  const [total] = storage.usage.ofConversation(id);
  expect(total).toMatchObject({ requests: 3, cacheWrite: 60 });
  expect(Number.isSafeInteger(total?.input) && Number.isSafeInteger(total?.cacheRead)).toBe(true);
});

test('usage is counted again when a damaged database is salvaged', async () => {
  const directory = temporaryFolder();
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'steward.db');
  createDatabase(file, MIGRATIONS);
  const connection = openWritable(file);
  connection.transaction(() => {
    const insert = (sql: string, ...values: (string | number)[]) => connection.statement(sql).run(...values);
    insert(`INSERT INTO conversations VALUES (1, 'c1', 'Old', '/w', 'm', 0, '2026-01-01T00:00:00.000Z', NULL, NULL)`);
    const { provider: _, ...old } = usage();
    const bodies = [old, old, usage({ model: 'opus', provider: 'work' }), { ...old, input: 'many' }].map((body) =>
      JSON.stringify(body),
    );
    const damaged = JSON.stringify(usage({ model: 'damaged' }))
      .replace('"input":10', '"input":9223372036854775807')
      .replace('"output":5', '"output":99223372036854775807')
      .replace('"costUsd":0.01', '"costUsd":1e999');
    const negative = damaged.replace('"input":', '"input":-').replace('1e999', '-1e999');
    for (const body of [...bodies, damaged, damaged, negative, '{"type":"usage", broken'])
      insert(
        `INSERT INTO events (conversation, turn_id, type, at, body) VALUES (1, 't', 'usage', ?, ?)`,
        '2026-11-22T12:00:00.000Z',
        body,
      );
  });
  connection.close();

  const expected = [
    { provider: 'anthropic', model: 'damaged', requests: 3, cacheRead: 300 },
    { provider: 'anthropic', model: 'sonnet', requests: 2, cacheRead: 200, costUsd: 0.02, unpriced: 0 },
    { provider: 'work', model: 'opus', requests: 1, input: 10 },
  ];
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, 0, 4096));
  const salvaged = await storageIn(directory);
  expect(salvaged.usage.ofConversation('c1')).toMatchObject(expected);
});
