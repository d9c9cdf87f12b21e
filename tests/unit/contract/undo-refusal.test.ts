import { expect, test } from 'vitest';
import { type UndoRefusalReason, undoRefusalText } from '../../../src-preload/contract/undo-refusal.ts';

/** Each code once; where a parameter changes the words, each value. */
const WORDS: readonly (readonly [UndoRefusalReason, string])[] = [
  [{ code: 'as_before' }, 'it is already as it was before'],
  [{ code: 'already_undone' }, 'it was already undone'],
  [{ code: 'changed_by_call', tool: 'edit' }, 'edit changed it later in this conversation; undo that first'],
  [{ code: 'changed_by_call', tool: null }, 'another call changed it later in this conversation; undo that first'],
  [{ code: 'changed_elsewhere' }, 'you or another program has changed it since'],
  [{ code: 'deleted' }, 'it has since been deleted'],
  [{ code: 'kept_changing' }, 'it kept changing while you were being asked'],
  [{ code: 'folder_in_its_place' }, 'there is now a folder in its place'],
  [{ code: 'folder_not_empty' }, 'something else is in it'],
  [{ code: 'leads_elsewhere' }, 'its path now leads somewhere else'],
  [{ code: 'in_use' }, 'another program has it open'],
  [{ code: 'part_of_database' }, 'it belongs to a database, which is only restored with all its files'],
  [{ code: 'outside_roots' }, 'it is outside the workspace and the folders you granted'],
  [{ code: 'too_large', bytes: 20_971_521 }, 'its earlier version (20,971,521 bytes) was too large to keep'],
  [{ code: 'not_kept' }, 'its earlier version is no longer kept'],
  [{ code: 'dropped_meanwhile' }, 'its earlier version has been deleted in the meantime'],
  [{ code: 'damaged' }, 'its earlier version is damaged in the database'],
  [{ code: 'not_by_undo' }, 'its effects can’t be undone here'],
  [{ code: 'file_problem', message: 'EACCES: permission denied: /a' }, 'EACCES: permission denied: /a'],
];

test.each(WORDS)('%j', (reason, text) => {
  expect(undoRefusalText(reason)).toBe(text);
});
