import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { Checkpoints } from '../../../src-main/checkpoints/checkpoints.ts';
import { beginCommand } from '../../../src-main/checkpoints/commands.ts';
import type { LookPlace } from '../../../src-main/checkpoints/look.ts';
import { look } from '../../../src-main/checkpoints/look.ts';
import { checkpointPlace, leasesIn, nothingHeld, ranIn } from '../../fixtures/checkpoint-place.ts';
import { KEPT_LIMITS } from '../../fixtures/kept-limits.ts';

/** `changed a.txt +1 −1`, one line for each change. */
async function changesOf(place: LookPlace & { readonly root: string }, line: string): Promise<string[]> {
  const { changes } = await ranIn(place, line);
  return changes.files.map(({ path, change, from, is, added, removed, isLost }) => {
    const lines = added === undefined ? '' : ` +${added} −${removed}`;
    const before = from === undefined ? '' : ` from ${relative(place.root, from)}`;
    return `${change} ${relative(place.root, path) || '.'}${before}${is === undefined ? '' : ` (${is})`}${lines}${isLost ? ' lost' : ''}`;
  });
}

function withFiles() {
  const place = checkpointPlace();
  const { root } = place;
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(root, 'b.txt'), 'bee\n');
  mkdirSync(join(root, 'sub/deep'), { recursive: true });
  writeFileSync(join(root, 'sub/c.txt'), 'sea\n');
  writeFileSync(join(root, 'sub/deep/d.txt'), 'deed\n');
  symlinkSync('a.txt', join(root, 'link'));
  return place;
}

test('a root that is missing costs nothing; a store that fails, only the list', async () => {
  const place = withFiles();
  const command = {
    conversationId: 'c',
    turnId: 't',
    callId: 'call',
    roots: [join(place.root, 'missing'), place.root],
  };
  expect(beginCommand(place, command).nums).toHaveLength(1);
  writeFileSync(join(place.root, 'no-folder'), '');
  const checkpoints = new Checkpoints(join(place.root, 'no-folder'), {
    limits: () => KEPT_LIMITS,
    heldByGit: nothingHeld,
    leases: leasesIn(place.profile),
    maxWaitMs: 60_000,
  });
  onTestFinished(() => checkpoints.close());
  const { notKept, end } = await checkpoints.begin(command);
  expect(notKept).toEqual([{ path: place.root, why: { code: 'unfinished' } }]);
  const ended = await end(false);
  expect(ended.changes.files).toEqual([]);
  // Anything may have been written.
  expect(ended.written).toEqual([{ path: place.root, digest: null }]);
});

test('a command that does not wait leaves nothing behind but what was looked at', async () => {
  const place = withFiles();
  const checkpoints = new Checkpoints(place.profile, {
    limits: () => KEPT_LIMITS,
    heldByGit: nothingHeld,
    leases: leasesIn(place.profile),
    maxWaitMs: 0,
  });
  onTestFinished(() => checkpoints.close());
  checkpoints.prepare([place.root]);
  checkpoints.prepare([place.root]);
  const { notKept } = await checkpoints.begin({ conversationId: 'c', turnId: 't', callId: 'b', roots: [place.root] });
  expect(notKept).toEqual([{ path: place.root, why: { code: 'unfinished' } }]);
  await vi.waitFor(() => expect(place.index.statement('SELECT is_whole FROM roots').all()).toEqual([{ is_whole: 1 }]), {
    timeout: 60_000,
  });
  expect(place.store.statement('SELECT num FROM commands').all()).toEqual([]);
});

