import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { builtOutput } from '../../../scripts/built-output.mjs';
import { openReadable, openWritable } from '../../../src-main/storage/database/connection.ts';
import { BASE_SCHEMA } from '../../../src-main/storage/database/migrations/base-schema.ts';
import { MIGRATIONS, newestSchema } from '../../../src-main/storage/database/schema.ts';
import { refuseOtherVersions, schemaVersionOf } from '../../../src-main/storage/database/schema-version.ts';
import { openStorage } from '../../../src-main/storage/storage.ts';
import { parseEvents } from '../../fixtures/ask.ts';
import { folderState } from '../../fixtures/folder-state.ts';
import { copyProfile } from '../../fixtures/profiles/copy-profile.ts';
import { leaveNewerProfile, NEWER_MIGRATIONS, openNewerProfile } from '../../fixtures/profiles/newer-profile.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const VERSIONS = { found: newestSchema(NEWER_MIGRATIONS), known: newestSchema(MIGRATIONS) };

/** `ask` as a process, in a home of its own. */
async function ask(profile: string, ...args: string[]) {
  const home = temporaryFolder();
  const child = spawn(
    process.execPath,
    [join(await builtOutput(), 'ask.js'), '--profile', profile, '--workspace', home, '--json', ...args],
    // A keychain that hangs as soon as somebody asks it.
    { cwd: home, env: { HOME: home, PATH: process.env.PATH, DBUS_SESSION_BUS_ADDRESS: `unix:path=${home}/none` } },
  );
  child.stdin.end();
  const code = new Promise((resolve) => child.once('close', resolve));
  const [stdout] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  return { code: await code, events: parseEvents(stdout) };
}

test('ask says that the profile needs a newer Steward, and touches nothing, whatever was asked', async () => {
  const profile = join(temporaryFolder(), 'profile');
  await leaveNewerProfile(profile);
  expect(schemaVersionOf(join(profile, 'steward.db'))).toBe(VERSIONS.found);
  const before = folderState(profile);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['steward.db-wal', 'steward.db-shm', 'window.json']));
  for (const prompt of ['hello', '/mcp', '/undo']) {
    const { code, events } = await ask(profile, '--approve', 'all', prompt);
    expect(code, prompt).toBe(2);
    expect(events, prompt).toMatchObject([
      { type: 'error', code: 'database_too_new', message: expect.stringContaining(profile) },
      { type: 'done' },
    ]);
  }
  expect(folderState(profile)).toEqual(before);
});

test('the same while the newer Steward has it open', async () => {
  const profile = join(temporaryFolder(), 'profile');
  const newer = await openNewerProfile(profile);
  onTestFinished(() => newer.close());
  const before = folderState(profile);
  expect((await ask(profile, 'hello')).code).toBe(2);
  expect(folderState(profile)).toEqual(before);
  expect(newer.conversations.list()).toMatchObject([{ title: 'From later' }]);
});

test('the version is read as SQLite reads it, after any number of commits, checkpoints and cuts', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'steward.db');
  cpSync(makeDatabase(folder), file);
  const writer = openWritable(file);
  writer.prepareForWriting();
  const copy = join(folder, 'copy', 'steward.db');
  for (let round = 1; round <= 60; round++) {
    writer.transaction(() => {
      writer.database.exec(`PRAGMA user_version = ${20 + ((round * 7) % 13)}`);
      writer.database.exec(`CREATE TABLE t${round} (x); INSERT INTO t${round} VALUES (zeroblob(${round * 200}))`);
    });
    if (round % 9 === 0) writer.database.exec('PRAGMA wal_checkpoint(RESTART)');
    rmSync(join(folder, 'copy'), { recursive: true, force: true });
    mkdirSync(join(folder, 'copy'));
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
    const log = readFileSync(`${copy}-wal`);
    if (round % 3 === 1) truncateSync(`${copy}-wal`, Math.floor(log.length * ((round % 11) / 11)));
    if (round % 3 === 2 && log.length > 8_000) {
      log[log.length - 3_000] = (log[log.length - 3_000] ?? 0) ^ 1;
      writeFileSync(`${copy}-wal`, log);
    }
    const read = schemaVersionOf(copy);
    const reader = openWritable(copy);
    expect(read, `round ${round}`).toBe(reader.pragma('user_version'));
    reader.close();
  }
  writer.close();
});

function makeDatabase(folder: string): string {
  const file = join(folder, 'made.db');
  const made = openWritable(file);
  made.database.exec(`PRAGMA application_id = ${0x53747764}; PRAGMA user_version = 1; CREATE TABLE a (x)`);
  made.close();
  return file;
}

test('what is no readable database of Steward is not taken for a newer one', () => {
  const folder = temporaryFolder();
  refuseOtherVersions(join(folder, 'missing'));
  const file = join(folder, 'steward.db');
  for (const bytes of ['', 'SQLite format 3\0', 'x'.repeat(5_000)]) {
    writeFileSync(file, bytes);
    expect(schemaVersionOf(file)).toBeUndefined();
    refuseOtherVersions(folder);
  }
  rmSync(file);
  mkdirSync(file);
  refuseOtherVersions(folder);
});

test('a log with a page size that SQLite does not know counts as none', () => {
  const folder = temporaryFolder();
  const file = makeDatabase(folder);
  for (const pageSize of [0, 4, 1000, 0xffff_ffff]) {
    const log = Buffer.alloc(200);
    log.writeUInt32BE(0x377f0683, 0);
    log.writeUInt32BE(pageSize, 8);
    let [first, second] = [0, 0];
    for (let at = 0; at < 24; at += 8) {
      first = (first + log.readUInt32BE(at) + second) >>> 0;
      second = (second + log.readUInt32BE(at + 4) + first) >>> 0;
    }
    log.writeUInt32BE(first, 24);
    log.writeUInt32BE(second, 28);
    writeFileSync(`${file}-wal`, log);
    expect(schemaVersionOf(file), String(pageSize)).toBe(1);
  }
});

