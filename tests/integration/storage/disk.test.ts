import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReadable } from '../../../src-main/storage/database/connection.ts';
import { openStorage } from '../../../src-main/storage/storage.ts';
import { toolResult } from '../../fixtures/events.ts';
import { need, needOrdinaryUser, needPosix } from '../../fixtures/machine-needs.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';
import { CHILD, startChild } from './children.ts';

async function expectWholeWith(directory: string, printed: Record<string, unknown>[]) {
  const storage = await storageIn(directory);
  const kept = new Set(storage.conversations.list().flatMap(({ id }) => storage.events.read(id).map(({ seq }) => seq)));
  const events = printed.filter(({ type }) => type !== undefined && type !== 'text_delta');
  expect(events.length).toBeGreaterThan(10);
  expect(events.filter(({ seq }) => !kept.has(Number(seq)))).toEqual([]);
  const connection = openReadable(join(directory, 'steward.db'));
  expect(connection.statement('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  connection.close();
}

test('a file that may not grow ends a turn with a clear error, and what was committed stays', async (context) => {
  needPosix(context);
  const directory = temporaryFolder();
  const script = `ulimit -f 2000; exec "${process.execPath}" "${CHILD}" write "${directory}"`;
  const lines = await startChild(['-c', script], { file: '/bin/sh' }).rest();
  expect(lines.find(({ code }) => code)).toMatchObject({
    code: 'disk_full',
    message: expect.stringContaining(directory),
  });
  await expectWholeWith(directory, lines);
});

test('a full disk ends a turn with a clear error, and what was committed stays', async (context) => {
  const directory = temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory]);
  need(context, mounted.status === 0, 'a small disk can only be mounted as root, and in a container that may');
  try {
    const lines = await startChild(['write', directory]).rest();
    expect(lines.find(({ code }) => code)).toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining(directory),
    });
    const filled = spawnSync('sh', ['-c', 'cat /dev/zero > filler'], { cwd: directory });
    expect(filled.status).not.toBe(0);
    const fresh = join(directory, 'fresh');
    await expect(openStorage({ directory: fresh })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining(fresh),
    });
    spawnSync('rm', ['filler'], { cwd: directory });
    await expectWholeWith(directory, lines);
  } finally {
    spawnSync('umount', ['-l', directory]);
  }
});

test('a folder that cannot be written to is refused by name, with or without a database in it', async (context) => {
  needPosix(context);
  const ordinaryUser = needOrdinaryUser(context);
  const directory = temporaryFolder();
  chmodSync(directory, 0o755);
  for (const profile of ['empty', 'used']) {
    const folder = join(directory, profile);
    mkdirSync(folder);
    if (profile === 'used') await (await openStorage({ directory: folder })).close();
    spawnSync('chmod', ['-R', 'a=rX', folder]);
    const [line] = await startChild(['open', folder], ordinaryUser).rest();
    expect(line).toMatchObject({ code: 'profile_not_writable', message: expect.stringContaining(folder) });
    spawnSync('chmod', ['-R', 'u+rwX', folder]);
  }
});

test('a file in the place of the folder, or above it, is refused by name', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'mine');
  for (const directory of [file, join(file, 'profile')]) {
    await expect(openStorage({ directory })).rejects.toMatchObject({
      name: 'StorageError',
      code: 'profile_not_a_folder',
      message: expect.stringContaining(directory),
    });
  }
});

test('a profile behind a symbolic link works', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'), 'junction');
  const storage = await storageIn(join(folder, 'link'));
  storage.conversations.create({ workspace: '/work', model: 'guide' });
  expect((await storageIn(join(folder, 'real'))).conversations.list()).toHaveLength(1);
});

test('long results are moved into the database away from this thread, as many short events are', async () => {
  const directory = temporaryFolder();
  const { conversations, events } = await storageIn(directory);
  const { id } = conversations.create({ workspace: '/work', model: 'guide' });
  const text = 'a long line of a long result\n'.repeat(200_000);
  events.appendAll(id, 'turn', [toolResult('call', text)]);
  // So much is far from what makes SQLite do it by itself.
  await expect
    .poll(() => statSync(join(directory, 'steward.db')).size, { timeout: 20_000 })
    .toBeGreaterThan(text.length);
});
