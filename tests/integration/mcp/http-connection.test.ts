import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { CallFailure } from '../../../src-main/mcp/calls/tool-call.ts';
import { problemText } from '../../../src-main/mcp/status/server-problem.ts';
import { serverFetch } from '../../../src-main/mcp/transport/server-fetch.ts';
import { createHttpClient } from '../../../src-main/network/http-client.ts';
import { connectionTo, httpConfig, until } from '../../fixtures/mcp/connections.ts';
import { startEverything, startHttp } from '../../fixtures/mcp/http-servers.ts';

const still = new AbortController().signal;

test('the reference server over Streamable HTTP: tools, a result, progress', async () => {
  const url = await startEverything('streamableHttp');
  const { connection } = connectionTo(httpConfig(url));
  await connection.start();
  expect(connection.state.name).toBe('ready');
  expect(connection.list?.tools.map(({ name }) => name)).toContain('echo');
  expect((await connection.call('echo', { message: 'hi' }, { signal: still })).parts).toEqual([
    { type: 'text', text: 'Echo: hi' },
  ]);
  const steps: number[] = [];
  await connection.call(
    'trigger-long-running-operation',
    { duration: 1, steps: 2 },
    { signal: still, onProgress: ({ progress }) => void steps.push(progress) },
  );
  expect(steps).toEqual([1, 2]);
});

test('the older transport: named, and found by itself where Streamable HTTP is answered with 404', async () => {
  const url = await startEverything('sse');
  const named = connectionTo(httpConfig(url, { transport: 'sse' }));
  const found = connectionTo(httpConfig(url));
  await Promise.all([named.connection.start(), found.connection.start()]);
  expect([named.connection.state.name, found.connection.state.name]).toEqual(['ready', 'ready']);
  for (const { connection } of [named, found])
    expect((await connection.call('echo', { message: 'hi' }, { signal: still })).isError).toBe(false);
});

