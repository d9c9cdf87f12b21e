import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReadable, openWritable } from '../../../src-main/storage/database/connection.ts';
import { createDatabase } from '../../../src-main/storage/database/migrate.ts';
import { BASE_SCHEMA } from '../../../src-main/storage/database/migrations/base-schema.ts';
import type { StorageNotice } from '../../../src-main/storage/database/repair.ts';
import { salvage } from '../../../src-main/storage/database/salvage.ts';
import { MIGRATIONS, newestSchema } from '../../../src-main/storage/database/schema.ts';
import { indexEvent, indexTitle } from '../../../src-main/storage/search/search-index.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const MESSAGES = 60;

/** A profile with the oldest schema: one conversation. */
function oldestSchema(): { directory: string; file: string } {
  const directory = temporaryFolder();
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'steward.db');
  createDatabase(file, []);
  const connection = openWritable(file);
  connection.transaction(() => {
    connection
      .statement(
        `INSERT INTO conversations (num, id, title, workspace, model, created_after_seq, created_at)
         VALUES (1, ?, 'Old chat', '/work', 'guide', 0, '2026-01-01T00:00:00.000Z')`,
      )
      .run(ID);
    indexTitle(connection, 1, 'Old chat');
    for (let seq = 1; seq <= MESSAGES; seq++) {
      const text = `message ${seq} ${'lorem ipsum '.repeat(20)}`;
      const event = { type: 'user_message', content: [{ type: 'text', text }] } as const;
      connection
        .statement('INSERT INTO events (seq, conversation, turn_id, type, at, body) VALUES (?, 1, ?, ?, ?, ?)')
        .run(seq, 'turn', event.type, '2026-01-01T00:00:00.000Z', JSON.stringify(event));
      indexEvent(connection, 1, seq, event);
    }
  });
  connection.close();
  return { directory, file };
}

async function opened(directory: string) {
  const notices: StorageNotice[] = [];
  const storage = await storageIn(directory, { onNotice: (notice) => notices.push(notice) });
  return { storage, notices };
}

/** How much of the database that was set aside can be had: rows by table. */
function salvageable(directory: string) {
  const fresh = join(directory, 'salvaged-again.db');
  createDatabase(fresh, MIGRATIONS);
  return salvage(join(directory, 'steward.db.damaged-1'), fresh, { now: () => new Date() });
}

const NOTHING_ELSE = {
  rules: 0,
  confirmations: 0,
  facts: 0,
  memories: 0,
  before_images: 0,
  unreviewed_files: 0,
  mcp_definitions: 0,
  outbox: 0,
  client_states: 0,
  paired_programs: 0,
};

test('a database of the oldest schema is brought up to date, after a copy was made', async () => {
  const { directory, file } = oldestSchema();
  const before = readFileSync(file);
  const { storage, notices } = await opened(directory);
  expect(notices).toEqual([]);
  expect(storage.conversations.get(ID)).toMatchObject({ title: 'Old chat' });
  expect(storage.events.read(ID)).toHaveLength(MESSAGES);
  expect(await storage.search('message')).toHaveLength(20);
  const reasons = storage.backups.list().map(({ reason }) => reason);
  expect(reasons).toEqual([{ code: 'before_migration', version: newestSchema(MIGRATIONS) }]);
  const oldest = storage.backups.list().at(-1)?.name ?? '';
  const copy = openReadable(join(directory, 'backups', oldest));
  expect(copy.pragma('user_version')).toBe(BASE_SCHEMA);
  expect(copy.statement('SELECT count(*) AS n FROM events').get()).toEqual({ n: MESSAGES });
  copy.close();
  expect(before.readUInt32BE(60)).toBe(BASE_SCHEMA);

  storage.memory.setFact('name', 'Ada', []);
  storage.memory.storeMemory('capital of France', 'Paris', []);
  expect(storage.memory.getFact('name')?.value).toBe('Ada');
  const search = { limit: 5, exceptConversation: null };
  expect(await storage.memory.searchMemory('france', search)).toMatchObject([{ kind: 'memory' }]);
  expect(await storage.memory.searchMemory('message 17', search)).toMatchObject([{ kind: 'conversation' }]);
});

