import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { AskEvent } from '../../../src-main/headless/event-json.ts';
import { type AskRigOptions, askRig, ofType, parseEvents } from '../../fixtures/ask.ts';
import { answeredAtTerminal } from '../../fixtures/ask-at-terminal.ts';
import { type ClientRequestEvent, runAskClient, textAnswer } from '../../fixtures/ask-client.ts';
import { needTerminal } from '../../fixtures/machine-needs.ts';
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '../../fixtures/messages-api/server.ts';

let api: MessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function withApi(options: MessagesApiOptions, rig: AskRigOptions = {}) {
  api = await startMessagesApi(options);
  return { api, rig: askRig({ ...rig, api: api.url }) };
}

/** What a client answers is text from outside, so its next tool asks. */
const MODEL = ['--model', 'claude-sonnet-4-5', '--approve', 'all'];
const call = (id: string, name: string, input: unknown = {}) => ({ type: 'tool_use', id, name, input }) as const;
const PATH = { type: 'object', properties: { path: { type: 'string' } } };
const IDE = {
  name: 'IDE',
  description: 'The editor',
  startCollapsed: false,
  tools: [
    { name: 'OpenFile', description: 'Opens a file', parametersSchema: PATH },
    { name: 'GetSelection', description: 'The selected text' },
    { name: 'ShowMessage', description: 'Shows a message', requiresPermission: true },
  ],
};
const runInput = { clientToolGroups: [IDE] };

/** What the tools of the test were offered in a request to the model. */
function toolsIn(request: number): readonly string[] {
  const { tools } = z.object({ tools: z.array(z.object({ name: z.string() })) }).parse(api?.requests[request]?.body);
  return tools.map(({ name }) => name).filter((name) => /^(IDE|OpenFile|GetSelection|ShowMessage)$/.test(name));
}

function results(events: readonly AskEvent[]): readonly string[] {
  return ofType(events, 'tool_result').map(({ text }) => text);
}

test('a program brings tools before the first request to the model, is asked, and answers in any order', async () => {
  const { api, rig } = await withApi({
    turns: [{ blocks: [call('a', 'OpenFile', { path: 'x.ts' }), call('b', 'GetSelection')] }, { text: 'done' }],
  });
  const asked: ClientRequestEvent[] = [];
  const { code, events } = await runAskClient(rig, [...MODEL, 'open x.ts'], {
    runInput,
    onEvent: ({ type }) => {
      if (type === 'run_accepted') expect(api.requests).toHaveLength(0);
    },
    onRequest: (request, client) => {
      asked.push(request);
      if (asked.length === 2) for (const each of asked.toReversed()) client.send(textAnswer(each, each.toolName));
    },
  });
  expect(code).toBe(0);
  expect(asked.map(({ callId, toolName, arguments: given }) => [callId, toolName, given])).toEqual([
    ['a', 'OpenFile', { path: 'x.ts' }],
    ['b', 'GetSelection', {}],
  ]);
  const [start, accepted] = events;
  expect(start?.type).toBe('start');
  const { conversationId } = ofType(events, 'start')[0] ?? {};
  expect(accepted).toEqual({ type: 'run_accepted', conversationId, groups: ['IDE'] });
  // To the model they go in the order of the calls.
  const { messages } = z.object({ messages: z.array(z.unknown()) }).parse(api.requests[1]?.body);
  expect(messages.at(-1)).toMatchObject({
    content: [
      { tool_use_id: 'a', content: 'OpenFile' },
      { tool_use_id: 'b', content: 'GetSelection' },
    ],
  });
  expect(toolsIn(0)).toEqual(['OpenFile', 'GetSelection', 'ShowMessage']);
});

