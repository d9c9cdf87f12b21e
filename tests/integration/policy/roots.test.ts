import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UnresolvablePath } from '../../../src-main/base/real-path.ts';
import { AccessDenied, Roots } from '../../../src-main/policy/roots.ts';
import { FolderTree } from '../../fixtures/folder-tree.ts';

let tree: FolderTree;
let roots: Roots;

beforeEach(() => {
  tree = new FolderTree();
  tree.folder('w/src');
  tree.file('w/a.txt');
  tree.folder('granted');
  tree.folder('profile');
  tree.folder('home');
  roots = rootsOf('w');
});

afterEach(() => tree.remove());

function rootsOf(workspace: string, more: Partial<ConstructorParameters<typeof Roots>[0]> = {}): Roots {
  return new Roots({
    workspace: tree.at(workspace),
    folders: [tree.at('granted')],
    profileDirectory: tree.at('profile'),
    homeDirectory: tree.at('home'),
    ...more,
  });
}

async function denial(given: string, kind: 'file' | 'directory' = 'file', of = roots): Promise<AccessDenied> {
  const error: unknown = await of.resolve(given, kind).catch((thrown: unknown) => thrown);
  if (!(error instanceof AccessDenied)) throw new Error(`${given} was not denied: ${String(error)}`);
  return error;
}

test.each([
  ['a.txt', 'w/a.txt', true],
  ['./a.txt', 'w/a.txt', true],
  ['src/Program.cs', 'w/src/Program.cs', false],
  ['./utils/helper.js', 'w/utils/helper.js', false],
  ['subfolder/../other.txt', 'w/other.txt', false],
  ['src/', 'w/src', true],
  ['src//x', 'w/src/x', false],
  ['.', 'w', true],
  ['..x', 'w/..x', false],
  ['größe/数.txt', 'w/größe/数.txt', false],
  ['a.txt.', 'w/a.txt.', false],
  ['a.txt/b', 'w/a.txt/b', false],
  ['~/x', 'w/~/x', false],
])('%s in the workspace is %s', async (given, expected, exists) => {
  expect(await roots.resolve(given, 'file')).toEqual({
    given,
    absolute: tree.at(expected),
    real: tree.at(expected),
    exists,
  });
});

test('absolute paths are taken when they are inside a root, granted folders too', async () => {
  expect((await roots.resolve(tree.at('w/a.txt'), 'file')).real).toBe(tree.at('w/a.txt'));
  expect((await roots.resolve(tree.at('w'), 'directory')).real).toBe(tree.at('w'));
  expect((await roots.resolve(tree.at('granted/new/x'), 'file')).real).toBe(tree.at('granted/new/x'));
  expect((await roots.resolve('../granted/x', 'file')).real).toBe(tree.at('granted/x'));
});

test('an empty path means the workspace for a folder, and is an error for a file', async () => {
  expect((await roots.resolve('', 'directory')).real).toBe(tree.at('w'));
  await expect(roots.resolve('', 'file')).rejects.toThrow('The path is empty');
});

test.each([
  '../../../etc/passwd',
  '/tmp/malicious',
  'C:\\Windows\\System32',
  'C:/Windows',
  '\\\\server\\share',
  '..',
  '../w-evil/x',
  '/',
  '/etc',
])('%s is denied with the exact text', async (given) => {
  expect((await denial(given)).message).toBe(`Error: Access denied. File must be in ${tree.at('w')}`);
  expect((await denial(given, 'directory')).message).toBe(`Error: Access denied. Directory must be in ${tree.at('w')}`);
});

test('a sibling whose name begins like the workspace is outside', async () => {
  tree.file('w-evil/x');
  expect(await denial(tree.at('w-evil/x'))).toMatchObject({ folder: tree.at('w-evil') });
  expect(await denial(tree.at('granted2'), 'directory')).toMatchObject({ folder: tree.at('granted2') });
});

