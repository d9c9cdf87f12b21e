import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { authorizationFetch } from '../../src-main/mcp/oauth/authorization-fetch.ts';
import { createHttpClient } from '../../src-main/network/http-client.ts';
import { connectionTo, httpConfig, until } from '../fixtures/mcp/connections.ts';
import { startHttp } from '../fixtures/mcp/http-servers.ts';

/** A remote server that sends more than anyone can use, or asks for more than it reads. */

const { signal: still } = new AbortController();

interface Message {
  readonly id?: number | string;
  readonly method?: string;
}

interface Hostile {
  /** Answers a call, or returns false for the usual answer, which is an empty result. */
  readonly onCall?: (response: ServerResponse, message: Message) => unknown;
  readonly onList?: () => void;
  /** Answers a request for a stream. Without this, there is no such stream. */
  readonly onGet?: (response: ServerResponse, request: IncomingMessage) => void;
  /** Answers what is an answer to the server, or a notification. Without this, the answer is 202. */
  readonly onAside?: (response: ServerResponse, message: Message) => void;
  readonly sessionId?: string;
}

async function remoteServer({ onCall, onList, onGet, onAside, sessionId }: Hostile) {
  const received: Message[] = [];
  const server = await startHttp((request, response, body) => {
    if (request.method === 'GET' && onGet !== undefined) return onGet(response, request);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message: Message = JSON.parse(body);
    received.push(message);
    const { id, method } = message;
    if (method === undefined || id === undefined)
      return onAside === undefined ? void response.writeHead(202).end() : onAside(response, message);
    if (method === 'initialize') {
      const headers: Record<string, string> = sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
      const capabilities = { tools: { listChanged: true } };
      const serverInfo = { name: 'hostile', version: '1' };
      return answer(response, { id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo } }, headers);
    }
    if (method === 'tools/list') {
      onList?.();
      return answer(response, { id, result: { tools: [{ name: 'it', inputSchema: { type: 'object' } }] } });
    }
    if (method !== 'tools/call') return answer(response, { id, error: { code: -32_601, message: 'unknown' } });
    if (onCall === undefined || onCall(response, message) === false) answer(response, { id, result: { content: [] } });
  });
  const { connection } = connectionTo(httpConfig(server.url));
  await connection.start();
  const logged = (kind: string) =>
    connection.log.entries.filter((entry) => entry.kind === kind).map(({ text }) => text);
  const call = (signal = still) => connection.call('it', {}, { signal });
  return { connection, requests: server.requests, received, logged, call };
}

function answer(response: ServerResponse, message: object, headers: Readonly<Record<string, string>> = {}): void {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
}

/** A thousandth of that is sent. */
const BOMB = gzipSync(Buffer.alloc(16 * 1024 * 1024, 'data: x\n\n'));

/** Writes until the client closes the response, which is noted. */
function endless(response: ServerResponse, status: number, type: string, closed: string[]): void {
  response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' });
  response.on('close', () => closed.push(type));
  const goOn = () => {
    if (!response.destroyed) response.write(BOMB, () => setTimeout(goOn, 10));
  };
  goOn();
}

test.each([
  [200, 'application/json', 'The answer is too large'],
  [500, 'application/json', 'Error POSTing to endpoint: data: x'],
  [500, 'text/event-stream', 'Error POSTing to endpoint: data: x'],
  [404, 'text/plain', 'Error POSTing to endpoint: data: x'],
  [200, 'text/html', 'Unexpected content type'],
])('an endless answer %i %s is closed, and the call ends with a short text', async (status, type, text) => {
  const closed: string[] = [];
  const { call } = await remoteServer({ onCall: (response) => endless(response, status, type, closed) });
  const failure: Error = await call().then(
    () => new Error('it was answered'),
    (error) => error,
  );
  expect(failure.message).toContain(text);
  expect(failure.message.length).toBeLessThan(20_000);
  await until(() => closed.length === 1);
});

test('an endless answer to a notification is closed, whatever it claims to be', async () => {
  const closed: string[] = [];
  const { connection } = await remoteServer({
    onAside: (response) => endless(response, 200, 'text/event-stream', closed),
  });
  expect(connection.state.name).toBe('ready');
  await until(() => closed.length === 1);
});

