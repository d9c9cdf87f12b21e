import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Restored } from '../../../src-main/checkpoints/restore/carry-out.ts';
import { reversed } from '../../../src-main/checkpoints/restore/journal.ts';
import { recoverOperations } from '../../../src-main/checkpoints/restore/recover.ts';
import { endsWithTest } from '../../fixtures/ends-with-test.ts';
import { need, needLinux, needPosix } from '../../fixtures/machine-needs.ts';
import { repetitions } from '../../fixtures/repetitions.ts';
import { expectSameTree, RestoreRig, treeOf } from './restore-rig.ts';

const CHILD = `${import.meta.dirname}/restore-child.ts`;
/** Root may write anywhere; without these capabilities it is bound by permissions like everyone. */
const asEveryone =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : [];

/** Carries out what undoes the changes, in a process that permissions hold back. */
async function carryOutAsEveryone(rig: RestoreRig, under: readonly string[] = asEveryone): Promise<Restored> {
  const file = rig.tree.file('transitions', JSON.stringify(rig.wayBack()));
  const [program = '', ...args] = [...under, process.execPath, CHILD, 'carry-out', rig.tree.at('profile'), file];
  const { stdout } = await promisify(execFile)(program, args);
  return JSON.parse(stdout.trim()) as Restored;
}

test('folders that were closed are opened for the time of the work', async (context) => {
  needPosix(context);
  const rig = new RestoreRig();
  mkdirSync(rig.at('a', 'b'), { recursive: true });
  mkdirSync(rig.at('c'));
  for (const path of [rig.at('a', 'b', 'file'), rig.at('c', 'file'), rig.at('c', 'deleted')]) {
    writeFileSync(path, 'before');
  }
  chmodSync(rig.at('c'), 0o555);
  rig.keep();
  rmSync(rig.at('c', 'deleted'));
  writeFileSync(rig.at('c', 'file'), 'after');
  for (const path of [rig.at('a', 'b', 'file'), rig.at('a', 'b'), rig.at('a')]) chmodSync(path, 0o000);
  const { refused } = await carryOutAsEveryone(rig);
  expect(refused).toEqual([]);
  expectSameTree(treeOf(rig.root), rig.before);
});

test('if the system refuses something halfway, all is as it was before the undo', async (context) => {
  needPosix(context);
  need(context, process.getuid?.() === 0, 'only root may give a folder to somebody else');
  const rig = new RestoreRig();
  mkdirSync(rig.at('of-others'));
  for (const path of [rig.at('a'), rig.at('of-others', 'b'), rig.at('z')]) writeFileSync(path, 'before');
  rig.keep();
  writeFileSync(rig.at('a'), 'after');
  rmSync(rig.at('of-others', 'b'));
  writeFileSync(rig.at('made'), 'after');
  rmSync(rig.at('z'));
  chmodSync(rig.at('of-others'), 0o755);
  chownSync(rig.at('of-others'), 65_534, 65_534);
  const after = treeOf(rig.root);
  const { done, refused, isInterrupted } = await carryOutAsEveryone(rig);
  expect([done, isInterrupted]).toEqual([[], false]);
  expect(new Set(refused.map(({ reason }) => JSON.stringify(reason)))).toEqual(
    new Set([
      JSON.stringify({ code: 'file_problem', message: `EACCES: permission denied: ${rig.at('of-others', 'b')}` }),
    ]),
  );
  const same = [...after].filter(([path]) => path !== rig.root);
  expectSameTree(new Map([...treeOf(rig.root)].filter(([path]) => path !== rig.root)), new Map(same));
});

/** The root of a rig on a file system of its own, if this user may mount one. */
function mountRoot(rig: RestoreRig, ...options: readonly string[]): boolean {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', rig.root]).status === 0;
  if (mounted) onTestFinished(() => void spawnSync('umount', ['-l', rig.root]));
  return mounted;
}

const NEEDS_MOUNT = 'a small disk can only be mounted as root, and in a container that may';

