import { expect, test } from 'vitest';
import { type UndoRefusalReason, undoRefusalText } from '../../../src-preload/contract/undo-refusal.ts';

/** Each code once; where a parameter changes the words, each value. */
const WORDS: readonly (readonly [UndoRefusalReason, string])[] = [
  [{ code: 'as_before' }, 'it is as it was before already'],
  [{ code: 'already_undone' }, 'undone already'],
  [{ code: 'changed_by_call', tool: 'edit' }, 'changed since by edit in this conversation; undo that first'],
  [{ code: 'changed_by_call', tool: null }, 'changed since by another call in this conversation; undo that first'],
  [{ code: 'changed_elsewhere' }, 'changed since by something else'],
  [{ code: 'deleted' }, 'deleted since'],
  [{ code: 'kept_changing' }, 'it kept changing while you were being asked'],
  [{ code: 'folder_in_its_place' }, 'there is a folder in its place now'],
  [{ code: 'leads_elsewhere' }, 'its path leads elsewhere now'],
  [{ code: 'outside_roots' }, 'outside the workspace and the folders that you granted'],
  [{ code: 'too_large', bytes: 20_971_521 }, 'what it was before (20,971,521 bytes) was too large to be kept'],
  [{ code: 'not_kept' }, 'what it was before is not kept any more'],
  [{ code: 'dropped_meanwhile' }, 'what it was before was dropped meanwhile'],
  [{ code: 'damaged' }, 'what it was before was damaged in the database'],
  [{ code: 'not_by_undo' }, 'what it did cannot be undone from here'],
  [{ code: 'file_problem', message: 'EACCES: permission denied: /a' }, 'EACCES: permission denied: /a'],
];

test.each(WORDS)('%j', (reason, text) => {
  expect(undoRefusalText(reason)).toBe(text);
});