test('symlinks are followed before it is decided, to files that are not there yet too', async () => {
  tree.folder('outside/deep');
  tree.link('w/out', tree.at('outside'));
  tree.link('w/dangling', tree.at('outside/nothing.txt'));
  tree.link('w/relative', '../outside/deep');
  tree.link('w/chain', 'out/deep/x');
  tree.link('w/through-missing', 'missing/../../outside/x');
  for (const given of [
    'out',
    'out/evil.txt',
    'out/new/evil.txt',
    'dangling',
    'dangling/x',
    'relative/x',
    'chain',
    'through-missing',
  ]) {
    await denial(given);
  }
  tree.link('w/in', 'src');
  tree.link('w/to-granted', tree.at('granted/new'));
  tree.link('w/absolute-in', tree.at('w/src/new.txt'));
  expect((await roots.resolve('in/x', 'file')).real).toBe(tree.at('w/src/x'));
  expect((await roots.resolve('to-granted/x', 'file')).real).toBe(tree.at('granted/new/x'));
  expect(await roots.resolve('absolute-in', 'file')).toMatchObject({ real: tree.at('w/src/new.txt'), exists: false });
});

test('a path from outside that leads inside by a symlink is inside', async () => {
  tree.link('elsewhere/link', tree.at('w/src'));
  expect((await roots.resolve(tree.at('elsewhere/link/new.txt'), 'file')).real).toBe(tree.at('w/src/new.txt'));
});

test('".." is resolved in the text of a path, not after following symlinks', async () => {
  tree.folder('outside/deep');
  tree.link('w/out', tree.at('outside/deep'));
  expect((await roots.resolve('out/../a.txt', 'file')).real).toBe(tree.at('w/a.txt'));
});

test('loops of symlinks are an error inside the roots and denied outside, and never hang', async () => {
  tree.link('w/a', 'b');
  tree.link('w/b', 'a');
  tree.link('w/self', 'self/x');
  tree.link('outside/loop', 'loop');
  for (const given of ['a', 'b/x', 'self'])
    await expect(roots.resolve(given, 'file')).rejects.toMatchObject({ cause: expect.any(UnresolvablePath) });
  await denial(tree.at('outside/loop'));
});

test('outside the roots the answer does not tell what is there', async () => {
  tree.file('outside/there.txt');
  const there = await denial(tree.at('outside/there.txt'));
  const missing = await denial(tree.at('outside/missing.txt'));
  const under = await denial(tree.at('outside/there.txt/x'));
  const long = await denial(tree.at(`outside/${'x'.repeat(5000)}`));
  expect(new Set([there.message, missing.message, under.message, long.message]).size).toBe(1);
});

test('an invalid path is an error with a reason', async () => {
  await expect(roots.resolve('a\0b', 'file')).rejects.toThrow('NUL');
  await expect(roots.resolve('a\ud800b', 'file')).rejects.toThrow('Unicode');
  await expect(roots.resolve('x'.repeat(300), 'file')).rejects.toThrow('too long');
  const huge = await roots.resolve('x/'.repeat(5_000_000), 'file').catch((error: unknown) => error);
  expect(String(huge)).toContain('too long');
  expect(String(huge).length).toBeLessThan(500);
});

test('the profile folder is never inside a root', async () => {
  tree.file('w/profile/config.json');
  tree.link('w/by-link', tree.at('w/profile'));
  tree.link('w/dangling-in', tree.at('w/profile/new.db'));
  const containing = rootsOf('w', { profileDirectory: tree.at('w/profile') });
  for (const given of [
    'profile',
    'profile/config.json',
    'profile/new',
    'src/../profile/x',
    'by-link/x',
    'dangling-in',
    tree.at('w/profile/x'),
  ]) {
    expect(await denial(given, 'file', containing)).toMatchObject({ folder: undefined });
  }
  expect((await containing.resolve('profile2/x', 'file')).real).toBe(tree.at('w/profile2/x'));
  expect(containing.contains(tree.at('w/profile/config.json'))).toBe(false);
  expect(containing.profileDirectory).toBe(tree.at('w/profile'));

  const byLink = rootsOf('w', { profileDirectory: tree.at('w/by-link') });
  await denial('profile/config.json', 'file', byLink);

  const granted = rootsOf('w', { folders: [tree.at('w/profile')], profileDirectory: tree.at('w/profile') });
  await denial('profile/config.json', 'file', granted);

  const inside = rootsOf('w/profile', { profileDirectory: tree.at('w') });
  await denial('x', 'file', inside);
  await expect(inside.checkWorkspace()).rejects.toThrow('inside the profile folder');
});

