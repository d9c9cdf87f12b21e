import { linkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccessDenied, Roots } from '../../src-main/policy/roots.ts';
import { FolderTree } from '../fixtures/folder-tree.ts';

let tree: FolderTree;
let roots: Roots;

beforeEach(() => {
  tree = new FolderTree();
  tree.file('w/a.txt');
  tree.file('profile/config.json');
  tree.file('secret/key');
  roots = new Roots({
    workspace: tree.at('w'),
    folders: [],
    profileDirectory: tree.at('profile'),
    homeDirectory: tree.at('home'),
  });
});

afterEach(() => tree.remove());

async function isDenied(given: string, of = roots): Promise<boolean> {
  return of.resolve(given, 'file').then(
    () => false,
    (error: unknown) => error instanceof AccessDenied,
  );
}

test.each([
  '../secret/key',
  './../secret/key',
  'x/../../secret/key',
  'x/y/../../../secret/key',
  '..//secret//key',
  '../w/../secret/key',
  'a.txt/../../secret/key',
  '/etc/passwd',
  '//etc/passwd',
  '/./etc/passwd',
  '/proc/self/environ',
  '/proc/self/root/etc/passwd',
  '/dev/stdin',
])('%s does not leave the workspace', async (given) => {
  expect(await isDenied(given)).toBe(true);
});

test.each([
  '..%2fsecret/key',
  '%2e%2e/secret/key',
  '..\\secret\\key',
  '．．/secret/key',
  '../secret\u200b/key',
  'file:///etc/passwd',
])('what only looks like a way out (%s) is a name in the workspace or denied', async (given) => {
  const real = await roots.resolve(given, 'file').then(
    (resolved) => resolved.real,
    (error: unknown) => (error instanceof AccessDenied ? 'denied' : String(error)),
  );
  expect(real === 'denied' || real.startsWith(tree.at('w/'))).toBe(true);
});

test('a chain of symlinks as long as the system allows is followed to its end, a longer one is an error', async () => {
  symlinkSync(tree.at('secret/new'), tree.at('w/link0'));
  for (let index = 1; index < 30; index += 1) symlinkSync(`link${index - 1}`, tree.at(`w/link${index}`));
  expect(await isDenied('link29')).toBe(true);
  for (let index = 30; index < 60; index += 1) symlinkSync(`link${index - 1}`, tree.at(`w/link${index}`));
  await expect(roots.resolve('link59', 'file')).rejects.toThrow();
});

test('a symlink to /proc/self/root or /proc/self/cwd is followed before deciding', async () => {
  symlinkSync('/proc/self/root', tree.at('w/root'));
  symlinkSync('/proc/self/cwd', tree.at('w/cwd'));
  expect(await isDenied('root/etc/passwd')).toBe(true);
  expect(await isDenied('cwd/package.json')).toBe(true);
});

test('a folder that becomes a symlink between two calls is followed before deciding the second', async () => {
  tree.folder('w/sub');
  expect(await isDenied('sub/key')).toBe(false);
  renameSync(tree.at('w/sub'), tree.at('w/moved'));
  symlinkSync(tree.at('secret'), tree.at('w/sub'));
  expect(await isDenied('sub/key')).toBe(true);
  unlinkSync(tree.at('w/sub'));
  expect(await isDenied('sub/key')).toBe(false);
});

test('no way of writing its path opens the profile folder to a workspace that holds it', async () => {
  const whole = new Roots({
    workspace: tree.path,
    folders: [tree.at('profile')],
    profileDirectory: tree.at('profile'),
    homeDirectory: tree.at('home'),
  });
  tree.link('w/p', tree.at('profile'));
  tree.link('w/up', '..');
  tree.link('w/new', tree.at('profile/planted.json'));
  for (const given of [
    'profile/config.json',
    './profile//config.json',
    'w/../profile/config.json',
    'profile/',
    'profile',
    'w/p/config.json',
    'w/up/profile/config.json',
    'w/up/w/up/profile/steward.db-wal',
    'w/new',
    tree.at('profile/config.json'),
    `${tree.path}/./w/../profile/config.json`,
  ]) {
    expect(await isDenied(given, whole)).toBe(true);
  }
  expect(await isDenied('w/a.txt', whole)).toBe(false);
});

test('the search for a file in parents does not lead out by links, names or special files', async () => {
  tree.folder('repo/.git');
  tree.folder('repo/pkg');
  tree.link('repo/passwd', '/etc/passwd');
  tree.link('repo/etc', '/etc');
  tree.link('repo/null', '/dev/null');
  tree.link('repo/profile', tree.at('profile'));
  const nested = new Roots({
    workspace: tree.at('repo/pkg'),
    folders: [],
    profileDirectory: tree.at('profile'),
    homeDirectory: tree.at('home'),
  });
  for (const given of [
    'passwd',
    'etc/passwd',
    'null',
    'profile/config.json',
    '../passwd',
    './../repo/passwd',
    '.git',
  ]) {
    expect(await nested.findElsewhere(given)).toBeNull();
  }
});

test('a hard link is a file of the workspace: who could make it could read it', async () => {
  linkSync(tree.at('secret/key'), tree.at('w/hard'));
  expect((await roots.resolve('hard', 'file')).real).toBe(tree.at('w/hard'));
});
