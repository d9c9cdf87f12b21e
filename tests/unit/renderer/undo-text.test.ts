import { expect, test } from 'vitest';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import { isInFolder } from '../../../src-renderer/conversation/path-from.ts';
import { leftText, redoResultText, undoResultText } from '../../../src-renderer/conversation/undo-text.ts';

const elsewhere = (path: string): UndoRefusal => ({ path, reason: { code: 'changed_elsewhere' } });

test('restored files are reported together with those left unchanged and why', () => {
  expect(undoResultText({ undone: ['/w/a.txt'], refused: [] }, '/w')).toBe('Restored a.txt.');
  expect(undoResultText({ undone: ['/w/a.txt', '/o/b.txt'], refused: [elsewhere('/w/notes.txt')] }, '/w')).toBe(
    'Restored 2 files. notes.txt was left: you or another program has changed it since.',
  );
  expect(undoResultText({ undone: [], refused: [elsewhere('/o/notes.txt')] }, '/w')).toMatch(
    /^Nothing was restored[.] \/o\/notes[.]txt was left:/,
  );
});

test('folders are counted as folders, and what is not listed is counted too', () => {
  const paths = ['/w/src', '/w/src/a.ts'];
  const counts = (files: number, folders: number) =>
    undoResultText({ undone: paths, counts: { files, folders }, refused: [] }, '/w');
  expect(counts(130, 2)).toBe('Restored 130 files and 2 folders.');
  expect(counts(0, 2)).toBe('Restored 2 folders.');
  expect(counts(5_000, 0)).toBe('Restored 5,000 files.');
});

test('a redo is reported like an undo', () => {
  expect(redoResultText({ undone: ['/w/a.txt'], refused: [] }, '/w')).toBe('Changed a.txt again.');
  expect(redoResultText({ undone: [], refused: [elsewhere('/w/b.txt')] }, '/w')).toMatch(
    /^Nothing was changed again[.] b[.]txt was left:/,
  );
});

test('many that were left are counted', () => {
  const refused = ['a', 'b', 'c', 'd', 'e'].map((name) => elsewhere(`/w/${name}`));
  expect(undoResultText({ undone: [], refused }, '/w')).toMatch(/ c was left: .* 2 more were not restored[.]$/);
  expect(undoResultText({ undone: [], refused: refused.slice(0, 4) }, '/w')).toMatch(/ 1 more was not restored[.]$/);
});

test('a reason of the system keeps its own full stop', () => {
  const reason = { code: 'file_problem', message: 'The disk is full.' } as const;
  expect(leftText({ path: '/w/a', reason }, '/w')).toBe('a was left: The disk is full.');
});

test.each([
  ['/home/ada', '/home/ada', true],
  ['/home/ada/', '/home/ada/x/y', true],
  ['/home/ada', '/home/ada-evil', false],
  ['/home/ada/x', '/home/ada', false],
  ['C:\\work', 'C:\\work\\new', true],
])('is %s a folder of %s: %s', (folder, path, is) => {
  expect(isInFolder(folder, path)).toBe(is);
});