test('a message of millions of values is not parsed, nor a large batch answered', async () => {
  const bodies = [
    (id: unknown) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"_meta":[${'{},'.repeat(600_000)}1]}}`,
    (id: unknown) => `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(2_000)}{"id":${id}}]`,
  ];
  const { call, received, logged } = await remoteServer({
    onCall: (response, { id }) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(bodies.shift()?.(id)),
  });
  await expect(call()).rejects.toThrow('it is more than 500,000 values');
  await expect(call()).rejects.toThrow('it is a batch of 2001 messages');
  expect(logged('skipped')).toEqual([
    'a message that is more than 500,000 values',
    'a message that is a batch of 2001 messages',
  ]);
  expect(received.filter(({ method }) => method === undefined)).toEqual([]);
});

test('in a stream, a message of millions of values fails only its own call, also if it is spread over lines', async () => {
  const { call } = await remoteServer({
    onCall: (response, { id }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line = `data: ${'{},'.repeat(100_000)}\n`;
      response.end(`data: {"jsonrpc":"2.0","id":${id},"result":{"_meta":[\n${line.repeat(6)}data: 1]}}\n\n`);
    },
  });
  await expect(call()).rejects.toThrow('it is more than 500,000 values');
});

test('a server that asks and does not read the answers is disconnected', async () => {
  const pings = 'data: {"jsonrpc":"2.0","id":7,"method":"ping"}\n\n'.repeat(1_000);
  const { connection, logged, received } = await remoteServer({
    onGet: (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(pings),
    onAside: (response, { method }) => {
      if (method !== undefined) response.writeHead(202).end();
    },
  });
  await until(() => connection.state.name === 'failed');
  expect(logged('state').filter((text) => text.startsWith('ended'))).toEqual([
    'ended: it does not read what it asks for',
  ]);
  expect(received.filter(({ method }) => method === undefined).length).toBeLessThanOrEqual(200);
});

test('a stream that is closed at once is not opened again at once for ever', async () => {
  const { call, requests } = await remoteServer({
    onGet: (response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\ndata: \n\n'),
  });
  const opened = () => requests.filter((each) => each.startsWith('GET')).length;
  await until(() => opened() === 20);
  for (let calls = 0; calls < 100; calls++) await call();
  expect(opened()).toBeLessThan(25);
});

test('an event id that is too long is not sent back', async () => {
  const resumed: unknown[] = [];
  const ids = ['short', 'x'.repeat(2_000)];
  const { logged } = await remoteServer({
    onGet: (response, { headers }) => {
      resumed.push(headers['last-event-id']);
      const id = ids.shift();
      if (id === undefined) return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`retry: 1\rid: ${id}\rdata:\r\r\n\n`);
    },
  });
  await until(() => resumed.length === 3);
  expect(resumed).toEqual([undefined, 'short', undefined]);
  expect(logged('skipped')).toEqual(['an event id of 2000 characters that cannot be sent back']);
});

test('reports of changed tools do not keep Steward reading lists', async () => {
  const streams: ServerResponse[] = [];
  let lists = 0;
  const report = () => streams.at(-1)?.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
  const { call } = await remoteServer({
    onGet: (response) => {
      streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      report();
    },
    onList: () => {
      lists++;
      report();
    },
  });
  await until(() => lists > 1);
  for (let calls = 0; calls < 100; calls++) await call();
  expect(lists).toBeLessThan(20);
});

test.each(['application/json', 'text/event-stream'])('Stop closes a POST whose %s never ends', async (type) => {
  const states: string[] = [];
  const { call, received } = await remoteServer({
    onCall: (response) => {
      if (states.length > 0) return false;
      states.push('called');
      response.on('close', () => states.push('closed'));
      return response.writeHead(200, { 'content-type': type }).write(': ');
    },
  });
  const stop = new AbortController();
  const calling = call(stop.signal);
  await until(() => states.length === 1);
  stop.abort(new Error('Stop'));
  await expect(calling).rejects.toThrow('Stop');
  expect((await call()).isError).toBe(false);
  await until(() => states.includes('closed'));
  expect(received.map(({ method }) => method)).toContain('notifications/cancelled');
});

test('a stream that its server keeps open after the answer is closed', async () => {
  const closed: unknown[] = [];
  const { call } = await remoteServer({
    onCall: (response, { id }) => {
      response.on('close', () => closed.push(id));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`);
    },
  });
  await call();
  await until(() => closed.length === 1);
});

