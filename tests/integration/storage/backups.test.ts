import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReadable } from '../../../src-main/storage/database/connection.ts';
import type { Migration } from '../../../src-main/storage/database/migrations/migration.ts';
import type { StorageNotice } from '../../../src-main/storage/database/repair.ts';
import { MIGRATIONS, newestSchema } from '../../../src-main/storage/database/schema.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';
import { startChild } from './children.ts';

const said = (text: string) => ({ type: 'user_message', content: [{ type: 'text', text }] }) as const;
const addColumn: Migration = {
  name: 'conversations.colour',
  up: (database) => database.exec("ALTER TABLE conversations ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'"),
};

async function withOneMessage(options: Parameters<typeof storageIn>[1] = {}) {
  const directory = temporaryFolder();
  const notices: StorageNotice[] = [];
  const storage = await storageIn(directory, { ...options, onNotice: (notice) => notices.push(notice) });
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide', title: 'First' });
  storage.events.appendAll(id, 'turn', [said('hello')]);
  return { directory, storage, id, notices, backups: join(directory, 'backups') };
}

test('one copy a day, the last five kept, in the order in which they were made even if the clock jumps', async () => {
  let now = new Date('2026-11-21T10:00:00Z');
  const { storage, backups, notices } = await withOneMessage({ now: () => now });
  for (const day of [
    '2026-11-21',
    '2026-11-21',
    '2026-11-22',
    '1999-01-01',
    '2050-05-05',
    '1970-01-01',
    '2026-11-23',
  ]) {
    now = new Date(`${day}T10:00:00Z`);
    await storage.backups.makeDaily();
  }
  const dates = storage.backups.list().map(({ date }) => date);
  expect(dates).toEqual(['2026-11-23', '1970-01-01', '2050-05-05', '1999-01-01', '2026-11-22']);
  expect(readdirSync(backups)).toHaveLength(5);
  expect(notices).toEqual([]);
  if (process.platform !== 'win32') {
    for (const name of readdirSync(backups)) expect(statSync(join(backups, name)).mode & 0o077).toBe(0);
  }
});

test('processes that make the daily copy at once make one', async () => {
  const { directory, storage } = await withOneMessage();
  const children = Array.from({ length: 4 }, () => startChild(['daily', directory]));
  await storage.backups.makeDaily();
  expect((await Promise.all(children.map((child) => child.rest()))).flat()).toEqual(
    children.map(() => ({ done: true })),
  );
  expect(storage.backups.list()).toHaveLength(1);
});

test('an unfinished backup of a killed process is removed by the next', async () => {
  const { storage, backups } = await withOneMessage();
  writeFileSync(join(backups, 'steward-000007-daily-2026-11-21.db.unfinished'), 'half');
  await storage.backups.makeDaily();
  expect(readdirSync(backups)).toEqual([storage.backups.list()[0]?.name]);
});

test('a backup can be restored, and the replaced database is kept', async () => {
  const { directory, storage, id } = await withOneMessage();
  await storage.backups.makeDaily();
  const name = storage.backups.list()[0]?.name ?? '';
  storage.conversations.rename(id, 'Second');
  storage.events.appendAll(id, 'turn', [said('later')]);
  expect(await storage.backups.restore(name)).toMatchObject({
    restored: { name },
    counts: { conversations: 1, events: 1 },
    setAside: 'steward.db.before-restore-1',
  });
  expect(storage.conversations.list()).toMatchObject([{ id, title: 'First' }]);
  expect(storage.events.read(id)).toHaveLength(1);
  expect(await storage.search('hello')).toHaveLength(1);
  const kept = openReadable(join(directory, 'steward.db.before-restore-1'));
  expect(kept.statement('SELECT count(*) AS n FROM events').get()).toEqual({ n: 2 });
  kept.close();
  await storage.backups.restore(name);
  expect(readdirSync(directory)).toEqual(
    expect.arrayContaining(['steward.db.before-restore-1', 'steward.db.before-restore-2']),
  );
});

test('files that are kept for undo stay out of copies; of a restored one undo can say that they are gone', async () => {
  const { storage, id, backups } = await withOneMessage();
  const bytes = randomBytes(3_000_000);
  const image = { turnId: 'turn', callId: 'call', afterHash: 'after', madeFolders: [] };
  const before = { hash: 'before', size: bytes.length, mode: 0o644 };
  const replaced = storage.beforeImages.add(id, { ...image, path: '/w/replaced', before, bytes });
  const created = storage.beforeImages.add(id, { ...image, path: '/w/created', before: null, bytes: null });
  await storage.backups.makeDaily();
  const name = storage.backups.list()[0]?.name ?? '';
  expect(statSync(join(backups, name)).size).toBeLessThan(1_000_000);
  expect(storage.beforeImages.bytes(replaced.num)).toEqual(new Uint8Array(bytes));
  expect(readdirSync(backups)).toEqual([name]);

  await storage.backups.restore(name);
  expect(storage.beforeImages.list(id)).toMatchObject([
    { num: replaced.num, before, isDropped: true },
    { num: created.num, before: null, isDropped: false },
  ]);
  expect(await storage.search('hello')).toHaveLength(1);
});

