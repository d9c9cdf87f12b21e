import { describe, expect, test } from 'vitest';
import type { ChangedPath } from '../../../src-preload/contract/file-changes.ts';
import { type ChangedFolder, changeTree, nameOf, pathsIn } from '../../../src-renderer/tool-cards/change-tree.ts';
import { ChosenFiles } from '../../../src-renderer/tool-cards/chosen-files.svelte.ts';
import { changed } from '../../fixtures/file-changes.ts';

/** The names as they are shown: `{ 'src/main': ['a.ts'] }`. */
function shown({ folders, files }: ChangedFolder): unknown[] {
  return [...folders.map((folder) => ({ [folder.name]: shown(folder) })), ...files.map(({ path }) => nameOf(path))];
}
const tree = (paths: readonly string[], workspace = '/home/ada/project') =>
  shown(changeTree(changed(Object.fromEntries(paths.map((path) => [path, 'changed'] as const))), workspace));

describe('the changed files by folder', () => {
  test('are named from the workspace, and a folder that holds only another is one with it', () => {
    const names = ['README.md', 'src/main/a.ts', 'src/main/deep/er/b.ts', 'src/main/deep/er/c.ts', 'tests/t.ts'];
    expect(tree(names.map((name) => `/home/ada/project/${name}`))).toEqual([
      { 'src/main': [{ 'deep/er': ['b.ts', 'c.ts'] }, 'a.ts'] },
      { tests: ['t.ts'] },
      'README.md',
    ]);
  });

  test('are named in full outside the workspace, as is one whose folder only begins with its name', () => {
    expect(tree(['/home/ada/project-2/a', '/mnt/b'])).toEqual([{ '/home/ada/project-2': ['a'] }, { '/mnt': ['b'] }]);
    expect(tree(['/b'])).toEqual(['/b']);
  });

  test('are split at backslashes only on Windows', () => {
    expect(tree(['C:\\work\\src\\a.ts', 'C:\\work\\b.ts'], 'C:\\work')).toEqual([{ src: ['a.ts'] }, 'b.ts']);
    expect(tree(['/w/a\\b.ts'], '/w')).toEqual(['a\\b.ts']);
  });

  test('keep a folder that changed itself', () => {
    const folder = (path: string): ChangedPath => ({ path, change: 'deleted', size: 0, is: 'folder' });
    const changes = [folder('/w/out'), folder('/w/out/empty'), ...changed({ '/w/out/a': 'deleted' })];
    const root = changeTree(changes, '/w');
    expect(shown(root)).toEqual([{ out: [{ empty: [] }, 'a'] }]);
    expect(root.folders[0]?.own?.change).toBe('deleted');
    expect(pathsIn(root)).toHaveLength(3);
  });
});

test('a folder is ticked with all in it, and half if only some of it is', () => {
  const chosen = new ChosenFiles();
  const [a, b] = changed({ '/w/a': 'made', '/w/b': 'made' }) as [ChangedPath, ChangedPath];
  chosen.begin();
  chosen.toggle([a]);
  expect([chosen.howMany([a, b]), chosen.howMany([a]), chosen.howMany([b])]).toEqual(['some', 'all', 'none']);
  chosen.toggle([a, b]);
  expect([chosen.howMany([a, b]), chosen.paths]).toEqual(['all', ['/w/a', '/w/b']]);
  chosen.toggle([a, b]);
  expect(chosen.paths).toEqual([]);
  chosen.toggle([b]);
  chosen.begin();
  expect(chosen.paths).toEqual([]);
});
