import { expect, test } from 'vitest';
import { changesText, othersChangesText } from '../../../src-preload/contract/changes-text.ts';
import type { ChangedPath, FileChanges } from '../../../src-preload/contract/file-changes.ts';
import { changed, changesOf } from '../../fixtures/file-changes.ts';

const text = (files: readonly ChangedPath[], more: Partial<FileChanges> = {}) =>
  changesText(changesOf('c', files, more));
const folder = (path: string, change: ChangedPath['change']): ChangedPath => ({ path, change, size: 0, is: 'folder' });
const counts = { made: 0, changed: 0, deleted: 0, renamed: 0, mode: 0 };

test.each<[string, ChangedPath[]]>([
  ['1 file changed', changed({ '/w/a': 'changed' })],
  ['1 file changed, +31 −7', [{ path: '/w/a', change: 'changed', size: 1, added: 31, removed: 7 }]],
  ['Made 1 file', changed({ '/w/a': 'made' })],
  ['Made 2 files', changed({ '/w/a': 'made', '/w/b': 'made' })],
  ['Deleted 1 file', changed({ '/w/a': 'deleted' })],
  ['Renamed 2 files', changed({ '/w/a': 'renamed', '/w/b': 'renamed' })],
  ['Changed the permissions of 1 file', changed({ '/w/a': 'mode' })],
  ['Made 1 folder', [folder('/w/a', 'made')]],
  [
    'Deleted 1 file and 2 folders',
    [folder('/w/a', 'deleted'), folder('/w/b', 'deleted'), ...changed({ c: 'deleted' })],
  ],
  [
    '1 file changed · made 1 file · renamed 1 file · changed the permissions of 1 file · deleted 1 file',
    changed({ a: 'deleted', b: 'mode', c: 'renamed', d: 'made', e: 'changed' }),
  ],
])('%s', (said, files) => {
  expect(text(files)).toBe(said);
});

test('nothing is said if nothing changed', () => {
  expect(text([])).toBe('');
});

test('lines are added up, and only what there is', () => {
  const file = (added: number, removed: number): ChangedPath => ({
    path: `/w/${added}`,
    change: 'changed',
    size: 1,
    added,
    removed,
  });
  expect(text([file(30, 0), file(1, 0)])).toBe('2 files changed, +31');
  expect(text([file(0, 1_200), file(0, 0)])).toBe('2 files changed, −1,200');
});

test('what is not listed is counted', () => {
  const many = { counts: { ...counts, deleted: 50_000 } };
  expect(text(changed({ a: 'deleted' }), many)).toBe('Deleted 50,000 files');
  expect(text([folder('a', 'deleted')], many)).toBe('Deleted 50,000 files and folders');
});

test('a list that is not final says so', () => {
  const files: ChangedPath[] = [
    { path: '/w/a', change: 'changed', size: 1, added: 2 },
    ...changed({ '/w/b': 'deleted', '/w/c': 'deleted' }),
  ];
  expect(text(files, { isRunning: true })).toBe('1 file changed while it ran, +2 · deleted 2 files');
  expect(text(files.slice(1), { isRunning: true })).toBe('Deleted 2 files while it ran');
});

test('of what was found after Steward ended, that is said, and that others may have changed it', () => {
  const files = changed({ '/w/a': 'deleted' });
  expect(text(files, { isFoundLater: true })).toBe('Deleted 1 file · found after Steward ended');
  expect(text([], { isFoundLater: true })).toBe('');
  expect(othersChangesText({ isFoundLater: true })).not.toBe(othersChangesText({}));
});

test('a mass deletion is said first, with what nothing else holds', () => {
  const deleted = Array.from(
    { length: 1_212 },
    (_, index): ChangedPath => ({
      path: `/w/${index}`,
      change: 'deleted',
      size: 1,
    }),
  );
  const more = changed({ '/w/a': 'changed' });
  expect(text([...deleted, ...more], { massDeleted: 1_212 })).toBe(
    'Deleted 1,212 files that nothing else holds · 1 file changed',
  );
  expect(text([...deleted, folder('/w/b', 'deleted')], { massDeleted: 1_212 })).toBe(
    'Deleted 1 folder and 1,212 files that nothing else holds',
  );
  expect(text(deleted, { massDeleted: 300 })).toBe('Deleted 1,212 files, 300 of which nothing else holds');
});