test('a profile folder that does not exist yet is kept out all the same', async () => {
  const early = rootsOf('w', { profileDirectory: tree.at('w/later') });
  mkdirSync(tree.at('w/later'));
  await denial('later/config.json', 'file', early);
});

test('a workspace may be a symlink: texts name it as configured, real paths are real', async () => {
  tree.link('shortcut', tree.at('w'));
  const linked = rootsOf('shortcut');
  expect(linked.workspace).toBe(tree.at('shortcut'));
  expect(linked.realWorkspace).toBe(tree.at('w'));
  expect(await linked.resolve('new.txt', 'file')).toMatchObject({
    absolute: tree.at('shortcut/new.txt'),
    real: tree.at('w/new.txt'),
  });
  expect((await linked.resolve(tree.at('w/a.txt'), 'file')).exists).toBe(true);
  expect((await denial('../x', 'file', linked)).message).toContain(tree.at('shortcut'));
});

test('a workspace that is swapped for a symlink leads nowhere', async () => {
  tree.folder('outside');
  renameSync(tree.at('w'), tree.at('gone'));
  symlinkSync(tree.at('outside'), tree.at('w'));
  await denial('x');
});

test('a workspace that is missing or a file is an error that says which it is', async () => {
  await expect(rootsOf('nothing').resolve('x', 'file')).rejects.toThrow(
    `The workspace ${tree.at('nothing')} does not exist.`,
  );
  await expect(rootsOf('w/a.txt').resolve('x', 'file')).rejects.toThrow('is not a folder');
  await denial('../../etc/passwd', 'file', rootsOf('nothing'));
  rmSync(tree.at('w'), { recursive: true });
  await expect(roots.resolve('a.txt', 'file')).rejects.toThrow('does not exist');
  expect((await roots.resolve(tree.at('granted/x'), 'file')).real).toBe(tree.at('granted/x'));
  await expect(roots.checkWorkspace()).rejects.toThrow('does not exist');
});

test('folders that are not absolute paths are refused by name', () => {
  expect(() => new Roots({ workspace: 'w', folders: [], profileDirectory: '/p' })).toThrow(
    'The workspace must be an absolute path, not "w"',
  );
  expect(() => rootsOf('w', { folders: ['x'] })).toThrow('The granted folder must be an absolute path');
});

test('an unreadable granted folder has no effect, is reported, and leaves the rest working', async () => {
  tree.link('loop', 'loop');
  const some = rootsOf('w', { folders: [tree.at('loop'), tree.at('granted')] });
  expect(some.unusableFolders).toEqual([
    { folder: tree.at('loop'), reason: 'it leads through too many symbolic links' },
  ]);
  expect((await some.resolve(tree.at('granted/x'), 'file')).real).toBe(tree.at('granted/x'));
  expect(() => rootsOf('loop')).toThrow(`The workspace ${tree.at('loop')} cannot be used`);
});

test('a window accepts a workspace that can’t be resolved: there is nothing in it, also once it leads elsewhere', async () => {
  tree.link('loop', 'loop');
  tree.file('outside/x');
  const lost = rootsOf('loop', { acceptsUnusable: true });
  expect(await lost.workspaceFlaw()).toBe('unreadable');
  await expect(lost.resolve('x', 'file')).rejects.toThrow('cannot be used');
  rmSync(tree.at('loop'));
  symlinkSync(tree.at('outside'), tree.at('loop'));
  await denial('x', 'file', lost);
});

test('a denial names the folder that the user could grant', async () => {
  tree.file('outside/deep/x');
  expect((await denial(tree.at('outside/deep/x'))).folder).toBe(tree.at('outside/deep'));
  expect((await denial(tree.at('outside/deep'), 'directory')).folder).toBe(tree.at('outside/deep'));
  expect((await denial(tree.at('outside/new/er/x'))).folder).toBe(tree.at('outside/new/er'));
  expect((await denial(tree.at('outside/deep/x/y'))).folder).toBeUndefined();
  expect((await denial('/nothing-here/x')).folder).toBeUndefined();
});

