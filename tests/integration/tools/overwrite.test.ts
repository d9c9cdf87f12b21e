import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { overwrite } from '../../../src-main/tools/files/overwrite.ts';
import { need, needPosix } from '../../fixtures/machine-needs.ts';
import { append, UndoRig, write } from './undo-rig.ts';

const CHILD = fileURLToPath(new URL('overwrite-child.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** Root may write anywhere; without these capabilities it is bound by permissions like everyone. */
const asEveryone = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : [];
const ownMounts = ['unshare', isRoot ? '-m' : '-rm'];
const hasOwnMounts = spawnSync('unshare', [isRoot ? '-m' : '-rm', 'true']).status === 0;
/** Writes stop in the middle, as on a full disk: no file may grow beyond this. */
const smallFiles = ['sh', '-c', 'trap "" XFSZ; ulimit -f 8; exec "$@"', 'sh'];

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'steward-overwrite-')));
  file = join(folder, 'closed', 'f.txt');
  mkdirSync(join(folder, 'closed'));
  writeFileSync(file, 'as it was', { mode: 0o640 });
});
afterEach(() => {
  vi.restoreAllMocks();
  chmodSync(join(folder, 'closed'), 0o700);
  rmSync(folder, { recursive: true, force: true });
});

async function run(under: readonly string[], text: string, ...mode: readonly string[]): Promise<string> {
  const [program = '', ...args] = [...under, process.execPath, CHILD, file, text, ...mode];
  return (await promisify(execFile)(program, args)).stdout;
}

test('a writable file in a folder that is not is overwritten, and stays the same file', async (context) => {
  needPosix(context);
  chmodSync(join(folder, 'closed'), 0o500);
  const before = statSync(file);
  for (const text of ['new, and longer than it was', 'short', '']) {
    expect(await run(asEveryone, text)).toBe('about to; written');
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
  const { ino, mode } = statSync(file);
  expect([ino, mode]).toEqual([before.ino, before.mode]);
  expect(readdirSync(join(folder, 'closed'))).toEqual(['f.txt']);
});

test('nothing else becomes possible: a read-only file, a new one', async (context) => {
  needPosix(context);
  chmodSync(file, 0o440);
  chmodSync(join(folder, 'closed'), 0o500);
  expect(await run(asEveryone, 'new')).toBe('the file is read-only');
  file = join(folder, 'closed', 'new.txt');
  expect(await run(asEveryone, 'new')).toBe('EACCES: permission denied: FILE');
  expect(readdirSync(join(folder, 'closed'))).toEqual(['f.txt']);
});

test('overwriting that fails half way restores the file, and says so', async (context) => {
  needPosix(context);
  chmodSync(join(folder, 'closed'), 0o500);
  expect(await run([...asEveryone, ...smallFiles], 'x'.repeat(100_000))).toBe(
    'about to; the write failed (EFBIG: file too large, write); the file is unchanged',
  );
  expect(readFileSync(file, 'utf8')).toBe('as it was');
});

test('a file or link target that replaced the file meanwhile is left alone', async () => {
  const previous = lstatSync(file);
  const other = join(folder, 'other.txt');
  writeFileSync(other, 'of others');
  const put = (place: () => void) => {
    renameSync(file, `${file}.aside`);
    place();
    return overwrite({ target: file, previous, bytes: Buffer.from('new') });
  };
  await expect(put(() => symlinkSync(other, file))).rejects.toMatchObject({ code: 'ELOOP' });
  unlinkSync(file);
  renameSync(`${file}.aside`, file);
  await expect(put(() => writeFileSync(file, 'of others'))).rejects.toMatchObject({ code: 'changed' });
  expect([other, file, `${file}.aside`].map((each) => readFileSync(each, 'utf8'))).toEqual([
    'of others',
    'of others',
    'as it was',
  ]);
});

test('a writable file of another user is overwritten with its current mode', async (context) => {
  need(context, isRoot, 'only root may give a file to somebody else first');
  chmodSync(file, 0o666);
  chownSync(file, 65_534, 65_534);
  chmodSync(join(folder, 'closed'), 0o500);
  const notOwner = ['setpriv', '--bounding-set=-dac_override,-dac_read_search,-fowner', '--inh-caps=-all'];
  expect(await run(notOwner, 'new', '666')).toBe('about to; written');
  expect(readFileSync(file, 'utf8')).toBe('new');
});

test('a single file that is mounted (as in a container) is overwritten', async (context) => {
  need(context, hasOwnMounts, 'this user may not mount anything here, not even in a namespace of its own');
  const mounted = [...ownMounts, 'sh', '-c', 'f=$1; shift; mount --bind "$f" "$f" && "$@"', 'sh', file];
  const { ino } = statSync(file);
  expect(await run(mounted, 'new')).toBe('about to; written');
  expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual(['new', ino]);
  expect(readdirSync(join(folder, 'closed'))).toEqual(['f.txt']);
});

/** The file system fails from here on, in the middle of what is written. */
async function breakWrites(on: { truncate: boolean }): Promise<void> {
  const handle = await open(file);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { appendFile } = prototype;
  vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: FileHandle, bytes) {
    await appendFile.call(this, Buffer.from(String(bytes)).subarray(0, 3));
    throw new Error('ENOSPC: no space left on device, write');
  });
  if (on.truncate) vi.spyOn(prototype, 'truncate').mockRejectedValue(new Error('EIO: i/o error, ftruncate'));
}

test('an append that breaks off leaves the file as it was, and nothing to undo', async () => {
  const rig = await UndoRig.start();
  rig.harness.put('log.txt', 'one\n');
  await breakWrites({ truncate: false });
  await rig.turn(append('a', 'log.txt', 'two\n'));
  expect(rig.events('tool_result')).toMatchObject([
    { text: expect.stringMatching(/^Error appending to file: .*[(]ENOSPC: no space left/), isError: true },
  ]);
  expect(readFileSync(rig.path('log.txt'), 'utf8')).toBe('one\n');
  expect(rig.storage.beforeImages.list(rig.conversationId)).toEqual([]);
});

test('a half-changed file can be restored with undo, and the result describes its state', async () => {
  const rig = await UndoRig.start();
  await rig.turn(write('w', 'log.txt', 'one\n'));
  await breakWrites({ truncate: true });
  await rig.turn(append('a', 'log.txt', 'two\n'));
  vi.restoreAllMocks();
  expect(rig.events('tool_result').at(-1)).toMatchObject({
    text: 'Error appending to file: the write failed (ENOSPC: no space left on device, write) and the earlier content could not be restored (EIO: i/o error, ftruncate): the file is now partly changed',
    isError: true,
    changed: ['log.txt'],
  });
  expect(readFileSync(rig.path('log.txt'), 'utf8')).toBe('one\ntwo');
  expect(await rig.undoCall('a')).toMatchObject({ undone: [rig.path('log.txt')], refused: [] });
  expect(readFileSync(rig.path('log.txt'), 'utf8')).toBe('one\n');
});
