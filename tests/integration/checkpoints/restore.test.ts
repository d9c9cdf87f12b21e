import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { presentEntry } from '../../../src-main/checkpoints/restore/present-entry.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';
import { expectSameTree, RestoreRig, treeOf } from './restore-rig.ts';

/** A small project with a folder in a folder. */
function project(): RestoreRig {
  const rig = new RestoreRig();
  mkdirSync(rig.at('src', 'deep'), { recursive: true });
  writeFileSync(rig.at('src', 'a.txt'), 'a');
  writeFileSync(rig.at('src', 'deep', 'b.txt'), 'b');
  writeFileSync(rig.at('README'), 'read me');
  rig.keep();
  return rig;
}

const codes = (refused: readonly { readonly path: string; readonly reason: { readonly code: string } }[]) =>
  Object.fromEntries(refused.map(({ path, reason }) => [path, reason.code]));

test('a deleted tree comes back, with the times of its folders', () => {
  const rig = project();
  rmSync(rig.at('src'), { recursive: true });
  const transitions = rig.wayBack();
  const { done, refused } = rig.carryOut(transitions);
  expect([refused, done]).toEqual([[], transitions.map(({ path }) => path)]);
  expectSameTree(treeOf(rig.root), rig.before);
});

test('a part comes back in folders that nobody asked for, which a redo removes again', () => {
  const rig = project();
  rmSync(rig.at('src'), { recursive: true });
  const only = rig.wayBack().filter(({ path }) => path.endsWith('b.txt'));
  const { operation, done } = rig.carryOut(only);
  expect(done).toEqual([rig.at('src', 'deep', 'b.txt')]);
  expect(readFileSync(rig.at('src', 'deep', 'b.txt'), 'utf8')).toBe('b');
  expect(rig.carryOut(rig.reverse(operation)).refused).toEqual([]);
  expect(readdirSync(rig.root)).toEqual(['README']);
});

test('what was changed since is left alone, and so is the folder around it', () => {
  const rig = project();
  rmSync(rig.at('src', 'a.txt'));
  writeFileSync(rig.at('README'), 'by the command');
  mkdirSync(rig.at('new'));
  writeFileSync(rig.at('new', 'made'), 'by the command');
  const transitions = rig.wayBack();
  writeFileSync(rig.at('src', 'a.txt'), 'by the user');
  writeFileSync(rig.at('README'), 'by the user');
  writeFileSync(rig.at('new', 'own'), 'by the user');
  const { refused } = rig.carryOut(transitions);
  expect(codes(refused)).toEqual({
    [rig.at('src', 'a.txt')]: 'changed_elsewhere',
    [rig.at('README')]: 'changed_elsewhere',
    [rig.at('new')]: 'folder_not_empty',
  });
  expect(existsSync(rig.at('new', 'made'))).toBe(false);
  for (const path of [rig.at('src', 'a.txt'), rig.at('README'), rig.at('new', 'own')]) {
    expect(readFileSync(path, 'utf8')).toBe('by the user');
  }
});

test('what is as before already counts as done, and is not written', () => {
  const rig = project();
  writeFileSync(rig.at('README'), 'by the command');
  const transitions = rig.wayBack();
  writeFileSync(rig.at('README'), 'read me');
  const { ino, mtimeMs } = lstatSync(rig.at('README'));
  const { done, refused } = rig.carryOut(transitions);
  expect([done, refused]).toEqual([transitions.map(({ path }) => path), []]);
  expect(lstatSync(rig.at('README'))).toMatchObject({ ino, mtimeMs });
});

test('why something is not restored: it was deleted, is a folder now, leads elsewhere, is outside, was not kept', () => {
  const rig = project();
  for (const name of ['gone', 'folder', 'outside', 'unkept']) writeFileSync(rig.at(name), 'before');
  mkdirSync(rig.at('moved'));
  writeFileSync(rig.at('moved', 'x'), 'before');
  rig.keep();
  for (const name of ['gone', 'folder', 'outside', 'unkept', 'moved/x']) writeFileSync(rig.at(name), 'after');
  const transitions = rig
    .wayBack()
    .map((each) =>
      each.path === rig.at('unkept') && each.to.kind === 'file' ? { ...each, to: { ...each.to, digest: null } } : each,
    );
  rmSync(rig.at('gone'));
  rmSync(rig.at('folder'));
  mkdirSync(rig.at('folder'));
  renameSync(rig.at('moved'), rig.tree.at('elsewhere'));
  symlinkSync(rig.tree.at('elsewhere'), rig.at('moved'));
  const { refused } = rig.carryOut(transitions, { allows: (path) => path !== rig.at('outside') });
  expect(codes(refused)).toMatchObject({
    [rig.at('gone')]: 'deleted',
    [rig.at('folder')]: 'folder_in_its_place',
    [rig.at('moved', 'x')]: 'leads_elsewhere',
    [rig.at('outside')]: 'outside_roots',
    [rig.at('unkept')]: 'not_kept',
  });
  expect(readFileSync(rig.tree.at('elsewhere', 'x'), 'utf8')).toBe('after');
});

