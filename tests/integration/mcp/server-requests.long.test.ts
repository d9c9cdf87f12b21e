import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src-main/mcp/calls/running-calls.ts';
import type { McpConnection } from '../../../src-main/mcp/connection.ts';
import { ServerRequests } from '../../../src-main/mcp/requests/server-requests.ts';
import type { ConsentAnswer, ConsentRequest } from '../../../src-main/policy/consent.ts';
import { defaultContent } from '../../../src-main/policy/mcp/form.ts';
import type { McpServerConfig } from '../../../src-main/settings/config-schema.ts';
import { AskedUser, NEVER, NO, YES } from '../../fixtures/mcp/asked-user.ts';
import { connectionTo, stdioConfig, toldTo, until } from '../../fixtures/mcp/connections.ts';

const fixture = (name: string) => new URL(`../../fixtures/mcp/${name}`, import.meta.url).pathname;
const EVERYTHING = import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js').slice(7);
const FORM = {
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const URL_REQUEST = { mode: 'url', message: 'Sign in', url: 'https://login.example.org/a?b=c', elicitationId: 'one' };

interface Rig {
  readonly connection: McpConnection;
  readonly user: AskedUser;
  readonly requests: ServerRequests;
  readonly opened: string[];
  readonly recorded: RecordedEvent[];
  readonly folders: string[];
  call(tool: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<string>;
}

function rig(
  server: readonly string[],
  answer: (request: ConsentRequest) => ConsentAnswer | Promise<ConsentAnswer>,
  more: Partial<McpServerConfig> = {},
): Rig {
  const user = new AskedUser(answer);
  const opened: string[] = [];
  const recorded: RecordedEvent[] = [];
  const folders = ['/srv/here'];
  let requests: ServerRequests | undefined;
  const { connection } = connectionTo(stdioConfig(server, more), {
    features: (own) => {
      requests = new ServerRequests(own, {
        consent: user.consent,
        sample: async () => ({ role: 'assistant', model: 'fixture', content: { type: 'text', text: 'the answer' } }),
        openUrl: async (url) => void opened.push(url),
        folders: () => folders,
      });
      return requests;
    },
  });
  if (requests === undefined) throw new Error('The connection asked for no features');
  return {
    connection,
    user,
    requests,
    opened,
    recorded,
    folders,
    call: async (tool, input = {}, signal = AbortSignal.timeout(30_000)) => {
      const origin = { conversationId: 'one', record: (event: RecordedEvent) => void recorded.push(event) };
      const { parts } = await connection.call(tool, input, { signal, origin });
      return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    },
  };
}

const asking = (
  answer: (request: ConsentRequest) => ConsentAnswer | Promise<ConsentAnswer>,
  more?: Partial<McpServerConfig>,
) => rig([fixture('asking-server.mjs')], answer, more);
const everything = (answer: (request: ConsentRequest) => ConsentAnswer | Promise<ConsentAnswer>) =>
  rig([EVERYTHING], answer);

test('the reference server gets what a user entered, with every kind of field', async () => {
  const { call, user, recorded, connection } = everything((request) => {
    if (request.kind !== 'form') return NO;
    return { ...YES, content: { ...defaultContent(request.fields.slice(1)), name: 'Ada' } };
  });
  const said = await call('trigger-elicitation-request');
  expect(said).toContain('"name": "Ada"');
  const [asked] = user.asked;
  expect(asked).toMatchObject({ kind: 'form', server: 'fixture', conversationId: 'one' });
  if (asked?.kind !== 'form') throw new Error('No form was asked about');
  expect(asked.fields.map(({ name, rules: { kind } }) => `${name}: ${kind}`)).toEqual([
    'name: text',
    'check: boolean',
    'firstLine: text',
    'email: text',
    'homepage: text',
    'birthdate: text',
    'integer: number',
    'number: number',
    'untitledSingleSelectEnum: choice',
    'untitledMultipleSelectEnum: choices',
    'titledSingleSelectEnum: choice',
    'titledMultipleSelectEnum: choices',
    'legacyTitledEnum: choice',
  ]);
  expect(JSON.parse(said.slice(said.indexOf('{')))).toMatchObject({
    action: 'accept',
    content: { integer: 42, titledMultipleSelectEnum: ['fish-1'], legacyTitledEnum: 'pet-1' },
  });
  expect(recorded).toMatchObject([{ type: 'server_request', asked: 'form', answer: 'accepted', by: 'user' }]);
  // Nobody finds what they entered in the conversation's log, nor in what was sent to the server. (What the server says
  // is its own.)
  expect(JSON.stringify(recorded)).not.toContain('Ada');
  const sent = connection.log.entries.filter(({ kind }) => kind === 'sent').map(({ text }) => text);
  expect(sent.find((text) => text.includes('"accept"'))).toContain('(not logged)');
  expect(sent.join()).not.toContain('Ada');
});

test('a form is declined or cancelled, and the server is told which', async () => {
  const declined = asking(() => NO);
  expect(await declined.call('ask', { method: 'elicitation/create', params: FORM })).toContain('"action":"decline"');
  const cancelled = asking(() => ({ ...NO, isCancelled: true }));
  expect(await cancelled.call('ask', { method: 'elicitation/create', params: FORM })).toContain('"action":"cancel"');
  expect(cancelled.recorded).toMatchObject([{ answer: 'cancelled' }]);
});

test('the clock of the call stands still while a user fills in the form', async () => {
  const form = { method: 'elicitation/create', params: FORM };
  const { call } = asking(async () => delay(1_200, { ...YES, content: { name: 'Ada' } }), { timeoutSeconds: 0.8 });
  expect(await call('ask', form)).toContain('Ada');
  // The control: what takes as long without a user runs out.
  await expect(call('wait', { ms: 1_200 })).rejects.toMatchObject({ problem: { code: 'timed_out' } });
});

test('Stop takes the form away, and so does the server', async () => {
  const { call, user, recorded } = asking(() => NEVER);
  const stop = new AbortController();
  const stopped = call('ask', { method: 'elicitation/create', params: FORM }, stop.signal);
  stopped.catch(() => undefined);
  await until(() => user.asked.length === 1);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  await until(() => user.withdrawn === 1);
  expect(await call('take_back', { method: 'elicitation/create', params: FORM })).toBe('took it back');
  expect(user.withdrawn).toBe(2);
  expect(recorded).toEqual([]);
});

test('what a server asks without a call is a question of no conversation; after three without a yes it is not asked', async () => {
  const { call, user, connection, recorded } = asking(() => NO);
  await call('ask_on_its_own', { method: 'elicitation/create', params: FORM, times: 10 });
  const answers = () => toldTo(connection).filter((each) => 'answered' in each);
  await until(() => answers().length === 10);
  expect(user.asked).toHaveLength(3);
  expect(user.asked).toMatchObject(user.asked.map(() => ({ conversationId: null, reason: { isUnasked: true } })));
  expect(answers()).toMatchObject(answers().map(() => ({ answered: { result: { action: 'decline' } } })));
  expect(recorded).toEqual([]);
  // The control: one that gets a yes goes on asking.
  const heard = asking(() => ({ ...YES, content: { name: 'Ada' } }));
  await heard.call('ask_on_its_own', { method: 'elicitation/create', params: FORM, times: 10 });
  await until(() => heard.user.asked.length === 10);
});

test('a server that repeats a declined question is not shown to the user again in that call', async () => {
  const { call, user } = asking(() => NO);
  const nagging = { method: 'elicitation/create', params: FORM, times: 10 };
  expect(await call('again', nagging)).toBe(`${'decline '.repeat(3)}${'refused '.repeat(7)}`.trim());
  expect(user.asked).toHaveLength(3);
  // Another call is another matter.
  await call('again', { ...nagging, times: 1 });
  expect(user.asked).toHaveLength(4);
  // The control: one that gets a yes goes on asking.
  const heard = asking(() => ({ ...YES, content: { name: 'Ada' } }));
  await heard.call('again', nagging);
  expect(heard.user.asked).toHaveLength(10);
});

test('an address is opened after a yes, and a call that needs it is made again', async () => {
  const { call, opened, user } = asking(() => YES);
  expect(await call('ask', { method: 'elicitation/create', params: URL_REQUEST })).toContain('"action":"accept"');
  expect(opened).toEqual([URL_REQUEST.url]);
  expect(await call('needs_url', { url: 'https://login.example.org/b' })).toBe('went on');
  expect(opened).toEqual([URL_REQUEST.url, 'https://login.example.org/b']);
  expect(user.asked).toMatchObject([{ stage: 'asked' }, { stage: 'asked' }, { stage: 'opened' }]);

  const declined = asking(() => NO);
  await expect(declined.call('needs_url', { url: 'https://login.example.org/b' })).rejects.toMatchObject({
    problem: { code: 'protocol' },
  });
  expect(declined.opened).toEqual([]);
});

test('the server itself can report that the user is done with the page', async () => {
  const { call, user } = asking((request) =>
    request.kind === 'server-link' && request.stage === 'asked' ? YES : NEVER,
  );
  expect(await call('needs_url', { url: 'https://login.example.org/b', done: 300 })).toBe('went on');
  expect(user.withdrawn).toBe(1);
});

test('roots are the workspace and the granted folders, followed as they change, and can be switched off', async () => {
  const { call, folders, requests, connection } = everything(() => NO);
  await connection.start();
  expect(await call('get-roots-list')).toContain(pathToFileURL('/srv/here').href);
  folders.push('/data/with space');
  requests.foldersChanged();
  await until(() => connection.log.entries.some(({ text }) => text.includes('notifications/roots/list_changed')));
  await until(() => connection.log.entries.some(({ kind, text }) => kind === 'sent' && text.includes('with%20space')));
  expect(await call('get-roots-list')).toContain('file:///data/with%20space');

  const off = asking(() => NO, { roots: false });
  expect(await off.call('ask', { method: 'roots/list' })).toContain('-32601');
  const on = asking(() => NO);
  expect(await on.call('ask', { method: 'roots/list' })).toContain('file:///srv/here');
});

test('a server of revision 2026-07-28 gets all of it as the input that its answer requires', async () => {
  const answer = (request: ConsentRequest) =>
    request.kind === 'form' ? delay(800, { ...YES, content: { name: 'Ada' } }) : YES;
  const { call, opened, user } = rig([fixture('modern-server.mjs')], answer, { timeoutSeconds: 0.7 });
  expect(JSON.parse(await call('ask'))).toMatchObject({
    form: { action: 'accept', content: { name: 'Ada' } },
    page: { action: 'accept' },
    model: { content: { text: 'the answer' } },
    roots: { roots: [{ uri: 'file:///srv/here' }] },
  });
  expect(opened).toEqual(['https://login.example.org/a']);
  expect(user.asked.map(({ kind }) => kind).sort()).toEqual(['form', 'server-link']);

  const stopping = rig([fixture('modern-server.mjs')], () => NEVER);
  const stop = new AbortController();
  const stopped = stopping.call('ask', {}, stop.signal);
  stopped.catch(() => undefined);
  await until(() => stopping.user.asked.length > 0);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  await until(() => stopping.user.withdrawn === 1);
});

test('the model is asked for a server only while one of its tools runs', async () => {
  const { call, connection } = everything(() => NO);
  expect(await call('trigger-sampling-request', { prompt: 'Say it' })).toContain('the answer');
  await connection.stop();
  const own = asking(() => NO);
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 10 };
  await own.call('ask_on_its_own', { method: 'sampling/createMessage', params });
  await until(() => toldTo(own.connection).some((each) => 'answered' in each));
  expect(toldTo(own.connection).find((each) => 'answered' in each)).toMatchObject({
    answered: { error: { code: -32_602 } },
  });
});
