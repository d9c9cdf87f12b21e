import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { answeredAtTerminal } from '../../fixtures/ask-at-terminal.ts';
import { needTerminal } from '../../fixtures/machine-needs.ts';
import { type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { storageIn } from '../../fixtures/temporary-profile.ts';

let api: MessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const MODEL = ['--model', 'claude-sonnet-4-5'];

interface Body {
  readonly system: readonly { readonly cache_control?: unknown }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Record<string, unknown>[] }[];
}

function requestBody(index: number): Body {
  const request = api?.requests[index];
  if (request === undefined) throw new Error(`There was no request ${index + 1}`);
  return request.body as Body;
}

test('thinking goes back with its signature while its calls are answered, and the prompt is cached up to the newest block', async () => {
  api = await startMessagesApi({
    turns: [
      {
        blocks: [
          { type: 'thinking', thinking: 'which file?', signature: 'scripted-1' },
          { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'a.txt' } },
        ],
      },
      {
        blocks: [
          { type: 'thinking', thinking: 'and when?', signature: 'scripted-2' },
          { type: 'tool_use', id: 'b', name: 'get_date', input: {} },
        ],
      },
      { text: 'done' },
    ],
  });
  const ask = askRig({ api: api.url, files: { 'a.txt': 'A' } });
  expect(await ask.events([...MODEL, 'go'])).toMatchObject({ code: 0 });
  const { system, messages } = requestBody(2);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  expect(messages[1]?.content[0]).toEqual({ type: 'thinking', thinking: 'which file?', signature: 'scripted-1' });
  expect(messages[3]?.content[0]).toEqual({ type: 'thinking', thinking: 'and when?', signature: 'scripted-2' });
  const cached = { cache_control: { type: 'ephemeral' } };
  expect(system.at(-1)).toMatchObject(cached);
  expect(messages[4]?.content.at(-1)).toMatchObject({ type: 'tool_result', tool_use_id: 'b', ...cached });
  expect(messages[2]?.content.at(-1)).toMatchObject({ type: 'tool_result', tool_use_id: 'a', ...cached });
});

test('an answer cut off inside a tool call: nothing runs, and the model is told and continues', async () => {
  api = await startMessagesApi({
    turns: [
      {
        text: 'I write it.',
        blocks: [{ type: 'tool_use', id: 'w', name: 'write_file', rawInput: '{"file_path":"a.txt","content":"half' }],
        stopReason: 'max_tokens',
      },
      { text: 'too long for one answer' },
    ],
  });
  const ask = askRig({ api: api.url });
  const { code, events } = await ask.events(['--approve', 'all', ...MODEL, 'write much']);
  expect(code).toBe(0);
  expect(ofType(events, 'decision')).toMatchObject([{ id: 'w', answer: 'deny' }]);
  expect(ofType(events, 'tool_result')).toMatchObject([{ id: 'w', isError: true }]);
  const { messages } = requestBody(1);
  expect(messages.at(-1)?.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'w', is_error: true });
});

test('a read above the workspace, up to the repository, asks: --approve reads says yes, none says no', async () => {
  const ask = askRig({ files: { 'README.md': 'of the whole repository' } });
  mkdirSync(join(ask.workspace, '.git'));
  mkdirSync(join(ask.workspace, 'package'));
  const read = (flag: string) =>
    ask.events(['--workspace', join(ask.workspace, 'package'), '--approve', flag, '/read_file {"path":"README.md"}']);
  const allowed = await read('reads');
  expect(ofType(allowed.events, 'decision')).toMatchObject([{ answer: 'allow', by: 'flag' }]);
  expect(ofType(allowed.events, 'tool_result')).toMatchObject([{ text: 'of the whole repository', isError: false }]);
  const denied = await read('none');
  expect(ofType(denied.events, 'decision')).toMatchObject([{ answer: 'deny', by: 'flag', reasonCode: 'flag_denies' }]);
  expect(ofType(denied.events, 'tool_result')).toMatchObject([{ outcome: 'declined', isError: true }]);
});

test('a rule kept for a conversation answers in the next process on it, and in no other conversation', async (context) => {
  needTerminal(context);
  const ask = askRig();
  writeFileSync(join(ask.workspace, 'seen.txt'), '');
  writeFileSync(join(ask.workspace, 'list.sh'), 'ls *.txt');
  const line = '/bash {"command":"sh list.sh"}';
  expect(await answeredAtTerminal(ask, [line], 'c 1')).toContain('seen.txt');
  const same = await ask.events(['--conversation', 'last', line]);
  expect(ofType(same.events, 'decision')).toMatchObject([{ answer: 'allow', by: 'rule' }]);
  expect(ofType(same.events, 'tool_result')).toMatchObject([{ text: 'seen.txt', isError: false }]);
  const other = await ask.events([line]);
  expect(ofType(other.events, 'decision')).toMatchObject([{ answer: 'deny', by: 'default' }]);
  expect((await ask.run(['/rules'])).stdout).toContain('in conversation');
});

test('a conversation in the trash is not continued, exported or taken for the last one', async () => {
  const ask = askRig();
  const idOf = ({ events }: Awaited<ReturnType<typeof ask.events>>) => ofType(events, 'start')[0]?.conversationId ?? '';
  const kept = idOf(await ask.events(['what time is it']));
  const trashed = idOf(await ask.events(['what day is it']));
  const storage = await storageIn(ask.profile);
  storage.conversations.remove(trashed);
  for (const prompt of ['go on', '/export json', '/undo']) {
    const refused = await ask.run(['--conversation', trashed, prompt]);
    expect(refused, prompt).toMatchObject({ code: 2, stderr: expect.stringContaining('is in the trash') });
    expect(refused.stdout).not.toContain('what day');
  }
  expect(idOf(await ask.events(['--conversation', 'last', 'what time is it']))).toBe(kept);
  await storage.trash.erase(trashed);
  const gone = await ask.run(['--conversation', trashed, 'go on']);
  expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no conversation') });
});

test('a message that was refused and is tried again is the one that is answered', async () => {
  api = await startMessagesApi({
    turns: [{ text: 'first answer' }, { text: 'I can', stopReason: 'refusal' }, { text: 'now I do' }],
  });
  const ask = askRig({ api: api.url });
  await ask.events([...MODEL, 'one']);
  await ask.events([...MODEL, '--conversation', 'last', 'a delicate thing']);
  expect(await ask.events([...MODEL, '/retry'])).toMatchObject({ code: 0 });
  const { messages } = requestBody(2);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(messages[2]?.content).toMatchObject([{ type: 'text', text: 'a delicate thing' }]);
});

test('terminal control sequences are escaped in the events', async () => {
  const ask = askRig({ files: { 'a.txt': 'red \u001b[31m and \u009b31m and \u007f' } });
  const { stdout, events } = await ask.events(['/read_file {"path":"a.txt"}']);
  expect(ofType(events, 'tool_result')[0]?.text).toBe('red \u001b[31m and \u009b31m and \u007f');
  expect(stdout).toMatch(/^[\x20-\x7e\n]*$/);
});
