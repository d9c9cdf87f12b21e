import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src-main/base/sqlite.ts';
import type { RuleMatcher } from '../../../src-main/policy/rules.ts';
import { createDatabase } from '../../../src-main/storage/database/migrate.ts';
import { openStorage, type Storage } from '../../../src-main/storage/storage.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const begun = { workspace: '/work', model: 'guide' };
const DAY_MS = 24 * 60 * 60 * 1000;
const said = (text: string) => ({ type: 'user_message', content: [{ type: 'text', text }] }) as const;
const delta = (text: string) => ({ type: 'text_delta', text }) as const;

function begin({ conversations, events }: Storage<RuleMatcher>, title: string, ...texts: string[]): string {
  const { id } = conversations.create({ ...begun, title });
  for (const [index, text] of texts.entries()) events.appendAll(id, `turn ${index}`, [said(text)]);
  return id;
}

/** Every byte of the database, without what only waits to be written into it. */
async function bytesOf(storage: Storage<RuleMatcher>, directory: string): Promise<Buffer> {
  await storage.close();
  const database = openSqlite(join(directory, 'steward.db'));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const files = readdirSync(directory).filter((name) => name.startsWith('steward.db'));
  return Buffer.concat(files.map((name) => readFileSync(join(directory, name))));
}

test('what is deleted is in the trash, the last first, until it is restored', async () => {
  let now = Date.parse('2030-01-01');
  const storage = await storageIn(temporaryFolder(), { now: () => new Date(now) });
  const [first, second] = [begin(storage, 'One', 'x'), begin(storage, 'Two', 'y')];
  expect(storage.trash.list()).toEqual([]);
  storage.conversations.remove(second);
  now += DAY_MS;
  storage.conversations.remove(first);
  expect(storage.trash.list()).toEqual([
    { id: first, title: 'One', deletedAt: '2030-01-02T00:00:00.000Z' },
    { id: second, title: 'Two', deletedAt: '2030-01-01T00:00:00.000Z' },
  ]);
  storage.conversations.restore(first);
  expect(storage.trash.list().map(({ id }) => id)).toEqual([second]);
});

test('what was in the trash for 30 days is erased, and nothing else', async () => {
  let now = Date.parse('2030-01-01');
  const storage = await storageIn(temporaryFolder(), { now: () => new Date(now) });
  const [old, newer, kept] = [begin(storage, 'Old', 'a'), begin(storage, 'Newer', 'b'), begin(storage, 'Kept', 'c')];
  storage.conversations.remove(old);
  now += DAY_MS;
  storage.conversations.remove(newer);
  now += 29 * DAY_MS - 1;
  await storage.trash.eraseOld();
  expect(storage.trash.list()).toHaveLength(2);
  now += 1;
  await storage.trash.eraseOld();
  expect(storage.trash.list().map(({ id }) => id)).toEqual([newer]);
  expect(storage.conversations.get(old)).toBeUndefined();
  expect(() => storage.conversations.restore(old)).toThrow(expect.objectContaining({ code: 'conversation_unknown' }));
  expect(storage.events.read(kept)).toHaveLength(1);
});

test('no text of an erased conversation is left in the file, and what it cost still counts', async () => {
  const directory = temporaryFolder();
  const storage = await storageIn(directory);
  const other = begin(storage, 'Other', 'a porpoise');
  const { id } = storage.conversations.create({ ...begun, title: 'About zebrafish' });
  const usage = { input: 5, output: 1, cacheRead: 0, cacheWrite: 0 };
  storage.events.appendAll(id, 'one', [said('the mongoose'), delta('a cut-off '), delta('platypus')]);
  storage.events.appendAll(id, 'two', [
    said('go on'),
    { type: 'usage', provider: 'anthropic', model: 'm', ...usage },
    { type: 'block', block: { type: 'text', text: `wombat ${'x '.repeat(500)}` } },
  ]);
  for (let count = 0; count < 450; count += 1) storage.events.appendAll(id, `more ${count}`, [said('axolotl')]);
  const image = { turnId: 'two', callId: 'c', path: '/a', before: { hash: 'h', mode: 0o644, size: 7 } };
  storage.beforeImages.add(id, { ...image, afterHash: null, madeFolders: [], bytes: Buffer.from('ocelots') });
  await storage.trash.erase(id);
  expect(storage.conversations.get(id)).toBeUndefined();
  for (const word of ['zebrafish', 'mongoose', 'platypus', 'wombat', 'axolotl'])
    expect(await storage.search(word)).toEqual([]);
  expect(await storage.search('porpoise')).toMatchObject([{ conversationId: other }]);
  expect(storage.usage.since('0000-01-01').reduce((sum, { input }) => sum + input, 0)).toBe(5);
  const late = [
    () => storage.events.appendAll(id, 'late', [said('x')]),
    () => storage.clientStates.set(id, '{}'),
    () => storage.beforeImages.add(id, { ...image, afterHash: null, madeFolders: [], bytes: null }),
  ];
  for (const write of late) expect(write).toThrow(expect.objectContaining({ code: 'conversation_unknown' }));
  const bytes = (await bytesOf(storage, directory)).toString('latin1');
  expect(bytes).toContain('a porpoise');
  const texts = ['About zebrafish', 'the mongoose', 'a cut-off ', '"platypus', 'wombat x', 'ocelots'];
  expect(texts.filter((text) => bytes.includes(text))).toEqual([]);
});

