import { expect, test } from 'vitest';
import { promptLine } from '../../../src-main/assistant/prompt-line.ts';

test('a line calls a prompt only with the name of a server before it; anything else is text', () => {
  const servers = ['notes', 'notes/old', 'my server'];
  expect(promptLine('/notes/review', servers)).toEqual({ server: 'notes', name: 'review', input: '' });
  expect(promptLine(' /notes/review {"a": 1}\n', servers)).toEqual({
    server: 'notes',
    name: 'review',
    input: '{"a": 1}',
  });
  expect(promptLine('/notes/review {\n"a": 1}', servers)?.input).toBe('{\n"a": 1}');
  expect(promptLine('/notes/old/review', servers)).toMatchObject({ server: 'notes/old', name: 'review' });
  expect(promptLine('/my server/a b {}', servers)).toEqual({ server: 'my server', name: 'a b', input: '{}' });
  for (const text of ['/etc/hosts', 'notes/review', '/notes/', '/notes', '/Notes/review', 'see /notes/review'])
    expect(promptLine(text, servers), text).toBeUndefined();
});