test('a server may take as long to accept a notification as to get ready', async () => {
  const { url } = await startHttp((_request, response) => void response.writeHead(202).end());
  const http = createHttpClient();
  onTestFinished(() => http.close());
  const limits: (number | undefined)[] = [];
  const open: typeof http.open = (request, options) => {
    limits.push(request.timeoutMs);
    return http.open(request, options);
  };
  const observed = { open, access: http.access.bind(http) };
  const nothing = () => undefined;
  const fetch = serverFetch({ url, http: observed, answersPosts: true, skipped: nothing, onUnread: nothing });
  await fetch(url, { method: 'POST', body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
  expect(limits).toEqual([30_000]);
});

test('a server that wants a sign-in is no failure; another status or a page is, and is not tried in the older way', async () => {
  const guarded = await startHttp((_request, response) => void response.writeHead(401).end());
  const signIn = connectionTo(httpConfig(guarded.url));
  await signIn.connection.start();
  expect(signIn.connection.state).toEqual({ name: 'needs-sign-in' });

  const broken = await startHttp((_request, response) => void response.writeHead(500).end('oh no'));
  const { connection } = connectionTo(httpConfig(broken.url));
  await connection.start();
  expect(connection.state).toMatchObject({ name: 'failed', problem: { code: 'http_status', status: 500 } });
  expect(broken.requests.filter((each) => each.startsWith('GET'))).toEqual([]);

  const page = await startHttp((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<title>Sign in</title>'),
  );
  const elsewhere = connectionTo(httpConfig(page.url));
  await elsewhere.connection.start();
  const problem = { code: 'other_content', mediaType: 'text/html' } as const;
  expect(elsewhere.connection.state).toMatchObject({ name: 'failed', problem });
  expect(problemText(problem)).toBe('its url answers with a web page, which is not MCP');

  const nobody = connectionTo(httpConfig('http://127.0.0.1:1/mcp'));
  await nobody.connection.start();
  expect(nobody.connection.state).toMatchObject({ problem: { code: 'unreachable' }, retryAt: expect.any(Number) });
});

test('a public name that turns out to be this machine is not reached, nor a redirect to elsewhere', async () => {
  const inner = await startHttp((_request, response) => void response.writeHead(200).end('{}'));
  const { port } = new URL(inner.url);
  const http = createHttpClient({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  const rebound = connectionTo(httpConfig(`http://mcp.example.com:${port}/mcp`), { http });
  await rebound.connection.start();
  expect(rebound.connection.state).toMatchObject({ name: 'failed', problem: { code: 'address_not_allowed' } });
  expect(inner.requests).toEqual([]);
  await http.close();

  const redirecting = await startHttp(
    (_request, response) => void response.writeHead(307, { location: inner.url }).end(),
  );
  const redirected = connectionTo(httpConfig(redirecting.url));
  await redirected.connection.start();
  expect(redirected.connection.state.name).toBe('failed');
  expect(inner.requests).toEqual([]);

  // The control: named as what it is, the same server is reached.
  const honest = connectionTo(httpConfig(inner.url));
  await honest.connection.start();
  expect(inner.requests.length).toBeGreaterThan(0);
});

test('of answers that are too large only their own call fails, as JSON and as a stream', async () => {
  const { url } = await startHttp((request, response, body) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(body);
    if (message.id === undefined) return void response.writeHead(202).end();
    const result = resultOf(message);
    if (result === undefined) return json(response, { id: message.id, error: { code: -32601, message: 'unknown' } });
    if (message.params?.arguments?.streamed !== true) return json(response, { id: message.id, result });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
  });
  const { connection } = connectionTo(httpConfig(url));
  await connection.start();
  expect(connection.state.name).toBe('ready');
  for (const streamed of [false, true]) {
    const small = await connection.call('sized', { bytes: 9_000_000, streamed }, { signal: still });
    expect(small.parts).toHaveLength(1);
    const failure = await connection
      .call('sized', { bytes: 11_000_000, streamed }, { signal: still })
      .catch((error) => error);
    expect(failure).toBeInstanceOf(CallFailure);
    expect(failure.problem).toEqual({ code: 'too_large', bytes: expect.any(Number) });
  }
  expect(connection.state.name).toBe('ready');
});

test('Stop ends a call to a remote server', async () => {
  const url = await startEverything('streamableHttp');
  const { connection } = connectionTo(httpConfig(url));
  await connection.start();
  const stop = new AbortController();
  let steps = 0;
  const call = connection.call(
    'trigger-long-running-operation',
    { duration: 60, steps: 600 },
    { signal: stop.signal, onProgress: () => void steps++ },
  );
  await until(() => steps > 0);
  const reason = new Error('Stop');
  stop.abort(reason);
  await expect(call).rejects.toBe(reason);
  expect((await connection.call('echo', { message: 'on' }, { signal: still })).isError).toBe(false);
});

function resultOf({ method, params }: { method: string; params?: { arguments?: { bytes?: number } } }): unknown {
  if (method === 'initialize')
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'sized', version: '1' } };
  if (method === 'tools/list') return { tools: [{ name: 'sized', inputSchema: { type: 'object' } }] };
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'x'.repeat(params?.arguments?.bytes ?? 0) }] };
  return undefined;
}

function json(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

test.each([
  ['ends', true],
  ['does not end', false],
])('an event that %s is kept in memory only up to a limit', async (_, ends) => {
  const { url } = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const line = `data: ${'x'.repeat(1_000_000)}\n${ends ? '\n' : ''}`;
    response.end(line.repeat(30));
  });
  const http = createHttpClient();
  onTestFinished(() => http.close());
  const nothing = () => undefined;
  const response = await serverFetch({ url, http, answersPosts: true, skipped: nothing, onUnread: nothing })(url);
  const read = response.text().then(
    ({ length }) => length,
    ({ code }) => code,
  );
  expect(await read).toEqual(ends ? 30 * 1_000_008 : 'too_large');
});