test('a database of the oldest schema that is damaged loses no more than any other', async () => {
  const torn = oldestSchema();
  const bytes = readFileSync(torn.file);
  writeFileSync(torn.file, bytes.subarray(0, bytes.length - 4096 * 2));
  const { storage, notices } = await opened(torn.directory);
  expect(notices).toMatchObject([{ code: 'database_damaged' }]);
  expect(storage.events.read(ID).length).toBeGreaterThan(MESSAGES / 2);
  expect(await storage.search('old chat')).toHaveLength(1);
  storage.memory.setFact('name', 'Ada', []);

  const headless = oldestSchema();
  const whole = readFileSync(headless.file);
  writeFileSync(headless.file, whole.fill(0, 0, 4096));
  const repaired = await opened(headless.directory);
  expect(repaired.notices).toMatchObject([{ code: 'database_damaged' }]);
  expect(repaired.storage.events.read(ID)).toHaveLength(MESSAGES);
  expect(repaired.storage.conversations.list()).toMatchObject([{ id: ID }]);
  const { saved } = salvageable(headless.directory);
  expect(saved).toEqual({ ...NOTHING_ELSE, conversations: 1, events: MESSAGES });
});

test('files that were kept for undo are salvaged byte by byte', async () => {
  const directory = temporaryFolder();
  const first = await storageIn(directory);
  const { id } = first.conversations.create({ workspace: '/work', model: 'guide' });
  const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => (index * 7) % 256);
  first.beforeImages.add(id, {
    turnId: 'turn',
    callId: 'call',
    path: '/home/ada/a.bin',
    madeFolders: [],
    afterHash: null,
    bytes,
    before: { hash: null, size: bytes.length, mode: 0o644 },
  });
  await first.close();
  const file = join(directory, 'steward.db');
  const database = readFileSync(file);
  writeFileSync(file, database.fill(0xa5, 0, 4096));
  const { storage, notices } = await opened(directory);
  expect(notices).toMatchObject([{ code: 'database_damaged' }]);
  expect(salvageable(directory)).toMatchObject({ saved: { before_images: 1 }, skipped: 0 });
  const [image] = storage.beforeImages.list(id);
  expect(image).toMatchObject({ path: '/home/ada/a.bin' });
  expect(Buffer.from(storage.beforeImages.bytes(image?.num ?? 0) ?? []).equals(bytes)).toBe(true);
  expect(readdirSync(directory)).toContain('steward.db.damaged-1');
});

test('a database that was migrated and has lost its first page is salvaged whole', async () => {
  const { directory, file } = oldestSchema();
  const { storage } = await opened(directory);
  for (let index = 0; index < 200; index++) {
    storage.memory.setFact(`fact ${index}`, 'lorem ipsum '.repeat(10), []);
    storage.memory.storeMemory(`question ${index}`, 'Paris '.repeat(20), []);
  }
  const bytes = Buffer.alloc(30_000, 'before');
  storage.beforeImages.add(ID, {
    turnId: 'turn',
    callId: 'call',
    path: '/w/f.txt',
    afterHash: null,
    madeFolders: [],
    bytes,
    before: { hash: 'hash', size: bytes.length, mode: 0o644 },
  });
  await storage.close();
  const damaged = readFileSync(file);
  expect(damaged.readUInt32BE(60)).toBe(newestSchema(MIGRATIONS));
  writeFileSync(file, Buffer.concat([Buffer.alloc(4096), damaged.subarray(4096)]));

  const reopened = await opened(directory);
  expect(reopened.notices).toMatchObject([{ code: 'database_damaged' }]);
  expect(salvageable(directory)).toEqual({
    saved: { ...NOTHING_ELSE, conversations: 1, events: MESSAGES, facts: 200, memories: 200, before_images: 1 },
    skipped: 0,
  });
  expect(reopened.storage.memory.getFact('fact 199')?.value).toBe('lorem ipsum '.repeat(10));
  const [image] = reopened.storage.beforeImages.list(ID);
  expect(reopened.storage.beforeImages.bytes(image?.num ?? 0)).toEqual(new Uint8Array(bytes));
});