test.each([
  ['a file in the home folder', 'home/notes.txt', undefined],
  ['the home folder', 'home', undefined],
  ['what holds the home folder', 'x.txt', undefined],
  ['a new folder in the home folder', 'home/projects/new/x.txt', 'home/projects/new'],
])('a denial never offers the whole home folder: %s', async (_what, given, folder) => {
  const expected = folder && tree.at(folder);
  expect((await denial(tree.at(given), given === 'home' ? 'directory' : 'file')).folder).toBe(expected);
});

test('the root of the file system can be a workspace', async () => {
  const everything = new Roots({
    workspace: '/',
    folders: [],
    profileDirectory: tree.at('profile'),
    homeDirectory: tree.at('home'),
  });
  expect((await everything.resolve(tree.at('w/a.txt'), 'file')).real).toBe(tree.at('w/a.txt'));
  await denial(tree.at('profile/x'), 'file', everything);
});

test('a link that leads up out of a missing folder resolves to nothing', async () => {
  const broken = new FolderTree();
  for (const folder of ['w', 'granted', 'profile']) broken.folder(folder);
  broken.link('link', `${broken.at('w/missing')}/..`);
  const roots = new Roots({
    workspace: broken.at('w'),
    folders: [],
    profileDirectory: broken.at('profile'),
    homeDirectory: broken.at('home'),
  });
  expect(await roots.resolve(broken.at('link'), 'file')).toMatchObject({ real: broken.at('w'), exists: false });
  broken.remove();
});

const name = fc.constantFrom('a', 'b', 'link1', 'link2', 'w', 'profile', 'outside', 'ü');
const step = fc.oneof({ weight: 4, arbitrary: name }, fc.constantFrom('..', '.', '', '...'));
const relative = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => steps.join('/'));
const place = fc
  .tuple(fc.constantFrom('w', 'w/a', 'outside', 'granted', ''), name)
  .map(([folder, it]) => join(folder, it));
const target = fc.oneof(
  relative,
  fc
    .tuple(fc.constantFrom('w', 'outside', 'profile', 'granted', 'nothing'), relative)
    .map((parts) => `@/${parts.join('/')}`),
);
const entries = fc.array(fc.tuple(place, fc.oneof(fc.constant('file'), fc.constant('folder'), target)), {
  maxLength: 10,
});

function build(at: FolderTree, things: readonly (readonly [string, string])[]): void {
  for (const folder of ['w', 'outside', 'granted', 'profile']) at.folder(folder);
  for (const [path, what] of things) {
    try {
      if (what === 'file') at.file(path);
      else if (what === 'folder') at.folder(path);
      else at.link(path, what.replace('@', at.path));
    } catch {
      // Something is in the way already: the tree is as good without it.
    }
  }
}

const isBelow = (folder: string, path: string) => path === folder || path.startsWith(folder + sep);

test('in any tree of folders and symlinks, nothing that is resolved is or can be made outside the roots', async () => {
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.oneof(
        relative,
        relative.map((path) => `@/${path}`),
      ),
      async (things, path) => {
        const random = new FolderTree();
        try {
          build(random, things);
          const of = new Roots({
            workspace: random.at('w'),
            folders: [random.at('granted')],
            profileDirectory: random.at('profile'),
            homeDirectory: random.at('home'),
          });
          const resolved = await of.resolve(path.replace('@', random.path), 'file').catch(() => undefined);
          if (resolved === undefined) return;
          // The operating system is asked what the path means: through it nothing outside may be reached, now or after
          // writing.
          expect(existsSync(resolved.absolute)).toBe(resolved.exists);
          if (!resolved.exists) tryToWrite(resolved.absolute);
          if (!existsSync(resolved.absolute)) return;
          const actual = realpathSync(resolved.absolute);
          expect(actual).toBe(resolved.real);
          expect(['w', 'granted'].some((root) => isBelow(realpathSync(random.at(root)), actual))).toBe(true);
          expect(isBelow(random.at('profile'), actual)).toBe(false);
        } finally {
          random.remove();
        }
      },
    ),
    { numRuns: 400 },
  );
});

function tryToWrite(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  } catch {
    // A file stands where a folder would have to be: then nothing can be reached there.
  }
}

