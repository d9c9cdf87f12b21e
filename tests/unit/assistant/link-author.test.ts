import { describe, expect, test } from 'vitest';
import { linkAuthor } from '../../../src-main/assistant/link-author.ts';
import type { ConversationEvent, Mark, StoredEvent } from '../../../src-preload/contract/events.ts';
import { changed, changesOf } from '../../fixtures/file-changes.ts';

const URL_OF_IT = 'https://example.org/path?q=1';

function stored(events: readonly ConversationEvent[]): readonly StoredEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, turnId: 't', at: '', conversationId: 'c' }));
}

const author = (...events: readonly ConversationEvent[]) =>
  linkAuthor(stored(events), URL_OF_IT, (tool) => tool === 'bash');
const says = (text: string): ConversationEvent => ({ type: 'user_message', content: [{ type: 'text', text }] });
const writes = (text: string): ConversationEvent => ({ type: 'block', block: { type: 'text', text } });
const calls = (name: string, input: Record<string, unknown> = {}): ConversationEvent[] => [
  { type: 'block', block: { type: 'tool_use', id: name, name, input } },
  { type: 'tool_call', id: name, name, input, calledBy: 'model' },
];
const inFile: Mark = { kind: 'private', source: 'file a.md' };
const onPage: Mark = { kind: 'untrusted', source: 'https://example.org/' };
const results = (id: string, text: string, marks: readonly Mark[], changed?: readonly string[]): ConversationEvent => ({
  type: 'tool_result',
  id,
  text,
  marks,
  ...(changed === undefined ? {} : { changed }),
  isError: false,
  calledBy: 'model',
  outcome: 'completed',
});

describe('who wrote an address', () => {
  test('nobody, if it does not appear literally in the conversation', () => {
    expect(author(says('https://example.org/path'), writes('https://example.org/path?q=12'))).toBe('nobody');
  });

  test('the user, wherever they wrote it, but not if the page sent it alone', () => {
    expect(author(writes(URL_OF_IT), says(`see ${URL_OF_IT}.`))).toBe('user');
    expect(author({ ...says(URL_OF_IT), isUnattended: true } as ConversationEvent)).toBe('nobody');
  });

  test('a result, if it stood there before the model wrote it', () => {
    expect(author(...calls('web_fetch'), results('web_fetch', `[a](${URL_OF_IT})`, [onPage]), writes(URL_OF_IT))).toBe(
      'result',
    );
    expect(author(...calls('read_file', { of: URL_OF_IT }), results('read_file', URL_OF_IT, [inFile]))).toBe('model');
    expect(author(writes(URL_OF_IT), ...calls('read_file'), results('read_file', URL_OF_IT, [inFile]))).toBe('model');
  });

  test('the model, where a tool made it of its input, or a file may hold what the model wrote', () => {
    const read = [...calls('read_file'), results('read_file', URL_OF_IT, [inFile])];
    const edited = [...calls('edit'), results('edit', 'Edited', [inFile], ['a.md'])];
    expect(author(...read)).toBe('result');
    expect(author(...edited, ...read)).toBe('model');
    expect(author(changesOf('run', changed({ 'a.md': 'made' })), ...read)).toBe('model');
    expect(author(changesOf('run', []), ...read)).toBe('result');
    expect(author(...edited, ...calls('web_fetch'), results('web_fetch', URL_OF_IT, [onPage]))).toBe('result');
    expect(author(...calls('parse_json'), results('parse_json', URL_OF_IT, []))).toBe('model');
  });

  test('the model, where a command may have put it together, or while the answer is still coming', () => {
    expect(author(...calls('bash', { command: 'echo $URL' }), results('bash', URL_OF_IT, [inFile]))).toBe('model');
    expect(author({ type: 'text_delta', text: 'https://example.org' }, { type: 'text_delta', text: '/path?q=1' })).toBe(
      'model',
    );
  });
});