test('a copy that is unknown, damaged or cannot be restored now changes nothing', async () => {
  const { directory, storage, id, backups } = await withOneMessage();
  await storage.backups.makeDaily();
  const name = storage.backups.list()[0]?.name ?? '';
  await expect(storage.backups.restore('../steward.db')).rejects.toMatchObject({
    code: 'copy_unknown',
    message: expect.stringContaining(name),
  });

  const child = startChild(['open', directory]);
  expect(await child.next()).toHaveProperty('opened');
  await expect(storage.backups.restore(name)).rejects.toMatchObject({ code: 'database_in_use' });
  child.process.stdin?.end();
  await child.ended();

  writeFileSync(join(backups, name), readFileSync(join(backups, name)).fill(0x55, 4096, 20_000));
  await expect(storage.backups.restore(name)).rejects.toMatchObject({ code: 'copy_failed' });
  expect(storage.events.read(id)).toHaveLength(1);
  expect(readdirSync(directory).filter((file) => file.includes('before-restore'))).toEqual([]);
});

test('a migration runs after a copy was made, and an older copy that is restored is migrated too', async () => {
  const { directory, storage, id } = await withOneMessage();
  await storage.close();
  const migrations = [...MIGRATIONS, addColumn];
  const migrated = await storageIn(directory, { migrations });
  expect(migrated.events.read(id)).toHaveLength(1);
  const [copy] = migrated.backups.list();
  expect(copy?.reason).toEqual({ code: 'before_migration', version: newestSchema(migrations) });
  const version = (file: string) => {
    const connection = openReadable(file);
    const found = connection.pragma('user_version');
    connection.close();
    return found;
  };
  expect(version(join(directory, 'backups', copy?.name ?? ''))).toBe(newestSchema(MIGRATIONS));
  await migrated.backups.restore(copy?.name ?? '');
  expect(migrated.events.read(id)).toHaveLength(1);
  await migrated.close();
  expect(version(join(directory, 'steward.db'))).toBe(newestSchema(migrations));

  await expect(storageIn(directory)).rejects.toMatchObject({
    code: 'database_too_new',
    message: expect.stringContaining(directory),
  });
  expect(version(join(directory, 'steward.db'))).toBe(newestSchema(migrations));
  expect((await storageIn(directory, { migrations })).events.read(id)).toHaveLength(1);
});

test('a migration without a copy does not run, and one that fails leaves everything as it was', async () => {
  const { directory, storage, id, backups } = await withOneMessage();
  await storage.close();
  const before = readFileSync(join(directory, 'steward.db'));
  // A folder is in the place where the backup would be written.
  const inTheWay = join(backups, `steward-000001-before-v${newestSchema(MIGRATIONS) + 1}-2026-11-21.db.unfinished`);
  mkdirSync(inTheWay);
  const now = () => new Date('2026-11-21T10:00:00Z');
  await expect(storageIn(directory, { migrations: [...MIGRATIONS, addColumn], now })).rejects.toMatchObject({
    code: 'copy_failed',
    message: expect.stringContaining(directory),
  });
  expect(readFileSync(join(directory, 'steward.db')).equals(before)).toBe(true);
  rmdirSync(inTheWay);

  const failing: Migration = {
    name: 'wrong',
    up: (database) => database.exec('CREATE TABLE half (x); INSERT INTO nowhere VALUES (1)'),
  };
  await expect(storageIn(directory, { migrations: [...MIGRATIONS, failing], now })).rejects.toMatchObject({
    code: 'migration_failed',
    message: expect.stringContaining('wrong'),
  });
  const again = await storageIn(directory);
  expect(again.events.read(id)).toHaveLength(1);
  expect(again.backups.list()).toHaveLength(1);
});

test('storages that begin with an outdated database at once migrate it once', async () => {
  const { directory, storage, id } = await withOneMessage();
  await storage.close();
  const migrations = [...MIGRATIONS, addColumn];
  const both = await Promise.all([storageIn(directory, { migrations }), storageIn(directory, { migrations })]);
  for (const one of both) expect(one.events.read(id)).toHaveLength(1);
  expect(both[0]?.backups.list()).toHaveLength(1);
});

test('a replacement that was cut off is completed or forgotten', async () => {
  const { directory, storage, id } = await withOneMessage();
  await storage.close();
  const file = join(directory, 'steward.db');
  copyFileSync(file, `${file}.replacement`);
  writeFileSync(`${file}.new`, 'half');
  renameSync(file, `${file}.damaged-1`);
  writeFileSync(`${file}-wal`, 'its log');
  const completed = await storageIn(directory);
  expect(completed.events.read(id)).toHaveLength(1);
  expect(readFileSync(`${file}.damaged-1-wal`, 'utf8')).toBe('its log');
  expect(existsSync(`${file}.new`)).toBe(false);
});
