import { expect, test } from 'vitest';
import { parseEvent } from '../../../src-main/storage/conversations/parse-event.ts';

type Row = Readonly<Record<string, unknown>>;

const denied = { type: 'decision', id: 'c', answer: 'deny', by: 'default', reason: { code: 'declined' } };
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
  ['a call that nobody made', { type: 'tool_call', id: 'c', name: 'n', input: {} }],
])('a damaged row with %s is no event', (_, row) => {
  expect(parseEvent(JSON.stringify(row))).toBeUndefined();
});
