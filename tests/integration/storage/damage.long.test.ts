import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openReadable, openWritable } from '../../../src-main/storage/database/connection.ts';
import type { StorageNotice } from '../../../src-main/storage/database/repair.ts';
import { StorageError } from '../../../src-main/storage/database/storage-error.ts';
import type { Storage } from '../../../src-main/storage/storage.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';
import { startChild } from './children.ts';

const PAGE = 4096;
const UNTRUSTED = { kind: 'untrusted', source: 'https://example.org' } as const;
const said = (text: string) => ({ type: 'user_message', content: [{ type: 'text', text }] }) as const;

/** A profile with some life in it, closed; `pages` are the ones that a table or index lies on. */
async function livedIn(messages = 120) {
  const directory = temporaryFolder();
  const storage = await storageIn(directory);
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    const { id } = storage.conversations.create({ workspace: '/work', model: 'guide', title: `Chat ${index}` });
    ids.push(id);
    for (let turn = 0; turn < messages / 3; turn++) {
      storage.events.appendAll(id, `turn ${turn}`, [said(`message ${index}-${turn} ${'lorem ipsum '.repeat(20)}`)]);
    }
  }
  storage.rules.add({ label: 'rule', tool: null, matcher: { kind: 'host', class: 'network', host: 'a.org' } }, null);
  storage.confirmations.set('endpoints.anthropic', 'hash');
  storage.memory.setFact('name', 'Ada', [UNTRUSTED]);
  storage.memory.storeMemory('capital of France', 'Paris', [UNTRUSTED]);
  await storage.backups.makeDaily();
  await storage.close();
  const file = join(directory, 'steward.db');
  const connection = openReadable(file);
  const pagesOf = (name: string, type: 'leaf' | 'internal') =>
    connection
      .statement('SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno')
      .all(name, type)
      .map((row) => (row as { pageno: number }).pageno);
  const pages = {
    events: pagesOf('events', 'leaf'),
    root: pagesOf('events', 'internal'),
    index: pagesOf('events_by_conversation', 'leaf'),
    words: [...pagesOf('message_index_data', 'leaf'), ...pagesOf('memory_index_data', 'leaf')],
  };
  connection.close();
  return { directory, file, ids, pages, bytes: readFileSync(file) };
}

function overwrite(file: string, page: number, content: Buffer | string = Buffer.alloc(PAGE, 0xa5)): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.from(content), 0, Buffer.byteLength(content), (page - 1) * PAGE);
  closeSync(handle);
}

async function reopen(directory: string) {
  const notices: StorageNotice[] = [];
  const storage = await storageIn(directory, { onNotice: (notice) => notices.push(notice) });
  const found = storage.conversations.list();
  const messages = found.flatMap(({ id }) => storage.events.read(id));
  return { storage, notices, found, messages };
}

async function expectRemembered({ memory }: Storage) {
  expect(memory.getFact('name')).toEqual({ value: 'Ada', marks: [UNTRUSTED] });
  expect(await memory.searchMemory('France', { limit: 5, exceptConversation: null })).toMatchObject([
    { kind: 'memory', text: expect.stringContaining('Paris'), marks: [UNTRUSTED] },
  ]);
}

/**
 * Expects, after any repair, that the damaged bytes are kept, that the new database is whole and usable, and that the
 * newest copy is offered.
 */
async function expectRepaired(
  directory: string,
  damaged: Buffer,
  { storage, notices }: Awaited<ReturnType<typeof reopen>>,
) {
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatchObject({ code: 'database_damaged' });
  expect(notices[0]?.message).toContain(directory);
  expect(notices[0]?.message).toContain('steward.db.damaged-1');
  const [copy] = storage.backups.list();
  expect(notices[0]?.message).toContain(`/data restore ${copy?.name}`);
  expect(notices[0]?.message).toMatch(/\(3 \w+, 120 \w+\)/);
  expect(readFileSync(join(directory, 'steward.db.damaged-1')).equals(damaged)).toBe(true);
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
  storage.events.appendAll(id, 'turn', [said('life goes on')]);
  expect(await storage.search('goes on')).toHaveLength(1);
}

test('a torn page in the middle costs only the rows on it', async () => {
  const { directory, file, pages } = await livedIn();
  overwrite(file, pages.events[3] ?? 0);
  overwrite(file, pages.events[7] ?? 0);
  const damaged = readFileSync(file);
  const opened = await reopen(directory);
  expect(opened.found.map(({ title }) => title)).toEqual(['Chat 2', 'Chat 1', 'Chat 0']);
  expect(opened.messages.length).toBeGreaterThan(90);
  expect(opened.messages.length).toBeLessThan(120);
  expect(opened.notices[0]?.message).toContain(
    `3 conversations, ${opened.messages.length} entries, 1 rule, 1 confirmed setting, 1 fact, 1 memory, 0 kept versions of files, 0 unreviewed changes, 0 sets of client tools, 0 emails that wait to be sent, 0 reviewed tool descriptions.`,
  );
  await expectRemembered(opened.storage);
  expect(opened.storage.rules.all()).toMatchObject([{ label: 'rule' }]);
  expect(opened.storage.confirmations.get('endpoints.anthropic')).toBe('hash');
  expect((await opened.storage.search('lorem', { limit: 1000 })).length).toBe(opened.messages.length);
  await expectRepaired(directory, damaged, opened);
});