test('a session that no longer exists is replaced by a new one', async () => {
  let calls = 0;
  const { connection, call, received } = await remoteServer({
    sessionId: 'first',
    onCall: (response) => {
      calls++;
      return calls === 1 && response.writeHead(404).end('gone');
    },
  });
  await expect(call()).rejects.toThrow('gone');
  expect(connection.state.name).toBe('failed');
  await until(() => connection.state.name === 'ready');
  expect((await call()).isError).toBe(false);
  expect(received.filter(({ method }) => method === 'initialize')).toHaveLength(2);
});

test.each([
  { code: 404, message: 'no such page' },
  { code: -32_000, message: 'no such page', data: { status: 404 } },
])('a call that fails with $code does not end the session', async (error) => {
  const { connection, call } = await remoteServer({
    sessionId: 'first',
    onCall: (response, { id }) => answer(response, { id, error }),
  });
  await expect(call()).rejects.toThrow('no such page');
  expect(connection.state.name).toBe('ready');
});

test.each(['x\u4e2d', 'x'.repeat(5_000)])('a session id that cannot be sent back is refused', async (sessionId) => {
  const { connection } = await remoteServer({ sessionId: Buffer.from(sessionId).toString('latin1') });
  expect(connection.state).toMatchObject({ problem: { reason: expect.stringContaining('session id') } });
});

test('with the older transport, an endless response to a POST is closed, and the answer is taken from the stream', async () => {
  const closed: string[] = [];
  let stream: ServerResponse | undefined;
  const { url } = await startHttp((request, response, body) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void stream.write('event: endpoint\ndata: /messages\n\n');
    }
    const { id, method }: Message = JSON.parse(body);
    endless(response, 200, 'text/event-stream', closed);
    const capabilities = { tools: {} };
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'hostile', version: '1' } },
      'tools/list': { tools: [{ name: 'it', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [] },
    };
    const result = results[method ?? ''];
    if (id !== undefined) stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  });
  const { connection } = connectionTo(httpConfig(url, { transport: 'sse' }));
  await connection.start();
  expect(connection.state.name).toBe('ready');
  expect((await connection.call('it', {}, { signal: still })).isError).toBe(false);
  await until(() => closed.length === 4);
});

test.each([301, 302, 303, 307, 308])('a redirect with status %i sends nothing anywhere else', async (status) => {
  const elsewhere = await startHttp((_request, response) => void response.writeHead(200).end('{}'));
  const { port } = new URL(elsewhere.url);
  const targets = [
    elsewhere.url,
    `//localhost:${port}/mcp`,
    `http://127.0.0.1@localhost:${port}/mcp`,
    'file:///etc/hostname',
    'http://169.254.169.254/',
    'http://[',
  ];
  for (const location of targets) {
    const server = await startHttp((_request, response) => void response.writeHead(status, { location }).end());
    const { connection } = connectionTo(httpConfig(server.url, { headers: { Authorization: 'Bearer kept-here' } }));
    await connection.start();
    expect(connection.state).toMatchObject({ name: 'failed', problem: { code: 'http_status', status } });
    await connection.stop();
  }
  expect(elsewhere.requests).toEqual([]);
});

test('a redirect within the server is followed only if it stays a POST, and not for ever', async () => {
  const { url, requests } = await startHttp((request, response) => {
    response.writeHead(307, { location: `${request.url}x` }).end();
  });
  const { connection } = connectionTo(httpConfig(url));
  await connection.start();
  expect(connection.state.name).toBe('failed');
  expect(requests.length).toBeLessThan(100);
  expect(new Set(requests.map((each) => each.split(' ')[0]))).toEqual(new Set(['POST']));
});

test('at most a megabyte of an endless sign-in answer is read', async () => {
  const closed: string[] = [];
  const { url } = await startHttp((_request, response) => endless(response, 200, 'application/json', closed));
  const http = createHttpClient();
  onTestFinished(() => http.close());
  const fetchMetadata = authorizationFetch({
    http,
    serverUrl: url,
    signal: still,
    isUserActing: true,
    confirmed: new Set<string>(),
    confirmedPrivate: new Set<string>(),
  });
  await expect(fetchMetadata(url)).rejects.toMatchObject({ code: 'too_large' });
  await until(() => closed.length === 1);
});