test('a file that is only in a parent is found up to the root of the repository, and flagged as outside the roots', async () => {
  tree.folder('repo/.git');
  tree.file('repo/README.md');
  tree.file('repo/docs/a.md');
  tree.file('repo/pkg/mid.txt');
  tree.file('above.md');
  tree.folder('repo/pkg/sub');
  const nested = rootsOf('repo/pkg/sub');
  expect(await nested.findElsewhere('README.md')).toMatchObject({
    real: tree.at('repo/README.md'),
    outsideRoots: true,
    exists: true,
  });
  expect(await nested.findElsewhere('docs/a.md')).toMatchObject({ real: tree.at('repo/docs/a.md') });
  expect(await nested.findElsewhere('mid.txt')).toMatchObject({ real: tree.at('repo/pkg/mid.txt') });
  for (const given of [
    'above.md',
    'nothing.md',
    'docs',
    '',
    'x/../README.md',
    '../README.md',
    tree.at('repo/README.md'),
    'a\0',
    '\ud800',
  ]) {
    expect(await nested.findElsewhere(given)).toBeNull();
  }
  const granted = rootsOf('repo/pkg/sub', { folders: [tree.at('repo')] });
  expect(await granted.findElsewhere('README.md')).toMatchObject({ outsideRoots: false });
});

test('nothing is looked for above the workspace without a repository around it, or above a repository that it is the root of', async () => {
  tree.file('README.md');
  expect(await roots.findElsewhere('README.md')).toBeNull();
  tree.folder('w/.git');
  expect(await roots.findElsewhere('README.md')).toBeNull();
});

test('a file found in a parent folder must really be in the repository and not in the profile folder', async () => {
  tree.folder('repo/.git');
  tree.folder('repo/pkg');
  tree.file('outside/secret.txt');
  tree.link('repo/secret.txt', tree.at('outside/secret.txt'));
  tree.link('repo/folder', tree.at('outside'));
  tree.link('repo/inner.txt', 'real.txt');
  tree.file('repo/real.txt');
  tree.file('repo/profile/config.json');
  tree.link('repo/loop', 'loop');
  const nested = rootsOf('repo/pkg', { profileDirectory: tree.at('repo/profile') });
  for (const given of ['secret.txt', 'folder/secret.txt', 'profile/config.json', 'loop'])
    expect(await nested.findElsewhere(given)).toBeNull();
  expect(await nested.findElsewhere('inner.txt')).toMatchObject({ real: tree.at('repo/real.txt') });
});

test('the search upwards stops below the home folder', async () => {
  tree.folder('home/.git');
  tree.file('home/notes.md');
  tree.file('home/projects/here.md');
  tree.folder('home/projects/x');
  const atHome = rootsOf('home/projects/x');
  expect(await atHome.findElsewhere('notes.md')).toBeNull();
  expect(await atHome.findElsewhere('here.md')).toMatchObject({ real: tree.at('home/projects/here.md') });
  tree.folder('.git');
  rmSync(tree.at('home/.git'), { recursive: true });
  tree.file('top.md');
  expect(await atHome.findElsewhere('top.md')).toBeNull();
});

test('a worktree, whose .git is a file, is a repository too, and the nearest one counts', async () => {
  tree.folder('repo/.git');
  tree.file('repo/outer.md');
  tree.file('repo/tree/.git', 'gitdir: elsewhere');
  tree.file('repo/tree/inner.md');
  tree.folder('repo/tree/pkg');
  const nested = rootsOf('repo/tree/pkg');
  expect(await nested.findElsewhere('inner.md')).toMatchObject({ real: tree.at('repo/tree/inner.md') });
  expect(await nested.findElsewhere('outer.md')).toBeNull();
});

test('the roots are told by their real paths, outer and inner ones', () => {
  const nested = rootsOf('w', { folders: [tree.at('granted'), tree.at('w/src')] });
  expect(nested.real).toEqual([tree.at('w'), tree.at('granted'), tree.at('w/src')]);
  expect(nested.contains(tree.at('w/src/a.ts'))).toBe(true);
  expect(nested.contains(tree.at('home'))).toBe(false);
  expect(nested.contains(tree.at('profile'))).toBe(false);
});
