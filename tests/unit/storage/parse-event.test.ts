import { expect, test } from 'vitest';
import { parseEvent } from '../../../src-main/storage/conversations/parse-event.ts';

type Row = Readonly<Record<string, unknown>>;

const denied = { type: 'decision', id: 'c', answer: 'deny', by: 'default', reason: { code: 'declined' } };
const CHANGES = {
  type: 'changes',
  id: 'c',
  files: [{ path: '/w/b', change: 'renamed', from: '/w/a', size: 1 }],
  counts: { made: 0, changed: 0, deleted: 0, renamed: 1, mode: 0 },
  notKept: [{ path: '/w/big', why: { code: 'too_large', bytes: 5 } }],
};
const done = { type: 'tool_result', id: 'c', text: 'x', isError: false, calledBy: 'model', outcome: 'completed' };

test('an error keeps its remedies, and one of an older version has none', () => {
  const error = { type: 'error', code: 'wrong_key', message: 'No.' };
  const remedies = [{ kind: 'settings', section: 'models' }];
  expect(parseEvent(JSON.stringify({ ...error, remedies }))).toEqual({ ...error, remedies });
  expect(parseEvent(JSON.stringify(error))).toEqual(error);
  expect(parseEvent(JSON.stringify({ ...error, remedies: [{ kind: 'shell' }] }))).toBeUndefined();
});

test.each<[string, Row]>([
  ['a decision', denied],
  ['a result', done],
  ['a call', { type: 'tool_call', id: 'c', name: 'n', input: {}, calledBy: 'person' }],
  ['what a command changed', CHANGES],
  ['a redo', { type: 'redo', calls: ['c'], paths: ['/w/a'] }],
  ['a part undone', { type: 'undo', calls: ['c'], paths: ['/w/a'], count: 2_000, partly: ['c'] }],
  ['a message', { type: 'user_message', content: [{ type: 'text', text: 'hello' }] }],
])('%s is read as it is', (_, row) => {
  expect(parseEvent(JSON.stringify(row))).toEqual(row);
});

test.each<[string, Row]>([
  ['a code that nobody knows', { ...denied, reason: { code: 'who_knows' } }],
  ['a reason that is a sentence', { ...denied, reason: 'You declined it.' }],
  ['a reason without what belongs to it', { ...denied, reason: { code: 'read_outside' } }],
  ['a reason in which another is broken', { ...denied, reason: { code: 'all_of', reasons: [{ code: '?' }] } }],
  ['an outcome that is none', { ...done, outcome: 'perhaps' }],
  ['no outcome', { ...done, outcome: undefined }],
  ['a part that is none', { ...done, parts: [{ type: 'video' }] }],
  ['an attachment that is none', { type: 'user_message', content: [], attachments: [{ kind: 'text' }] }],
  ['a picture among the text', { type: 'user_message', content: [{ type: 'image', mediaType: 'a', data: '' }] }],
  ['a change of no known kind', { ...CHANGES, files: [{ path: '/w/a', change: 'eaten', size: 1 }] }],
  ['a renamed file without its former name', { ...CHANGES, files: [{ path: '/w/a', change: 'renamed', size: 1 }] }],
  ['a count that is missing', { ...CHANGES, counts: { made: 1 } }],
  ['a reason why nothing was kept that nobody knows', { ...CHANGES, notKept: [{ path: '/w/a', why: { code: '?' } }] }],
  ['something not kept that is none', { ...CHANGES, notKept: [null] }],
  ['an undone path that is none', { type: 'undo', calls: ['c'], paths: [7] }],
  ['a call that nobody made', { type: 'tool_call', id: 'c', name: 'n', input: {} }],
])('a damaged row with %s is no event', (_, row) => {
  expect(parseEvent(JSON.stringify(row))).toBeUndefined();
});