describe('what a command changed', () => {
  it.each([
    ['nothing', 'cat a.txt; ls -R', []],
    ['a file is made', 'echo new > new.txt', ['made new.txt +1 −0']],
    ['a file is changed', 'echo three >> a.txt', ['changed a.txt +1 −0']],
    ['a line is replaced', "sed -i 's/two/2/' a.txt", ['changed a.txt +1 −1']],
    ['a file is deleted', 'rm b.txt', ['deleted b.txt +0 −1']],
    ['a file is renamed', 'mv b.txt sub/z.txt', ['renamed sub/z.txt from b.txt']],
    ['permissions', 'chmod 600 a.txt', ['mode a.txt']],
    ['a file is emptied', '> a.txt', ['changed a.txt +0 −2']],
    ['a folder is made', 'mkdir -p x/y', ['made x (folder)', 'made x/y (folder)']],
    [
      'a folder is deleted',
      'rm -rf sub',
      ['deleted sub (folder)', 'deleted sub/c.txt +0 −1', 'deleted sub/deep (folder)', 'deleted sub/deep/d.txt +0 −1'],
    ],
    ['a symlink leads elsewhere', 'ln -sfn b.txt link', ['changed link (link)']],
    [
      'a file becomes a folder',
      'rm b.txt; mkdir b.txt; echo x > b.txt/x',
      ['changed b.txt (folder) +0 −1', 'made b.txt/x +1 −0'],
    ],
    [
      'a folder becomes a file',
      'rm -r sub/deep; echo x > sub/deep',
      ['changed sub/deep +1 −0', 'deleted sub/deep/d.txt +0 −1'],
    ],
    ['written again as it was', "printf 'bee\\n' > b.txt", []],
    ['made and deleted', 'touch t; rm t', []],
    [
      'changed without its time',
      'touch -r a.txt ref; echo ONE > a.txt; touch -r ref a.txt; rm ref',
      ['changed a.txt +1 −2'],
    ],
    ['names with unusual characters', 'touch "$(printf \'a\\nb\')" \'ü "q"\'', ['made a\nb +0 −0', 'made ü "q" +0 −0']],
    ['a pipe', 'mkfifo p', ['made p (other)']],
    ['binary', 'head -c 300000 /dev/zero > z.bin', ['made z.bin']],
  ])('%s', async (_what, line, expected) => {
    const place = withFiles();
    look(place, place.root);
    expect((await changesOf(place, line)).sort()).toEqual([...expected].sort());
  });

  it('keeps what a second command of the same moment changed, too', async () => {
    const place = withFiles();
    expect(await changesOf(place, 'echo 1 > a.txt')).toEqual(['changed a.txt +1 −2']);
    expect(await changesOf(place, 'echo 2 > a.txt')).toEqual(['changed a.txt +1 −1']);
  });

  it('counts nothing that changed while nothing ran', async () => {
    const place = withFiles();
    await changesOf(place, 'true');
    execFileSync('bash', ['-c', 'rm b.txt; echo x >> a.txt'], { cwd: place.root, stdio: 'ignore' });
    expect(await changesOf(place, 'echo y > y')).toEqual(['made y +1 −0']);
  });

  it('neither enters nor keeps a folder that is made again', async () => {
    const place = withFiles();
    const { root } = place;
    mkdirSync(join(root, 'node_modules/left-pad'), { recursive: true });
    writeFileSync(join(root, 'node_modules/left-pad/index.js'), '');
    writeFileSync(join(root, 'package.json'), '{}');
    mkdirSync(join(root, 'target'));
    writeFileSync(join(root, 'target/thesis.txt'), 'not made by anything');
    const { notKept } = look(place, root);
    expect(notKept).toEqual([{ path: join(root, 'node_modules'), why: { code: 'made_again', from: 'package.json' } }]);
    expect(await changesOf(place, 'rm -rf node_modules target; touch Cargo.toml')).toEqual([
      'made Cargo.toml +0 −0',
      'deleted node_modules (folder) lost',
      'deleted target (folder)',
      'deleted target/thesis.txt +0 −1',
    ]);
  });

  it('says what it can’t read or keep', async () => {
    const place = checkpointPlace();
    execFileSync('bash', ['-c', "mkfifo pipe; truncate -s 300M big; touch $'\\xff\\xfe'"], {
      cwd: place.root,
      stdio: 'ignore',
    });
    const { notKept } = look(place, place.root);
    expect(notKept.map(({ why }) => why.code).sort()).toEqual(['name', 'special', 'too_large']);
    const again = look(place, place.root);
    expect(again.notKept.map(({ why }) => why.code).sort()).toEqual(['name', 'special', 'too_large']);
  });

  it('never enters the profile', async () => {
    const place = checkpointPlace();
    const above = join(place.root, '..');
    look(place, above);
    const files = place.index.statement<{ name: string }>("SELECT name FROM entries WHERE name = 'store.db'").all();
    expect(files).toEqual([]);
  });

  it('is complete after an index was lost', async () => {
    const place = withFiles();
    await changesOf(place, 'true');
    place.index.database.exec('DELETE FROM entries; UPDATE roots SET is_whole = 0');
    expect(await changesOf(place, 'rm -r sub')).toHaveLength(4);
  });

  it('sees a change of the root itself', async () => {
    const place = withFiles();
    chmodSync(place.root, 0o755);
    utimesSync(place.root, 1, 1);
    look(place, place.root);
    expect(await changesOf(place, 'chmod 700 .')).toEqual(['mode . (folder)']);
  });
});
