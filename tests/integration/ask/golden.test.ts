import { expect, test } from 'vitest';
import type { AskEvent } from '../../../src-main/headless/event-json.ts';
import { askRig } from '../../fixtures/ask.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';

/** Replaces what differs from run to run, and what is worded for people, by names of what it is. */
function withoutChance(events: readonly AskEvent[], workspace: string): string {
  return events
    .map((event) => JSON.stringify(withoutWording(event)).replaceAll(workspace, '{workspace}'))
    .map((line) => line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{uuid}'))
    .map((line) => line.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '{api}'))
    .join('\n');
}

function withoutWording(event: AskEvent): AskEvent {
  switch (event.type) {
    case 'decision':
      expect(event.reason).not.toBe('');
      return { ...event, reason: '{reason}' };
    case 'tool_result':
      return event.isError ? { ...event, text: '{error}' } : event;
    case 'notice':
    case 'error':
      expect(event.message).not.toBe('');
      return { ...event, message: '{message}' };
    default:
      return event;
  }
}

test('the events of a scripted conversation are exactly these', async () => {
  const api = await startMessagesApi({
    turns: [
      {
        text: 'I read it and write a copy.',
        deltaCharacters: 100,
        usage: { input_tokens: 1200, output_tokens: 60, cache_creation_input_tokens: 1000, cache_read_input_tokens: 0 },
        blocks: [{ type: 'tool_use', id: 'toolu_read', name: 'read_file', input: { path: 'a.txt' } }],
      },
      {
        blocks: [
          { type: 'tool_use', id: 'toolu_write', name: 'write_file', input: { file_path: 'b.txt', content: 'A\n' } },
        ],
        usage: { input_tokens: 90, output_tokens: 40, cache_creation_input_tokens: 0, cache_read_input_tokens: 1000 },
      },
      { blocks: [{ type: 'tool_use', id: 'toolu_out', name: 'list_files', input: { directory: '/usr/share' } }] },
      { text: 'Copied.', stopReason: 'max_tokens' },
    ],
  });
  const ask = askRig({ api: api.url, files: { 'a.txt': 'A\n' } });
  try {
    const { code, events } = await ask.events([
      '--approve',
      'all',
      '--model',
      'claude-sonnet-4-5',
      'copy a.txt to b.txt',
    ]);
    expect(code).toBe(0);
    await expect(`${withoutChance(events, ask.workspace)}\n`).toMatchFileSnapshot('golden-events.jsonl');
  } finally {
    await api.close();
  }
});

test('the events of a command that runs one tool are exactly these', async () => {
  const ask = askRig({ files: { 'a.txt': 'A\n' } });
  const { code, events } = await ask.events(['/read_file {"file_path":"a.txt"}']);
  expect(code).toBe(0);
  const [start, call, decision, result, done, ...more] = events;
  expect(more).toEqual([]);
  expect(start).toMatchObject({ type: 'start', model: 'none' });
  expect(call).toMatchObject({ type: 'tool_call', name: 'read_file', input: { file_path: 'a.txt' } });
  expect(decision).toMatchObject({ type: 'decision', answer: 'allow', by: 'default', reasonCode: 'read_inside' });
  const ended = { outcome: 'completed', calledBy: 'person' };
  expect(result).toEqual({ type: 'tool_result', id: expect.any(String), text: 'A\n', isError: false, ...ended });
  expect(done).toEqual({ type: 'done', stopReason: 'end_turn' });
  expect((await ask.run(['/read_file {"file_path":"a.txt"}'])).stdout).toBe('A\n');
});