test('without a client, or when its standard input ends, a call is answered as at a disconnect and the turn goes on', async () => {
  const { rig } = await withApi({
    turns: [
      { blocks: [call('a', 'GetSelection')] },
      { text: 'one' },
      { blocks: [call('b', 'GetSelection')] },
      { text: 'two' },
    ],
  });
  const left = await runAskClient(rig, [...MODEL, 'one'], {
    runInput,
    onRequest: (_request, client) => client.leave(),
  });
  expect(left.code).toBe(0);
  expect(results(left.events)).toEqual(["Client disconnected. Tool 'GetSelection' unavailable."]);
  const alone = await rig.events([...MODEL, '--conversation', 'last', 'two']);
  expect(alone.code).toBe(0);
  expect(results(alone.events)).toEqual(["Client disconnected. Tool 'GetSelection' unavailable."]);
  expect(ofType(alone.events, 'client_request')).toEqual([]);
});

test('a registration that fails ends the run with 2 before the model is asked, and leaves no conversation behind', async () => {
  const { api, rig } = await withApi({ turns: [{ text: 'never' }] });
  for (const [tools, message] of [
    [[{ name: 'read_file', description: 'Mine' }], /^Client tool registration failed: IDE: .*read_file/],
    [[{ name: 'X' }], /^Client tool registration failed: IDE: tools\[0\]\.description: /],
  ] as const) {
    const input = { clientToolGroups: [{ ...IDE, tools }] };
    const { code, events } = await runAskClient(rig, [...MODEL, 'go'], { runInput: input });
    expect({ code, last: events.at(-1) }).toEqual({ code: 2, last: { type: 'done', stopReason: 'error' } });
    expect(ofType(events, 'client_error')).toEqual([
      { type: 'client_error', code: 'registration_failed', message: expect.stringMatching(message) },
    ]);
    expect(ofType(events, 'error')).toMatchObject([{ code: 'client_registration' }]);
  }
  expect(api.requests).toEqual([]);
  expect((await rig.run(['--conversation', 'last', 'hi'])).code).toBe(2);
});

test('a missing or malformed file of --run-input is a usage error', async () => {
  const rig = askRig();
  const wrong = await runAskClient(rig, ['go'], { runInput: '{"clientToolGroups":3}' });
  expect(wrong).toMatchObject({ code: 2, events: [{ type: 'error', code: 'usage' }, { type: 'done' }] });
  const missing = await runAskClient(rig, ['--run-input', 'nowhere.json', 'go']);
  expect(missing).toMatchObject({ code: 2, events: [{ type: 'error', code: 'usage' }, { type: 'done' }] });
  // Editors of Windows write it with a byte order mark.
  writeFileSync(join(rig.workspace, 'here.json'), '\ufeff{}');
  expect((await runAskClient(rig, ['--run-input', 'here.json', 'hello'])).code).toBe(0);
});

test('what the program writes during a turn registers more, or is told what is wrong with it', async () => {
  const { rig } = await withApi({
    turns: [{ blocks: [call('a', 'GetSelection')] }, { blocks: [call('b', 'Later')] }, { text: 'done' }],
  });
  const later = { name: 'Late', startCollapsed: false, tools: [{ name: 'Later', description: 'Came later' }] };
  const { code, events } = await runAskClient(rig, [...MODEL, 'go'], {
    runInput,
    onRequest: (request, client) => {
      if (request.toolName === 'GetSelection') {
        client.sendText('{"half":\n\nno json\n');
        client.send({ type: 'hello', name: 'Editor', version: '1' });
        client.send({ type: 'run_input', clientToolGroups: [{ ...later, tools: [] }] });
        client.send({ type: 'run_input', clientToolGroups: [later] });
      }
      client.send(textAnswer(request, request.toolName));
    },
  });
  expect(code).toBe(0);
  expect(results(events)).toEqual(['GetSelection', 'Later']);
  expect(ofType(events, 'client_error').map((each) => each.code)).toEqual([
    'bad_line',
    'bad_line',
    'bad_line',
    'registration_failed',
  ]);
  expect(ofType(events, 'run_accepted').map(({ groups }) => groups)).toEqual([['IDE'], ['IDE', 'Late']]);
});