test('damage that opening does not see is repaired when it is met, and the event that met it is not lost', async () => {
  // Large enough not to be checked page by page at every start.
  const { directory, file, pages } = await livedIn(6000);
  expect(statSync(file).size).toBeGreaterThan(1024 * 1024);
  overwrite(file, pages.events.at(-40) ?? 0);
  const notices: StorageNotice[] = [];
  const storage = await storageIn(directory, { onNotice: (notice) => notices.push(notice) });
  expect(notices).toEqual([]);
  const [last] = storage.conversations.list();
  const read = storage.events.read(last?.id ?? '');
  expect(notices).toMatchObject([{ code: 'database_damaged' }]);
  expect(read.length).toBeGreaterThan(1900);
  const [after] = storage.events.appendAll(last?.id ?? '', 'turn', [said('after')]);
  expect(after?.seq).toBe((read.at(-1)?.seq ?? 0) + 1);
});

test('the daily backup finds damage that has not been noticed yet', async () => {
  const { directory, file, pages } = await livedIn(6000);
  overwrite(file, pages.index[2] ?? 0);
  const notices: StorageNotice[] = [];
  const storage = await storageIn(directory, {
    now: () => new Date('2031-01-01'),
    onNotice: (notice) => notices.push(notice),
  });
  expect(notices).toEqual([]);
  await storage.backups.makeDaily();
  expect(notices).toMatchObject([
    { code: 'database_damaged', message: expect.stringContaining('3 conversations, 6000 entries') },
  ]);
  expect(storage.conversations.list().flatMap(({ id }) => storage.events.read(id))).toHaveLength(6000);
});

test('a lost index or search index costs nothing', async () => {
  for (const which of ['index', 'words'] as const) {
    const { directory, file, pages } = await livedIn();
    for (const page of pages[which]) overwrite(file, page);
    const damaged = readFileSync(file);
    const opened = await reopen(directory);
    expect(opened.messages, which).toHaveLength(120);
    await expectRemembered(opened.storage);
    await expectRepaired(directory, damaged, opened);
  }
});

test('a first page that is lost (header and list of tables) costs nothing else', async () => {
  for (const content of [Buffer.alloc(PAGE), 'this is not a database at all', Buffer.alloc(PAGE, 0xff)]) {
    const { directory, file } = await livedIn();
    overwrite(file, 1, content);
    const damaged = readFileSync(file);
    const opened = await reopen(directory);
    expect(opened.messages).toHaveLength(120);
    await expectRemembered(opened.storage);
    await expectRepaired(directory, damaged, opened);
  }
});

test('a lost root page is reported, and the backup is offered', async () => {
  const { directory, file, pages } = await livedIn();
  for (const page of pages.root) overwrite(file, page);
  const damaged = readFileSync(file);
  const opened = await reopen(directory);
  expect(opened.found).toHaveLength(3);
  expect(opened.messages).toHaveLength(0);
  await expectRepaired(directory, damaged, opened);
});

test('a file that is cut short, empty or something else is set aside', async () => {
  const cut = await livedIn();
  truncateSync(cut.file, Math.floor((cut.bytes.length * 3) / 4 / PAGE) * PAGE + 100);
  const rest = readFileSync(cut.file);
  const opened = await reopen(cut.directory);
  expect(opened.messages.length).toBeGreaterThan(10);
  await expectRepaired(cut.directory, rest, opened);

  for (const content of ['', 'hello', 'x'.repeat(100_000)]) {
    const { directory, file } = await livedIn();
    writeFileSync(file, content);
    await expectRepaired(directory, Buffer.from(content), await reopen(directory));
  }
});

test('a malformed schema does not hide the rows', async () => {
  const { directory, file } = await livedIn();
  const bytes = readFileSync(file);
  const sql = 'CREATE TABLE events';
  // The list of tables may have moved to another page and left its old text behind.
  for (let at = bytes.indexOf(sql); at >= 0; at = bytes.indexOf(sql, at + 1)) bytes.write('CREATE TABEL events', at);
  writeFileSync(file, bytes);
  const opened = await reopen(directory);
  expect(opened.messages).toHaveLength(120);
  await expectRemembered(opened.storage);
  await expectRepaired(directory, bytes, opened);
});

