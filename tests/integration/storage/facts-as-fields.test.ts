import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import { factsAsFields } from '../../../src-main/storage/database/migrations/0014-facts-as-fields.ts';
import { BASE_SCHEMA } from '../../../src-main/storage/database/migrations/base-schema.ts';
import { MIGRATIONS } from '../../../src-main/storage/database/schema.ts';
import { copyOldProfile } from '../../fixtures/old-profile.ts';
import { copyProfile } from '../../fixtures/profiles/copy-profile.ts';
import { dumpDatabase } from '../../fixtures/profiles/database-text.ts';
import { storageIn } from '../../fixtures/temporary-profile.ts';

const UP_TO_IT = MIGRATIONS.slice(0, MIGRATIONS.indexOf(factsAsFields) + 1);
const BEFORE_IT = UP_TO_IT.slice(0, -1);

/** All of a table but what the migration may change: in events, the body. */
function rowsOf(profile: string, columns: string, table: string): unknown[] {
  const database = openSqlite(join(profile, 'steward.db'), { readOnly: true });
  try {
    return database.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1`).all();
  } finally {
    database.close();
  }
}

const bodiesOf = (profile: string) => rowsOf(profile, 'seq, body', 'events') as { seq: number; body: string }[];

test('events of early versions get their new form once; numbers, times and the search index stay', async () => {
  const { profile } = copyOldProfile();
  await (await storageIn(profile, { migrations: BEFORE_IT })).close();
  const everythingElse = () => [
    rowsOf(profile, 'seq, conversation, turn_id, type, at', 'events'),
    rowsOf(profile, 'id, block', 'message_index_data'),
    rowsOf(profile, '*', 'conversations'),
    rowsOf(profile, 'day, conversation, provider, model, requests, input, cost', 'usage_totals'),
  ];
  const [before, elsewhere] = [bodiesOf(profile), everythingElse()];
  const notices: unknown[] = [];
  const storage = await storageIn(profile, { migrations: UP_TO_IT, onNotice: (notice) => notices.push(notice) });
  const conversations = storage.conversations.list();
  const events = conversations.flatMap(({ id }) => storage.events.read(id));
  await storage.close();
  expect(notices).toEqual([]);
  expect(everythingElse()).toEqual(elsewhere);
  const after = bodiesOf(profile);
  const changed = after.filter(({ body }, index) => body !== before[index]?.body);
  expect(new Set(changed.map(({ body }) => JSON.parse(body).type))).toEqual(
    new Set(['user_message', 'tool_call', 'decision', 'tool_result', 'turn_end']),
  );
  // What is read is what stands in the file.
  const read = new Map(after.map(({ seq, body }) => [seq, JSON.parse(body)]));
  for (const { seq, conversationId: _, turnId: __, at: ___, ...event } of events) expect(event).toEqual(read.get(seq));

  await (await storageIn(profile, { migrations: UP_TO_IT })).close();
  expect(bodiesOf(profile)).toEqual(after);
});

test('in a profile without such events nothing changes but its number', async () => {
  const { profile } = copyProfile(BASE_SCHEMA);
  await (await storageIn(profile, { migrations: BEFORE_IT })).close();
  const version = (number: number) => `PRAGMA user_version = ${number};`;
  const before = dumpDatabase(join(profile, 'steward.db'));
  await (await storageIn(profile, { migrations: UP_TO_IT })).close();
  expect(dumpDatabase(join(profile, 'steward.db'))).toBe(
    before.replace(version(BASE_SCHEMA + BEFORE_IT.length), version(BASE_SCHEMA + UP_TO_IT.length)),
  );
});

test('nothing is lost of an early profile that is damaged before it was upgraded, nor of its backup', async () => {
  const { profile } = copyOldProfile();
  const file = join(profile, 'steward.db');
  const upgraded = copyOldProfile();
  const whole = await storageIn(upgraded.profile);
  const outcomesIn = (storage: typeof whole) =>
    storage.conversations
      .list()
      .flatMap(({ id }) => storage.events.read(id))
      .flatMap((event) => (event.type === 'tool_result' ? [`${event.id} ${event.outcome} ${event.calledBy}`] : []))
      .sort();
  const expected = outcomesIn(whole);
  expect(expected.length).toBeGreaterThan(100);

  writeFileSync(file, readFileSync(file).fill(0xa5, 0, 4096));
  const notices: string[] = [];
  const repaired = await storageIn(profile, { onNotice: ({ code }) => notices.push(code) });
  expect(notices).toEqual(['database_damaged']);
  expect(outcomesIn(repaired)).toEqual(expected);

  const [backup] = whole.backups.list();
  expect(backup?.reason.code).toBe('before_migration');
  await whole.backups.restore(backup?.name ?? '');
  expect(outcomesIn(whole)).toEqual(expected);
});
