import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unpackZip } from '../../scripts/electron-zip.mjs';
import { zipArchive } from '../fixtures/zip-archive.ts';

async function archiveOf(bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'steward-zip-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const archive = join(folder, 'archive.zip');
  await writeFile(archive, bytes);
  return { archive, folder: join(folder, 'unpacked') };
}

const FILES = {
  'App/': '',
  'App/run': '#!/bin/sh\n',
  'App/text': 'x'.repeat(100_000),
  'App/empty': '',
  'App/no': 'no',
};

test('the chosen files come out whole, where they were placed, and run if they were executables', async () => {
  const { archive, folder } = await archiveOf(zipArchive(FILES));
  await unpackZip(archive, folder, (name) => (name.endsWith('no') ? undefined : name.replace('App/', 'in/')));

  expect((await readdir(join(folder, 'in'))).sort()).toEqual(['empty', 'run', 'text']);
  expect(await readFile(join(folder, 'in/text'), 'utf8')).toBe(FILES['App/text']);
  expect((await stat(join(folder, 'in/run'))).mode & 0o777).toBe(0o755);
  expect((await stat(join(folder, 'in/empty'))).mode & 0o777).toBe(0o644);
});

test.each([
  ['App/run', 'stored'],
  ['App/text', 'deflated'],
])('a changed byte in %s, which is %s, is noticed', async (name) => {
  const bytes = zipArchive(FILES);
  const content = bytes.indexOf(name) + name.length;
  bytes.writeUInt8(bytes.readUInt8(content + 5) ^ 1, content + 5);
  const { archive, folder } = await archiveOf(bytes);
  await expect(unpackZip(archive, folder, (path) => path)).rejects.toThrow();
});

test('truncated or invalid archives are rejected', async () => {
  const whole = zipArchive(FILES);
  const cut = await archiveOf(whole.subarray(200));
  await expect(unpackZip(cut.archive, cut.folder, (path) => path)).rejects.toThrow();
  const other = await archiveOf(Buffer.from('<html>Sign in to the network</html>'));
  await expect(unpackZip(other.archive, other.folder, (path) => path)).rejects.toThrow('not a zip archive');
});
