import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import {
  binary,
  type Status,
  socketTransport,
  withAugmentation,
  withClientTools,
} from '../../../resources/client-example/steward-client.mjs';
import { builtOutput } from '../../../scripts/built-output.mjs';
import { askRig } from '../../fixtures/ask.ts';
import { ExampleEditor } from '../../fixtures/example-editor.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';

const call = (id: string, name: string, input: unknown = {}) => ({ type: 'tool_use', id, name, input }) as const;

test('the example editor runs one turn of ask and is its client', async () => {
  const api = await startMessagesApi({
    turns: [
      { blocks: [call('a', 'IDE')] },
      {
        blocks: [
          call('b', 'OpenFile', { path: 'main.ts' }),
          call('c', 'ShowMessage', { text: 'Look \u001b[31mhere' }),
          call('d', 'OpenFile', { path: '../outside.txt' }),
        ],
      },
      { text: 'Opened it.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = askRig({ files: { 'main.ts': 'one\n' }, api: api.url });
  writeFileSync(join(rig.workspace, '..', 'outside.txt'), 'not for the editor');
  const ask = [process.execPath, join(await builtOutput(), 'ask.js'), '--profile', rig.profile, '--approve', 'all'];
  const key = ['env', 'ANTHROPIC_API_KEY=sk-ant-api03-fixture', `ANTHROPIC_BASE_URL=${api.url}`];
  const editor = new ExampleEditor(['--folder', rig.workspace, '--ask', 'open it', '--', ...key, ...ask], rig.profile);
  expect(await editor.ended).toBe(0);
  expect(editor.printed).toBe('Opened it.\n');
  expect(editor.said).toContain('attached with IDE');
  expect(editor.said).toContain('opened main.ts');
  expect(editor.said).toContain('message: Look [31mhere');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toMatch(/outside\.txt is not in /);
});

/** A window that pairs everything, and says what it was told. */
async function acceptingWindow(answers: (message: { type: string; requestId?: string }) => readonly object[]) {
  const profile = mkdtempSync(join(tmpdir(), 'steward-example-'));
  const received: { type: string }[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as { type: string };
      received.push(message);
      for (const answer of answers(message)) {
        socket.write(`${JSON.stringify(answer)}\n`);
        if ('type' in answer && answer.type === 'refused') socket.end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(join(profile, 'client.sock'), resolve));
  onTestFinished(() => void server.close());
  return { profile, received, server };
}

test('the library sends what tools return, what they throw, and what changes the offer; a cancelled call is not answered', async () => {
  const requests = ['Text', 'Nothing', 'List', 'Picture', 'Fails', 'Augments', 'Unknown', 'Waits'];
  const responses: Record<string, unknown>[] = [];
  let settle: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const { profile } = await acceptingWindow((message) => {
    if (message.type === 'hello') return [{ type: 'welcome', token: 'secret' }];
    if (message.type === 'run_input')
      return [
        { type: 'run_accepted', conversationId: 'c', groups: ['G'] },
        ...requests.map((toolName) => ({
          type: 'client_request',
          requestId: toolName,
          toolName,
          callId: 'x',
          arguments: {},
        })),
        { type: 'client_cancel', requestId: 'Waits' },
      ];
    responses.push({ ...message });
    if (responses.length === requests.length - 1) settle();
    return [];
  });
  const tool = (name: string, run: () => unknown) => ({ name, description: name, run });
  const statuses: Status[] = [];
  const client = withClientTools({
    name: 'Test',
    groups: [
      {
        name: 'G',
        description: 'g',
        tools: [
          tool('Text', () => 'text'),
          tool('Nothing', () => undefined),
          tool('List', () => [1, 2]),
          tool('Picture', () => binary('image/png', new Uint8Array([1, 2, 3]), 'a.png')),
          tool('Fails', () => {
            throw new Error('no file is open');
          }),
          tool('Augments', () => withAugmentation('done', { hideTools: ['Text'] })),
          {
            ...tool('Waits', () => undefined),
            run: (_args, { signal }) =>
              new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          },
        ],
      },
    ],
    transport: socketTransport({ profile, tokenFile: join(profile, 'token') }),
    onStatus: (status) => statuses.push(status),
  });
  await all;
  client.close();
  await client.ended;
  const byId = Object.fromEntries(responses.map(({ type: _, requestId, ...rest }) => [String(requestId), rest]));
  expect(byId).toEqual({
    Text: { success: true, content: [{ type: 'text', text: 'text' }] },
    Nothing: { success: true, content: [] },
    List: { success: true, content: [{ type: 'json', value: [1, 2] }] },
    Picture: { success: true, content: [{ type: 'binary', mimeType: 'image/png', data: 'AQID', filename: 'a.png' }] },
    Fails: { success: false, content: [], errorMessage: 'no file is open' },
    Augments: { success: true, content: [{ type: 'text', text: 'done' }], augmentation: { hideTools: ['Text'] } },
    Unknown: { success: false, content: [], errorMessage: expect.stringContaining('Unknown') },
  });
  expect(statuses.map(({ name }) => name)).toEqual(['connecting', 'attached', 'closed']);
  expect(readFileSync(join(profile, 'token'), 'utf8')).toBe('secret');
  expect(statSync(join(profile, 'token')).mode & 0o777).toBe(0o600);
});

test('the library comes back with growing pauses, and stops when it is refused', async () => {
  let connections = 0;
  const { profile, received } = await acceptingWindow(({ type }) => {
    if (type !== 'hello') return [];
    connections += 1;
    if (connections < 3) return [{ type: 'refused', code: 'paused', message: 'later', retryAfterSeconds: 0 }];
    return [{ type: 'refused', code: 'declined', message: 'The user did not pair this program.' }];
  });
  const statuses: Status[] = [];
  const client = withClientTools({
    name: 'Test',
    groups: [],
    transport: socketTransport({ profile, tokenFile: join(profile, 'token'), firstPauseMs: 1 }),
    onStatus: (status) => statuses.push(status),
  });
  expect(await client.ended).toMatchObject({ code: 'declined' });
  expect(received).toHaveLength(3);
  expect(statuses.map(({ name }) => name)).toEqual(expect.arrayContaining(['disconnected', 'closed']));
});