test('the number of an erased event is not used again', async () => {
  const storage = await storageIn(temporaryFolder());
  const kept = begin(storage, 'Kept', 'first');
  const gone = begin(storage, 'Gone', 'second', 'the last word');
  const last = storage.events.read(gone).at(-1)?.seq ?? 0;
  await storage.trash.erase(gone);
  expect(storage.events.appendAll(kept, 'next', [said('third')])[0]?.seq).toBeGreaterThan(last);
  expect(await storage.search('word')).toEqual([]);
  await storage.trash.eraseOld();
  expect(storage.events.read(kept)).toHaveLength(2);
});

test('a conversation with a running turn, or with mail that waits, is not erased', async () => {
  let now = Date.parse('2030-01-01');
  const storage = await storageIn(temporaryFolder(), { now: () => new Date(now) });
  const inUse = expect.objectContaining({ code: 'conversation_in_use' });
  const [busy, mailing] = [begin(storage, 'Busy', 'a'), begin(storage, 'Mailing', 'b')];
  const mail = { id: 'm', callId: 'c', account: null, recipients: [], subject: 's', body: 'b', dueAt: '2030-01-01' };
  storage.outbox.add({ ...mail, conversationId: mailing });
  const lease = storage.leases.acquire(busy);
  await expect(storage.trash.erase(busy)).rejects.toThrow(inUse);
  await expect(storage.trash.erase(mailing)).rejects.toThrow(inUse);
  for (const id of [busy, mailing]) storage.conversations.remove(id);
  now += 31 * DAY_MS;
  await storage.trash.eraseOld();
  expect(storage.trash.list()).toHaveLength(2);
  if ('release' in lease) lease.release();
  storage.outbox.remove('m');
  await storage.trash.eraseOld();
  expect(storage.trash.list()).toEqual([]);
});

test('rules of a conversation go with it, and a conversation without content is never in the trash', async () => {
  const storage = await storageIn(temporaryFolder());
  const id = begin(storage, 'One', 'x');
  const matcher = { kind: 'tool', tool: 'a' } as unknown as RuleMatcher;
  storage.rules.add({ label: 'a', tool: 'a', matcher }, id);
  storage.rules.add({ label: 'b', tool: 'b', matcher }, null);
  await storage.trash.erase(id);
  expect(storage.rules.all().map(({ label }) => label)).toEqual(['b']);
  const { id: empty } = storage.conversations.create(begun);
  storage.conversations.remove(empty);
  expect(storage.trash.list()).toEqual([]);
  await storage.trash.eraseOld();
  expect(storage.conversations.get(empty)).toBeUndefined();
});

test('what a process left half erased is finished by another, and two at once do no harm', async () => {
  const directory = temporaryFolder();
  const storage = await storageIn(directory);
  const id = begin(storage, 'One', 'left behind');
  begin(storage, 'Two', 'later');
  const database = openSqlite(join(directory, 'steward.db'));
  database.prepare('UPDATE conversations SET deleted_at = ?, erased_at = ? WHERE id = ?').run('2030', '2030', id);
  database.close();
  const second = await openStorage<RuleMatcher>({ directory });
  await Promise.all([storage.trash.eraseOld(), second.trash.eraseOld()]);
  expect(await second.search('behind')).toEqual([]);
  await bytesOf(second, directory);
  expect((await bytesOf(storage, directory)).includes('left behind')).toBe(false);
});

test('what was deleted before there was a trash stays in it for the whole time', async () => {
  const directory = temporaryFolder();
  const file = join(directory, 'steward.db');
  createDatabase(file, []);
  const database = openSqlite(file);
  database.exec(`
    INSERT INTO conversations VALUES (1, 'long-ago', 'Long ago', '/', 'guide', 0, '2020', '2020-01-01T00:00:00.000Z');
    INSERT INTO events VALUES (1, 1, 't', 'user_message', '2020', '{"type":"user_message","content":[{"type":"text","text":"x"}]}');
  `);
  database.close();
  const began = Date.now();
  const storage = await storageIn(directory);
  await storage.trash.eraseOld();
  const [kept] = storage.trash.list();
  expect(kept).toMatchObject({ id: 'long-ago', title: 'Long ago' });
  expect(Date.parse(kept?.deletedAt ?? '')).toBeGreaterThanOrEqual(began);
});