test('nothing is made in a folder that is now a symlink', () => {
  const rig = project();
  rmSync(rig.at('src', 'a.txt'));
  const transitions = rig.wayBack();
  renameSync(rig.at('src'), rig.tree.at('elsewhere'));
  symlinkSync(rig.tree.at('elsewhere'), rig.at('src'));
  const { refused } = rig.carryOut(transitions);
  expect(codes(refused)[rig.at('src', 'a.txt')]).toBe('leads_elsewhere');
  expect(readdirSync(rig.tree.at('elsewhere'))).toEqual(['deep']);
});

test('other names of a file keep what they have', (context) => {
  needPosix(context);
  const rig = project();
  linkSync(rig.at('README'), rig.tree.at('other-name'));
  writeFileSync(rig.at('README'), 'by the command');
  expect(rig.carryOut(rig.wayBack()).refused).toEqual([]);
  expect(readFileSync(rig.at('README'), 'utf8')).toBe('read me');
  expect(readFileSync(rig.tree.at('other-name'), 'utf8')).toBe('by the command');
});

test('a file that only got another mode is not replaced', (context) => {
  needPosix(context);
  const rig = project();
  const { ino } = lstatSync(rig.at('README'));
  chmodSync(rig.at('README'), 0o000);
  expect(rig.carryOut(rig.wayBack()).refused).toEqual([]);
  expect(lstatSync(rig.at('README')).ino).toBe(ino);
  expectSameTree(treeOf(rig.root), rig.before);
});

test('nothing waits for a pipe, and a pipe or socket that a command made goes away', async (context) => {
  needPosix(context);
  const rig = project();
  spawnSync('mkfifo', [rig.at('pipe')]);
  rmSync(rig.at('README'));
  spawnSync('mkfifo', [rig.at('README')]);
  const server = createServer().listen(rig.at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  expect(presentEntry(rig.at('pipe')).kind).toBe('other');
  expect(presentEntry(rig.at('socket')).kind).toBe('other');
  expect(rig.carryOut(rig.wayBack()).refused).toEqual([]);
  server.close();
  expectSameTree(treeOf(rig.root), rig.before);
});

test('files in place of folders and folders in place of files are exchanged', () => {
  const rig = project();
  rmSync(rig.at('src'), { recursive: true });
  writeFileSync(rig.at('src'), 'a file');
  rmSync(rig.at('README'));
  mkdirSync(rig.at('README', 'inside'), { recursive: true });
  symlinkSync('nowhere', rig.at('README', 'inside', 'link'));
  expect(rig.carryOut(rig.wayBack()).refused).toEqual([]);
  expectSameTree(treeOf(rig.root), rig.before);
});

test('a folder in the place of a file stays if it contains what is not to go', () => {
  const rig = project();
  rmSync(rig.at('README'));
  mkdirSync(rig.at('README'));
  const transitions = rig.wayBack();
  writeFileSync(rig.at('README', 'own'), 'by the user');
  const { refused } = rig.carryOut(transitions);
  expect(codes(refused)).toEqual({ [rig.at('README')]: 'folder_not_empty' });
  expect(readFileSync(rig.at('README', 'own'), 'utf8')).toBe('by the user');
});

test('a large file comes back from a file of the store', () => {
  const rig = project();
  const text = 'line of a large file\n'.repeat(50_000);
  writeFileSync(rig.at('large'), text);
  chmodSync(rig.at('large'), 0o640);
  rig.keep();
  writeFileSync(rig.at('large'), 'short');
  expect(rig.carryOut(rig.wayBack()).refused).toEqual([]);
  expectSameTree(treeOf(rig.root), rig.before);
});

test('a content that is damaged in the store is not restored', () => {
  const rig = project();
  writeFileSync(rig.at('README'), 'by the command');
  rig.ports.store.statement('UPDATE contents SET bytes = ? WHERE size = 7').run(Buffer.from('damaged'));
  const { refused } = rig.carryOut(rig.wayBack());
  expect(codes(refused)).toEqual({ [rig.at('README')]: 'not_kept' });
  expect(readFileSync(rig.at('README'), 'utf8')).toBe('by the command');
});

test('no temporary file stays, and the time of the folder does', () => {
  const rig = project();
  writeFileSync(rig.at('README'), 'by the command');
  const { done } = rig.carryOut(rig.wayBack());
  expect(done).toEqual([rig.at('README')]);
  expectSameTree(treeOf(rig.root), rig.before);
});