test('rows whose numbers were changed so that they no longer ascend are salvaged once each', async () => {
  const { directory, file, pages } = await livedIn();
  const page = pages.events[2] ?? 0;
  const bytes = readFileSync(file);
  // The second cell on a leaf. Its place is in the cell pointer array; it begins with the payload length (two bytes)
  // and the rowid (one, below 128).
  const start = (page - 1) * PAGE;
  const cell = start + bytes.readUInt16BE(start + 8 + 2);
  bytes[cell + 2] = 127;
  writeFileSync(file, bytes);
  const opened = await reopen(directory);
  expect(opened.messages).toHaveLength(120);
  await expectRepaired(directory, bytes, opened);
});

test('a database with other tables is set aside, and so is a folder in its place', async () => {
  const { directory, file } = await livedIn();
  const connection = openWritable(file);
  connection.database.exec('PRAGMA foreign_keys = OFF; DROP TABLE events; CREATE TABLE other (x)');
  connection.close();
  const opened = await reopen(directory);
  expect(opened.notices).toMatchObject([{ code: 'database_damaged' }]);
  const empty = temporaryFolder();
  mkdirSync(join(empty, 'steward.db'));
  const again = await reopen(empty);
  expect(again.notices).toMatchObject([
    { code: 'database_damaged', message: expect.stringContaining('no usable backup') },
  ]);
  expect(statSync(join(empty, 'steward.db.damaged-1')).isDirectory()).toBe(true);
});

test('an entry that no longer makes sense is left out with a notice, the others are read', async () => {
  const { directory, file, ids } = await livedIn();
  const connection = openWritable(file);
  connection.statement("UPDATE events SET body = '{\"type' WHERE seq = 5").run();
  connection.close();
  const { notices, storage } = await reopen(directory);
  expect(notices).toMatchObject([{ code: 'event_unreadable', message: expect.stringContaining('Entry 5 ') }]);
  expect(storage.events.read(ids[0] ?? '')).toHaveLength(39);
});

test('whatever bytes are damaged, opening repairs the database or gives a readable error, and deletes nothing', {
  timeout: 120_000,
}, async () => {
  const { bytes } = await livedIn(60);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.uint8Array({ minLength: 1, maxLength: 300 })), {
        minLength: 1,
        maxLength: 6,
      }),
      async (changes) => {
        const directory = temporaryFolder();
        const damaged = Buffer.from(bytes);
        for (const [at, change] of changes) damaged.set(change.slice(0, damaged.length - at), at);
        writeFileSync(join(directory, 'steward.db'), damaged, { mode: 0o600 });
        try {
          const { storage, notices } = await reopen(directory);
          storage.conversations.create({ workspace: '/work', model: 'guide' });
          await storage.close();
          const aside = join(directory, 'steward.db.damaged-1');
          expect(existsSync(aside)).toBe(notices.some(({ code }) => code === 'database_damaged'));
        } catch (error) {
          // A changed version number, or a conversation that was listed before a repair and could not be read in it.
          expect((error as { code?: string }).code, String(error)).toMatch(
            /^(database_too_new|database_too_old|conversation_unknown)$/,
          );
          expect(error).toBeInstanceOf(StorageError);
        }
      },
    ),
    // A version number below zero; a header that is gone.
    { numRuns: 60, examples: [[[[60, Uint8Array.from([128])]]], [[[0, new Uint8Array(100)]]]] },
  );
});

test('while another process has the database open nothing is moved, and afterwards it is', async () => {
  const { directory, file, pages } = await livedIn();
  const child = startChild(['open', directory]);
  expect(await child.next()).toHaveProperty('opened');
  overwrite(file, pages.events[5] ?? 0);
  await expect(storageIn(directory)).rejects.toMatchObject({
    code: 'database_in_use',
    message: expect.stringContaining('repaired'),
  });
  expect(readdirSync(directory).filter((name) => name.includes('damaged'))).toEqual([]);
  child.process.stdin?.end();
  await child.ended();
  expect((await reopen(directory)).notices).toMatchObject([{ code: 'database_damaged' }]);
});

test('processes that meet a damaged database at once repair it once', async () => {
  const { directory, file, pages } = await livedIn();
  overwrite(file, pages.events[5] ?? 0);
  const children = Array.from({ length: 4 }, () => startChild(['open', directory]));
  for (const child of children) child.process.stdin?.end();
  const lines = (await Promise.all(children.map((child) => child.rest()))).flat();
  expect(lines.filter((line) => 'notice' in line)).toHaveLength(1);
  expect(lines.filter((line) => 'opened' in line)).toHaveLength(4);
  expect(readdirSync(directory).filter((name) => /damaged-\d+$/.test(name))).toEqual(['steward.db.damaged-1']);
  expect((await reopen(directory)).found).toHaveLength(7);
});

test('a missing database is noticed, and its newest backup is offered', async () => {
  const { directory, file } = await livedIn();
  rmSync(file);
  const { notices, storage } = await reopen(directory);
  expect(notices).toMatchObject([
    { code: 'database_missing', message: expect.stringContaining('/data restore steward-') },
  ]);
  await storage.backups.restore(storage.backups.list()[0]?.name ?? '');
  expect(storage.conversations.list()).toHaveLength(3);
});