test('entries and settings of a newer version with the same schema are kept, and named', async () => {
  const profile = join(temporaryFolder(), 'profile');
  const first = await openStorage({ directory: profile });
  const { id } = first.conversations.create({ workspace: '/work', model: 'guide', title: 'Mixed' });
  first.events.appendAll(id, 'turn', [{ type: 'user_message', content: [{ type: 'text', text: 'hello' }] }]);
  await first.close();
  const rows = ['hologram', 'smell', 'hologram'].map((type) => JSON.stringify({ type, depth: 3 }));
  const database = openWritable(join(profile, 'steward.db'));
  for (const body of rows)
    database
      .statement("INSERT INTO events (conversation, turn_id, type, at, body) VALUES (1, 'turn', 'hologram', '', ?)")
      .run(body);
  database.close();
  const config = '{ "model": "guide", "hologram": { "depth": 3 }, "tools": { "profile": "dreamy" } }\n';
  writeFileSync(join(profile, 'config.json'), config);

  const { code, events } = await ask(profile, '--conversation', id, 'what time is it');
  expect(code).toBe(0);
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event] : []));
  expect(notices.map(({ message }) => message).join('\n')).toMatch(/tools\.profile/);
  expect(notices.filter(({ code: of }) => of === 'event_unreadable').length).toBeLessThanOrEqual(1);
  expect(readFileSync(join(profile, 'config.json'), 'utf8')).toBe(config);
  const seen: string[] = [];
  const storage = await storageIn(profile, { onNotice: ({ message }) => seen.push(message) });
  expect(storage.events.read(id).filter(({ type }) => type === 'user_message')).toHaveLength(2);
  expect(seen).toEqual([expect.stringContaining('3 entries (the first is 2)')]);
  const after = openReadable(join(profile, 'steward.db'));
  const kept = after.statement<{ body: string }>("SELECT body FROM events WHERE type = 'hologram'").all();
  after.close();
  expect(kept.map(({ body }) => body)).toEqual(rows);
});

test('a backup of a newer version is not restored, and not offered after damage', async () => {
  const profile = join(temporaryFolder(), 'profile');
  await leaveNewerProfile(profile);
  const newer = await openStorage({ directory: profile, migrations: NEWER_MIGRATIONS });
  await newer.backups.makeDaily();
  const name = newer.backups.list()[0]?.name ?? '';
  await newer.close();
  const backup = readFileSync(join(profile, 'backups', name));
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(profile, `steward.db${suffix}`), { force: true });

  const notices: string[] = [];
  const storage = await storageIn(profile, { onNotice: ({ message }) => notices.push(message) });
  expect(notices.join(' ')).not.toContain(name);
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide', title: 'Of today' });
  await expect(storage.backups.restore(name)).rejects.toMatchObject({
    code: 'copy_too_new',
    message: expect.stringContaining(name),
  });
  expect(storage.conversations.list()).toMatchObject([{ id }]);
  expect(readFileSync(join(profile, 'backups', name)).equals(backup)).toBe(true);
});

/** Makes a database as an early version left it. Only its number matters. */
function makeEarly(file: string, version: number): void {
  const database = openWritable(file);
  database.database.exec(`PRAGMA user_version = ${version}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

test.each([1, BASE_SCHEMA - 1])(
  'a profile of an early version (%i) is refused, and nothing is touched',
  async (version) => {
    const { profile } = copyProfile(BASE_SCHEMA);
    makeEarly(join(profile, 'steward.db'), version);
    const before = folderState(profile);
    const { code, events } = await ask(profile, '--approve', 'all', 'hello');
    expect(code).toBe(2);
    expect(events).toMatchObject([
      { type: 'error', code: 'database_too_old', message: expect.stringContaining(profile) },
      { type: 'done' },
    ]);
    expect(folderState(profile)).toEqual(before);

    const content = readFileSync(join(profile, 'steward.db'));
    await expect(openStorage({ directory: profile })).rejects.toMatchObject({
      code: 'database_too_old',
      versions: { found: version, known: BASE_SCHEMA },
    });
    expect(readFileSync(join(profile, 'steward.db')).equals(content)).toBe(true);
  },
);

test('a backup of an early version is not restored, and not offered after damage', async () => {
  const { profile } = copyProfile(BASE_SCHEMA);
  const first = await openStorage({ directory: profile });
  await first.backups.makeDaily();
  await first.close();
  for (const { name } of first.backups.list()) makeEarly(join(profile, 'backups', name), BASE_SCHEMA - 1);
  const [{ name } = { name: '' }] = first.backups.list();
  const backup = readFileSync(join(profile, 'backups', name));
  writeFileSync(join(profile, 'steward.db'), readFileSync(join(profile, 'steward.db')).fill(0, 0, 4096));

  const notices: string[] = [];
  const storage = await storageIn(profile, { onNotice: ({ message }) => notices.push(message) });
  expect(notices).toEqual([expect.stringContaining('There is no usable backup.')]);
  const titles = storage.conversations.list().map(({ title }) => title);
  await expect(storage.backups.restore(name)).rejects.toMatchObject({
    code: 'copy_too_old',
    message: expect.stringContaining(name),
  });
  expect(storage.conversations.list().map(({ title }) => title)).toEqual(titles);
  expect(readFileSync(join(profile, 'backups', name)).equals(backup)).toBe(true);
});