test.each([
  ['a flood of lines', '{}\n'.repeat(50_000), 'too_many_lines'],
  ['an endless line', 'x'.repeat(9 * 1024 * 1024), 'line_too_long'],
])('%s ends the connection; the turn goes on without the program', async (_what, text, code) => {
  const { rig } = await withApi({ turns: [{ blocks: [call('a', 'GetSelection')] }, { text: 'done' }] });
  const run = await runAskClient(rig, [...MODEL, 'go'], {
    runInput,
    onRequest: (request, client) => {
      client.sendText(text);
      client.send(textAnswer(request, 'too late'));
    },
  });
  expect(run.code).toBe(0);
  expect(ofType(run.events, 'client_error').at(-1)).toMatchObject({ code });
  expect(results(run.events)).toEqual(["Client disconnected. Tool 'GetSelection' unavailable."]);
});

test('/tools lists and switches what the program brings, now or in the conversation', async () => {
  const { rig } = await withApi({ turns: [{ text: 'one' }, { text: 'two' }] });
  await runAskClient(rig, [...MODEL, 'one'], { runInput });
  const conversation = ['--conversation', 'last'];
  const list = async (args: readonly string[]) => (await rig.run([...args, '/tools list'])).stdout;
  expect(await list(conversation)).toMatch(/^IDE, from .+:\nOpenFile +enabled +write +Opens a file\n/m);
  expect(await list([])).not.toContain('OpenFile');
  const { stdout } = await rig.run([...conversation, '/tools disable OpenFile']);
  expect(stdout).toBe('Disabled: OpenFile\n');
  const now = await runAskClient(rig, ['/tools list'], { runInput });
  expect(ofType(now.events, 'text')[0]?.text).toMatch(/^OpenFile +disabled +write /m);
  await runAskClient(rig, [...MODEL, ...conversation, 'two']);
  expect(toolsIn(1)).toEqual(['GetSelection', 'ShowMessage']);
});

test('Stop reaches the program', async () => {
  const { rig } = await withApi({ turns: [{ blocks: [call('a', 'GetSelection')] }] });
  const { code, events } = await runAskClient(rig, [...MODEL, 'go'], {
    runInput,
    onRequest: (_request, { child }) => child.kill('SIGINT'),
  });
  expect(code).toBe(130);
  expect(ofType(events, 'client_cancel')).toHaveLength(1);
  expect(results(events)).toEqual(["Client tool 'GetSelection' was cancelled."]);
});

test('with a client, questions are asked at the terminal although standard input belongs to the client', async (context) => {
  needTerminal(context);
  const rig = askRig({ files: { 'list.sh': 'echo listed' } });
  const line = '/bash {"command":"sh list.sh"}';
  const screen = await answeredAtTerminal(rig, ['--json', '--client', line], 'y', '</dev/null >events 2>errors');
  expect(screen).toContain('sh list.sh');
  const events = parseEvents(readFileSync(join(rig.workspace, 'events'), 'utf8'));
  expect(ofType(events, 'decision')).toMatchObject([{ answer: 'allow', by: 'user' }]);
  expect(results(events)).toEqual(['listed']);
});

test('a line /TOOL runs a tool that the program brings, in a new conversation and in a later turn', async () => {
  const { rig } = await withApi({ turns: [{ text: 'never' }] });
  const answers = {
    onRequest: (request: ClientRequestEvent, client: { send(message: object): void }) =>
      client.send(textAnswer(request, request.toolName)),
  };
  const first = await runAskClient(rig, ['--approve', 'all', '/OpenFile {"path":"x.ts"}'], { runInput, ...answers });
  expect([first.code, results(first.events)]).toEqual([0, ['OpenFile']]);
  const later = ['--approve', 'all', '--conversation', 'last', '/getselection'];
  const second = await runAskClient(rig, later, answers);
  expect([second.code, results(second.events)]).toEqual([0, ['GetSelection']]);
  const unknown = await runAskClient(rig, ['--conversation', 'last', '/CloseFile']);
  expect(unknown.code).toBe(2);
  expect(ofType(unknown.events, 'error')).toMatchObject([{ code: 'usage' }]);
  expect(api?.requests).toHaveLength(0);
});
