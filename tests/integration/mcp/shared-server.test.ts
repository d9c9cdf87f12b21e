import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src-main/mcp/calls/running-calls.ts';
import { ServerRequests } from '../../../src-main/mcp/requests/server-requests.ts';
import { questionOf } from '../../../src-main/policy/question/question-of.ts';
import type { McpServerConfig } from '../../../src-main/settings/config-schema.ts';
import { AskedUser, YES } from '../../fixtures/mcp/asked-user.ts';
import { connectionTo, httpConfig, stdioConfig, until } from '../../fixtures/mcp/connections.ts';
import { startHttp } from '../../fixtures/mcp/http-servers.ts';

/** Two conversations call one server at once, and it asks. */

const fixture = (name: string) => new URL(`../../fixtures/mcp/${name}`, import.meta.url).pathname;
const FORM = {
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const ASK = { method: 'elicitation/create', params: FORM };

function rig(config: McpServerConfig) {
  const user = new AskedUser(() => ({ ...YES, content: { name: 'Ada' } }));
  const recorded: [string, RecordedEvent][] = [];
  const { connection } = connectionTo(config, {
    features: (own) =>
      new ServerRequests(own, {
        consent: user.consent,
        sample: async (_server, _params, { call, conversations }) => {
          sampled.push({ conversationId: call.conversationId, conversations });
          return { role: 'assistant', model: 'fixture', content: { type: 'text', text: 'the answer' } };
        },
        openUrl: async () => undefined,
        folders: () => [],
      }),
  });
  const sampled: { conversationId: string; conversations: number }[] = [];
  return {
    connection,
    user,
    recorded,
    sampled,
    asked: () =>
      user.asked.map((request) => {
        if (request.kind !== 'form' && request.kind !== 'server-link') throw new Error(`Asked about ${request.kind}`);
        return { kind: request.kind, conversationId: request.conversationId, conversations: request.conversations };
      }),
    call: (conversationId: string, tool: string, input: Record<string, unknown> = {}) =>
      connection.call(tool, input, {
        signal: AbortSignal.timeout(30_000),
        origin: { conversationId, record: (event) => void recorded.push([conversationId, event]) },
      }),
  };
}

/** A server of revision 2025-11-25 over Streamable HTTP, whose streams a test writes to itself. */
async function startStreams() {
  /** By tool. */
  const calls = new Map<string, { readonly id: unknown; readonly response: ServerResponse }>();
  const answers: unknown[] = [];
  let own: ServerResponse | undefined;
  const open = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    return response;
  };
  const fixtureServer = await startHttp((request, response, body) => {
    if (request.method === 'GET') {
      own = open(response);
      return;
    }
    const { id, method, params } = JSON.parse(body || '{}');
    const result = (value: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
    };
    if (method === 'initialize') {
      const serverInfo = { name: 'streams', version: '1.0.0' };
      result({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    } else if (method === 'tools/list') {
      result({ tools: ['first', 'second'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
    } else if (method === 'tools/call') calls.set(params.name, { id, response: open(response) });
    else if (id !== undefined && method !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }));
    } else {
      if (id !== undefined) answers.push(id);
      response.writeHead(202).end();
    }
  });
  const write = (response: ServerResponse | undefined, message: object) =>
    response?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  return {
    url: fixtureServer.url,
    answers,
    calls,
    hasOwnStream: () => own !== undefined,
    ask: (stream: 'first' | 'second' | 'own', id: string, request: object = ASK) =>
      write(stream === 'own' ? own : calls.get(stream)?.response, { id, ...request }),
    answer: (tool: string) => {
      const { id, response } = calls.get(tool) ?? {};
      write(response, { id, result: { content: [{ type: 'text', text: 'done' }] } });
      response?.end();
    },
  };
}

test('over Streamable HTTP a question on the stream of a call belongs to that call, whichever is newer', async () => {
  const server = await startStreams();
  const { call, asked, recorded, sampled } = rig(httpConfig(server.url));
  const first = call('one', 'first');
  await until(() => server.calls.size === 1);
  const second = call('two', 'second');
  await until(() => server.calls.size === 2 && server.hasOwnStream());
  server.ask('first', 'a');
  await until(() => server.answers.length === 1);
  server.ask('second', 'b');
  await until(() => server.answers.length === 2);
  expect(asked()).toEqual([
    { kind: 'form', conversationId: 'one', conversations: 1 },
    { kind: 'form', conversationId: 'two', conversations: 1 },
  ]);
  expect(recorded.map(([conversation]) => conversation)).toEqual(['one', 'two']);
  const messages = [{ role: 'user', content: { type: 'text', text: 'x' } }];
  server.ask('first', 'c', { method: 'sampling/createMessage', params: { messages, maxTokens: 10 } });
  await until(() => server.answers.length === 3);
  expect(sampled).toEqual([{ conversationId: 'one', conversations: 1 }]);
  // On the stream of the connection nothing says it: the newest call is a guess, and the question says that it is.
  server.ask('own', 'd');
  await until(() => server.answers.length === 4);
  expect(asked().at(-1)).toEqual({ kind: 'form', conversationId: 'two', conversations: 2 });
  server.answer('second');
  await second;
  server.ask('own', 'e');
  await until(() => server.answers.length === 5);
  expect(asked().at(-1)).toEqual({ kind: 'form', conversationId: 'one', conversations: 1 });
  server.answer('first');
  await first;
});

test('a question on the stream of a request that is for no conversation belongs to none, whoever else is calling', async () => {
  const server = await startStreams();
  const { call, asked, connection } = rig(httpConfig(server.url));
  await connection.start();
  const outside = connection.call('first', {}, { signal: AbortSignal.timeout(30_000) });
  await until(() => server.calls.size === 1);
  const second = call('two', 'second');
  await until(() => server.calls.size === 2);
  server.ask('first', 'a');
  await until(() => server.answers.length === 1);
  expect(asked()).toEqual([{ kind: 'form', conversationId: null, conversations: 0 }]);
  for (const tool of ['first', 'second']) server.answer(tool);
  await Promise.all([outside, second]);
});

test('in revision 2026-07-28 each call asks for its own conversation', async () => {
  const { call, asked, connection, sampled } = rig(stdioConfig([fixture('modern-server.mjs')]));
  await connection.start();
  await Promise.all([call('one', 'ask'), call('two', 'ask'), call('three', 'ask')]);
  const forms = asked().filter(({ kind }) => kind === 'form');
  expect(forms.map(({ conversationId }) => conversationId).sort()).toEqual(['one', 'three', 'two']);
  expect(sampled.map(({ conversationId }) => conversationId).sort()).toEqual(['one', 'three', 'two']);
  expect(new Set([...asked(), ...sampled].map(({ conversations }) => conversations))).toEqual(new Set([1]));
});

test('over stdio a question goes to the newest call, and says that it may be for another conversation', async () => {
  const { call, asked, user } = rig(stdioConfig([fixture('asking-server.mjs')]));
  // The server is started by the first call: that does not make it the call that everything later is for.
  const waiting = call('one', 'wait', { ms: 2_000 });
  await call('two', 'ask', ASK);
  expect(asked()).toEqual([{ kind: 'form', conversationId: 'two', conversations: 2 }]);
  const [request] = user.asked;
  if (request?.kind !== 'form') throw new Error('No form was asked about');
  const [shared] = questionOf(request).parts;
  expect(shared).toMatchObject({ kind: 'text', title: expect.stringContaining('2 conversations') });
  expect(questionOf({ ...request, conversations: 1 }).parts).toEqual(questionOf(request).parts.slice(1));
  await waiting;
  await call('one', 'ask', ASK);
  expect(asked().at(-1)).toEqual({ kind: 'form', conversationId: 'one', conversations: 1 });
});

test('a task that is named in a question makes it a question of its call', async () => {
  const { call, asked, connection } = rig(stdioConfig([fixture('asking-server.mjs')]));
  await connection.start();
  const task = call('one', 'ask_as_task', { ...ASK, ms: 500 });
  await until(() => connection.log.entries.some(({ text }) => text.includes('tasks/result')));
  const waiting = call('two', 'wait', { ms: 1_000 });
  await task;
  expect(asked()).toEqual([{ kind: 'form', conversationId: 'one', conversations: 1 }]);
  await waiting;
});