test('a disk that fills up halfway: all is as it was before the undo', (context) => {
  const rig = new RestoreRig();
  need(context, mountRoot(rig, '-o', 'size=1m'), NEEDS_MOUNT);
  // The first makes room, the second takes it, the third needs more. Taken back in the same order, the first had none.
  const sizes = { a: [4, 600], b: [600, 4], c: [100, 4] } as const;
  const write = (which: 0 | 1) => {
    for (const [name, size] of Object.entries(sizes))
      writeFileSync(rig.at(name), String(which).repeat(size[which] * 1024));
  };
  write(0);
  rig.keep();
  for (const name of Object.keys(sizes)) rmSync(rig.at(name));
  write(1);
  const transitions = rig.wayBack();
  writeFileSync(rig.at('filler'), 'x'.repeat(404 * 1024));
  const after = treeOf(rig.root);
  const { done, refused, isInterrupted } = rig.carryOut(transitions);
  expect([done, isInterrupted]).toEqual([[], false]);
  expect(refused.map(({ reason }) => reason)).toContainEqual({
    code: 'file_problem',
    message: `ENOSPC: no space left on device: ${rig.at('c')}`,
  });
  expectSameTree(treeOf(rig.root), after);

  rmSync(rig.at('filler'));
  expect(rig.carryOut(transitions).refused).toEqual([]);
  expectSameTree(treeOf(rig.root), rig.before);
});

test('a read-only file system is left as it is', (context) => {
  const rig = new RestoreRig();
  need(context, mountRoot(rig), NEEDS_MOUNT);
  writeFileSync(rig.at('file'), 'before');
  rig.keep();
  writeFileSync(rig.at('file'), 'after');
  const transitions = rig.wayBack();
  spawnSync('mount', ['-o', 'remount,ro', rig.root]);
  const { done, refused } = rig.carryOut(transitions);
  expect([done, refused.length]).toEqual([[], transitions.length]);
  expect(refused[0]?.reason).toMatchObject({ code: 'file_problem', message: expect.stringContaining('EROFS') });
  expect(readFileSync(rig.at('file'), 'utf8')).toBe('after');
});

test('a folder that becomes a symlink while it works never makes it write outside', async (context) => {
  needLinux(context, 'elsewhere a path is only checked right before it is used');
  const rig = new RestoreRig();
  const outside = rig.tree.folder('outside');
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  mkdirSync(rig.at('d'));
  for (const name of names) writeFileSync(rig.at('d', name), 'before');
  rig.keep();
  for (const name of names) writeFileSync(rig.at('d', name), 'after');
  // What is outside looks exactly like what is to be replaced.
  for (const name of names) writeFileSync(rig.tree.at('outside', name), 'after');
  const transitions = rig.wayBack();
  const stop = rig.tree.at('stop');
  const swapping = spawn(process.execPath, ['-e', SWAP, rig.at('d'), outside, stop], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endsWithTest(swapping);
  await once(swapping.stdout, 'data');
  let stopped = 0;
  for (let turn = 0; turn < repetitions(20, 300); turn++) {
    const { done } = rig.carryOut(turn % 2 === 0 ? transitions : transitions.map(reversed));
    if (done.length < transitions.length) stopped += 1;
    for (const name of names) expect(readFileSync(rig.tree.at('outside', name), 'utf8')).toBe('after');
  }
  writeFileSync(stop, '');
  await once(swapping, 'exit');
  expect(stopped).toBeGreaterThan(0);
  expect(readdirSync(outside).sort()).toEqual([...names].sort());
  // What could not be taken back either, while the folder was gone, can be finished now.
  recoverOperations(rig.ports);
  expect(rig.carryOut(rig.wayBack()).refused).toEqual([]);
  expectSameTree(treeOf(rig.root), rig.before);
});

/** Exchanges a folder and a symlink, until a file says that it is enough. */
const SWAP = `
  const { existsSync, renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [folder, outside, stop] = process.argv.slice(1);
  const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 4);
  console.log('swapping');
  while (!existsSync(stop)) {
    renameSync(folder, folder + '.aside');
    symlinkSync(outside, folder);
    if (Math.random() < 0.3) pause();
    unlinkSync(folder);
    renameSync(folder + '.aside', folder);
    pause();
  }
`;
