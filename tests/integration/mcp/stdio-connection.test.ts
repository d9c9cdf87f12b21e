import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resultText } from '../../../src-main/mcp/calls/call-result.ts';
import { CallFailure } from '../../../src-main/mcp/calls/tool-call.ts';
import type { ServerTool } from '../../../src-main/mcp/calls/tool-list.ts';
import { connectionTo, isAlive, STDIO_SERVER, stdioConfig, toldTo, until } from '../../fixtures/mcp/connections.ts';
import { ownTimeMs } from '../../fixtures/own-time.ts';

const still = new AbortController().signal;

async function ready(...args: string[]) {
  const opened = connectionTo(stdioConfig([STDIO_SERVER, ...args]));
  await opened.connection.start();
  expect(opened.connection.state).toMatchObject({ name: 'ready' });
  return opened;
}

async function problemOf(call: Promise<unknown>): Promise<unknown> {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof CallFailure ? error.problem : error;
}

test('a server of the older era: its tools, claims, instructions; the era is kept', async () => {
  const { connection, kept, states } = await ready();
  expect(states.map(({ name }) => name)).toEqual(['starting', 'ready']);
  expect(connection.protocolVersion).toBe('2025-06-18');
  expect(connection.server).toMatchObject({ name: 'fixture' });
  expect(connection.list?.instructions).toBe('Be kind.');
  expect(connection.list?.tools[0]).toEqual({
    name: 'echo',
    title: 'Echo',
    description: 'The tool echo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  });
  expect(kept).toEqual([{ ...connection.list, era: { kind: 'legacy' } }]);
  expect(await connection.call('echo', { text: 'hi' }, { signal: still })).toEqual({
    isError: false,
    parts: [{ type: 'text', text: 'hi' }],
  });
  expect(toldTo(connection).map(({ received }) => received)).toContain('server/discover');
});

test('a server whose protocol era is stored is not probed again', async () => {
  const known = { tools: [], era: { kind: 'legacy' } } as const;
  const { connection } = connectionTo(stdioConfig([STDIO_SERVER]), { known });
  await connection.start();
  expect(connection.state.name).toBe('ready');
  expect(toldTo(connection).map(({ received }) => received)).not.toContain('server/discover');
});

test('a server that crashes at the probe is restarted without one; a silent one has three seconds', async () => {
  const [dying, silent] = [
    connectionTo(stdioConfig([STDIO_SERVER, 'dies-of-probe'])),
    connectionTo(stdioConfig([STDIO_SERVER, 'silent-to-probe'])),
  ];
  const startedAt = performance.now();
  await Promise.all([dying.connection.start(), silent.connection.start()]);
  expect([dying.connection.state.name, silent.connection.state.name]).toEqual(['ready', 'ready']);
  expect(performance.now() - startedAt).toBeGreaterThan(2_900);
  expect(dying.kept.at(-1)?.era).toEqual({ kind: 'legacy' });
  expect(toldTo(dying.connection).filter((line) => 'started' in line)).toHaveLength(2);
});

test('all parts of a result are kept, also of kinds that nobody knows, and what does not match its schema', async () => {
  const { connection } = await ready();
  const result = await connection.call('parts', {}, { signal: still });
  expect(result.parts).toEqual([
    { type: 'text', text: 'a' },
    { type: 'image', mediaType: 'image/png', data: Buffer.from('twelve bytes').toString('base64') },
    { type: 'audio', mediaType: 'audio/wav', data: Buffer.from('wav').toString('base64') },
    { type: 'unknown', block: { type: 'hologram', depth: 3 } },
    { type: 'resource-link', uri: 'file:///x', name: 'x' },
    { type: 'resource', uri: 'note://1', mediaType: 'text/plain', text: 'the note' },
    { type: 'text', text: 'b' },
  ]);
  expect(result.structuredContent).toEqual({ any: 'thing' });
  expect(resultText(result)).toBe(
    'a\n[image: image/png, 12 bytes]\n[audio: audio/wav, 3 bytes]\n[resource: file:///x]\nthe note\nb',
  );
  expect(await connection.call('failing', {}, { signal: still })).toMatchObject({ isError: true });
});

test('a result of 9 MB arrives; one of 11 MB fails only its own call and names the size', async () => {
  const { connection } = await ready();
  const MB = 1024 * 1024;
  const nine = await connection.call('sized', { bytes: 9 * MB }, { signal: still });
  expect(nine.parts[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/^x+$/) });
  const silent = connection.call('progress', { steps: 3, everyMs: 100 }, { signal: still });
  for (const idLast of [false, true]) {
    const failed = problemOf(connection.call('sized', { bytes: 11 * MB, idLast }, { signal: still }));
    expect(await failed).toEqual({ code: 'too_large', bytes: expect.any(Number) });
  }
  expect((await silent).parts).toEqual([{ type: 'text', text: 'done' }]);
  expect(connection.state.name).toBe('ready');
});

test('lines on stdout that are no messages are logged and skipped', async () => {
  const { connection } = await ready('garbage');
  expect((await connection.call('echo', { text: 'x' }, { signal: still })).parts).toHaveLength(1);
  const stray = connection.log.entries.filter(({ kind }) => kind === 'stray').map(({ text }) => text);
  expect(stray).toEqual(['Installing packages…', '{"half": ', '[1,2]']);
});

test('2,000 tools on 100 pages', async () => {
  const { connection } = await ready('many');
  expect(connection.list?.tools).toHaveLength(2_000);
});

test('one malformed tool hides only itself, and a schema that refers to itself nothing', async () => {
  const { connection } = await ready('malformed');
  const names = connection.list?.tools.map(({ name }) => name);
  expect(names).toContain('echo');
  expect(names).toContain('good');
  expect(names).not.toContain('bad');
  expect(connection.log.entries.filter(({ kind }) => kind === 'skipped')).toHaveLength(2);

  const cyclic = await ready('cyclic');
  expect(cyclic.connection.list?.tools[0]?.inputSchema).toMatchObject({ $defs: { node: { type: 'object' } } });
  expect((await cyclic.connection.call('walk', { root: {} }, { signal: still })).isError).toBe(false);
});

test('a message that is nested too deeply fails only its own call', async () => {
  const { connection } = connectionTo(stdioConfig([STDIO_SERVER, 'deep']));
  await connection.start();
  await expect(connection.call('parts', {}, { signal: still })).rejects.toMatchObject({
    problem: { code: 'protocol', reason: expect.stringContaining('200 levels') },
  });
  expect(connection.log.entries.filter(({ kind }) => kind === 'skipped')).toHaveLength(1);
  const { parts } = await connection.call('echo', { text: 'still here' }, { signal: still });
  expect(parts).toEqual([{ type: 'text', text: 'still here' }]);
});

test('a changed list of tools is read again', async () => {
  const { connection } = await ready();
  await connection.call('rename', {}, { signal: still });
  await until(() => connection.list?.tools.some(({ name }) => name === 'echo2') === true);
  expect((await connection.call('echo2', { text: 'x' }, { signal: still })).isError).toBe(false);
  expect(await problemOf(connection.call('echo', { text: 'x' }, { signal: still }))).toEqual({ code: 'tool_unknown' });
});

test('Stop is sent to the server, and an answer that still comes is ignored', async () => {
  const { connection } = await ready('late');
  const stop = new AbortController();
  const call = connection.call('silent', {}, { signal: stop.signal });
  const reason = new Error('Stop');
  await until(() => toldTo(connection).some(({ received }) => received === 'tools/call'));
  stop.abort(reason);
  await expect(call).rejects.toBe(reason);
  await until(() => toldTo(connection).some(({ received }) => received === 'notifications/cancelled'));
  expect((await connection.call('echo', { text: 'on' }, { signal: still })).parts).toEqual([
    { type: 'text', text: 'on' },
  ]);
});

test("a call times out by Steward's clock, which progress restarts and a question pauses", async () => {
  const { connection } = connectionTo(stdioConfig([STDIO_SERVER], { timeoutSeconds: 1 }));
  await connection.start();
  expect(await problemOf(connection.call('silent', {}, { signal: still }))).toEqual({
    code: 'timed_out',
    seconds: 1,
  });
  await until(() => toldTo(connection).some(({ received }) => received === 'notifications/cancelled'));

  const progress: number[] = [];
  const onProgress = (step: { progress: number }) => void progress.push(step.progress);
  const slow = { steps: 4, everyMs: 400 };
  expect((await connection.call('progress', slow, { signal: still, onProgress })).parts).toEqual([
    { type: 'text', text: 'done' },
  ]);
  expect(progress).toEqual([1, 2, 3, 4]);

  const paused = await connection.call(
    'progress',
    { steps: 0, everyMs: 1_600 },
    {
      signal: still,
      onClock: (clock) => void setTimeout(clock.pause(), 1_300),
    },
  );
  expect(paused.parts).toEqual([{ type: 'text', text: 'done' }]);
});

test('a server gets what is listed of our environment, and what its entry names', async () => {
  process.env.MCP_FIXTURE_SECRET = 'sk-not-for-servers';
  const { connection } = connectionTo(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how people write it in config.json
    stdioConfig([STDIO_SERVER], { env: { KEY: 'a${keychain:TOKEN}z', PLAIN: '1' } }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a secret is never looked through for more
    { secretOf: async (name) => (name === 'TOKEN' ? '${keychain:TOKEN}' : undefined) },
  );
  await connection.start();
  delete process.env.MCP_FIXTURE_SECRET;
  const given = JSON.parse(resultText(await connection.call('environment', {}, { signal: still })));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: see above
  expect(given).toMatchObject({ KEY: 'a${keychain:TOKEN}z', PLAIN: '1', PATH: process.env.PATH });
  expect(given).not.toHaveProperty('MCP_FIXTURE_SECRET');
});

test('what keeps a server from starting is said, and only what may pass is tried again', async () => {
  const missing = connectionTo(stdioConfig([], { command: 'no-such-program-here' }));
  await missing.connection.start();
  expect(missing.connection.state).toEqual({
    name: 'failed',
    problem: { code: 'command_not_found', command: 'no-such-program-here', searchPath: process.env.PATH },
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how people write it in config.json
  const secret = connectionTo(stdioConfig([STDIO_SERVER], { env: { KEY: '${keychain:NONE}' } }));
  await secret.connection.start();
  expect(secret.connection.state).toEqual({ name: 'failed', problem: { code: 'secret_missing', secret: 'NONE' } });
  const hanging = connectionTo(stdioConfig([STDIO_SERVER, 'hang']), { connectSeconds: 1 });
  await hanging.connection.start();
  expect(hanging.connection.state).toMatchObject({ problem: { code: 'timed_out' }, retryAt: expect.any(Number) });
  const broken = connectionTo(stdioConfig(['-e', 'console.error("no module x"); process.exit(4)']));
  await broken.connection.start();
  expect(broken.connection.state).toMatchObject({
    problem: { code: 'exited', exitCode: 4, output: { telling: 'no module x' } },
  });
});

test('a server that ends fails its calls, is started again after a second, and left alone after three tries', async () => {
  const { connection, states } = await ready();
  const waiting = problemOf(connection.call('silent', {}, { signal: still }));
  expect(await problemOf(connection.call('exit', {}, { signal: still }))).toEqual({ code: 'connection_lost' });
  expect(await waiting).toEqual({ code: 'connection_lost' });
  expect(connection.state).toMatchObject({ name: 'failed', problem: { code: 'exited', exitCode: 3 } });
  expect(await problemOf(connection.call('echo', { text: 'x' }, { signal: still }))).toEqual({ code: 'not_connected' });
  expect(connection.list?.tools.length).toBeGreaterThan(0);
  await until(() => connection.state.name === 'ready');
  expect(states.map(({ name }) => name)).toEqual(['starting', 'ready', 'failed', 'starting', 'ready']);

  const told: string[] = [];
  const dying = connectionTo(stdioConfig([STDIO_SERVER, 'dies-after']), { log: (line) => void told.push(line) });
  await dying.connection.start();
  await until(() => dying.connection.state.name === 'failed' && !('retryAt' in dying.connection.state), 30_000);
  expect(dying.states.filter(({ name }) => name === 'ready')).toHaveLength(4);
  // Only that it does not come back any more.
  expect(told).toHaveLength(1);
});

test('stopping: at once for a server that ends with its stdin, after five seconds for one that does not', async () => {
  const [heeding, deaf] = await Promise.all([ready(), ready('ignores-stdin-end')]);
  const pids = [heeding, deaf].map(({ connection }) => connection.pid ?? 0);
  const startedAt = { own: ownTimeMs(), clock: performance.now() };
  const since = () => ({ own: ownTimeMs() - startedAt.own, clock: performance.now() - startedAt.clock });
  const [soon, late] = await Promise.all([heeding.connection.stop().then(since), deaf.connection.stop().then(since)]);
  expect(soon.own).toBeLessThan(2_000);
  expect(late.clock).toBeGreaterThan(4_900);
  expect(late.own).toBeLessThan(6_000);
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(deaf.connection.state).toEqual({ name: 'off' });
});

test('what a server left in a session of its own ends with it, also when the server crashes', async () => {
  for (const ending of ['stop', 'crash'] as const) {
    const name = `mcp-grandchild-${process.pid}-${ending}`;
    const { connection } = await ready('grandchildren', name);
    await until(() => processesNamed(name).length === 1);
    if (ending === 'stop') await connection.stop();
    else await problemOf(connection.call('exit', {}, { signal: still }));
    await until(() => processesNamed(name).length === 0, 6_000);
  }
});

/** Reads /proc: what a test of ours started is found by its arguments. */
function processesNamed(name: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8').startsWith(name);
    } catch {
      return false;
    }
  });
}

test('a call that was decided on another definition of its tool is not made', async () => {
  const { connection } = await ready();
  const echo = connection.list?.tools.find(({ name }) => name === 'echo');
  if (echo === undefined) throw new Error('It has no tool echo');
  const callWith = (decidedOn: ServerTool | undefined) =>
    connection.call('echo', { text: 'hi' }, { signal: still, ...(decidedOn === undefined ? {} : { decidedOn }) });
  const calls = () => toldTo(connection).filter(({ received }) => received === 'tools/call').length;
  // The control: a call that says nothing of it is made whatever the tool has become.
  expect(await callWith(undefined)).toMatchObject({ isError: false });
  expect(await callWith({ ...echo, title: 'Another title' })).toMatchObject({ isError: false });
  await until(() => calls() === 2);
  const reviewed = { ...echo, description: 'As it was reviewed' };
  await expect(callWith(reviewed)).rejects.toMatchObject({ problem: { code: 'tool_changed' } });
  await callWith(echo);
  await until(() => calls() >= 3);
  expect(calls()).toBe(3);
});

test('a server that has its tools read again in the middle of a call is not called with another definition', async () => {
  const { connection } = await ready('mismatch');
  const echo = connection.list?.tools.find(({ name }) => name === 'echo');
  if (echo === undefined) throw new Error('It has no tool echo');
  const calls = () => toldTo(connection).filter(({ received }) => received === 'tools/call').length;
  const call = connection.call('echo', { text: 'hi' }, { signal: still, decidedOn: echo });
  expect(await problemOf(call)).toEqual({ code: 'tool_changed' });
  expect(calls()).toBe(1);
  // The control: a call for which nothing was decided is made again, with what the tool has become.
  const again = await ready('mismatch');
  expect(await again.connection.call('echo', { text: 'hi' }, { signal: still })).toMatchObject({ isError: false });
});

test('however often a server says that its tools have changed, they are read a few times', async () => {
  const { connection } = await ready('repeats');
  const readings = () => toldTo(connection).filter(({ received }) => received === 'tools/list').length;
  const before = readings();
  // All of it comes before the result.
  await connection.call('repeat', { times: 500 }, { signal: still });
  await until(() => readings() > before);
  for (let last = -1; last !== readings(); ) {
    last = readings();
    for (let calls = 0; calls < 20; calls++) await connection.call('echo', { text: 'again' }, { signal: still });
  }
  expect(readings() - before).toBeLessThan(25);
  const heard = connection.log.entries.filter(({ message }) => message?.method?.endsWith('list_changed') === true);
  expect(heard.length).toBeLessThan(25);
});

test('tools whose names could deceive are left out and named in the log, as are definitions that are too large', async () => {
  const { connection } = await ready('deceives');
  expect(connection.list?.tools.map(({ name }) => name)).toEqual(['größe_測る']);
  const skipped = connection.log.entries.filter(({ kind }) => kind === 'skipped').map(({ text }) => text);
  expect(skipped).toEqual([
    'a tool that has invisible or control characters in its name: bash⟨U+200B⟩',
    'a tool that has invisible or control characters in its name: read⟨U+202E⟩liam',
    'a tool that has invisible or control characters in its name: echo⟨U+0000⟩',
    'a tool that has invisible or control characters in its name: a⟨U+000A⟩b',
    'a tool that has invisible or control characters in its name: ⟨U+001B⟩[2K',
    expect.stringMatching(/^a tool that has a name of 10,000 characters: x{99}…$/),
    'a tool that has an empty name',
    'a tool that has spaces in its name that are not seen: “echo ”',
    'a tool that has spaces in its name that are not seen: “a  b”',
    expect.stringMatching(/^a tool that has a definition of 300,\d{3} characters: wordy$/),
    'a tool that has a definition that is more than 5,000 values: wide',
  ]);
});

test('a schema without a type is one of an object, and everything that is left out of a list is told with its reason', async () => {
  const { connection, kept } = await ready('untyped');
  const types = connection.list?.tools.map(({ name, inputSchema }) => [name, inputSchema.type]);
  expect(types).toEqual(
    ['plain', 'empty', 'none', 'nullable', 'referring', 'decorated'].map((name) => [name, 'object']),
  );
  expect(connection.list?.tools[0]?.inputSchema).toEqual({
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  });
  // What was wrong beside its name and its schema is no loss of the tool.
  expect(connection.list?.tools.at(-1)).toMatchObject({
    description: 'The tool decorated',
    annotations: { destructiveHint: true },
  });
  const leftOut = [
    { tool: 'decorated', reason: { code: 'malformed_part', part: 'title' } },
    { tool: 'decorated', reason: { code: 'malformed_part', part: 'annotations.readOnlyHint' } },
    { tool: 'decorated', reason: { code: 'malformed_part', part: 'outputSchema' } },
    { tool: 'listing', reason: { code: 'malformed', reason: expect.stringMatching(/^inputSchema\.type: /) } },
    { tool: '', reason: { code: 'no_name' } },
    { tool: 'plain', reason: { code: 'same_name' } },
    { tool: 'window', reason: { code: 'for_app' } },
  ];
  expect(connection.list?.leftOut).toEqual(leftOut);
  expect(kept.at(-1)?.leftOut).toEqual(leftOut);
  expect((await connection.call('plain', { text: 'x' }, { signal: still })).isError).toBe(false);
});

test('a server that connects and cannot list its tools is connected: its resources can be read, and it is tried again', async () => {
  const told: string[] = [];
  const log = (line: string) => void told.push(line);
  const { connection, states, kept } = connectionTo(stdioConfig([STDIO_SERVER, 'list-fails', '2']), { log });
  await connection.start();
  expect(connection.state).toMatchObject({
    name: 'listing-failed',
    problem: { code: 'protocol', reason: expect.stringContaining('The database is locked') },
    retryAt: expect.any(Number),
  });
  expect(connection.mayBeCalled).toBe(false);
  expect(await connection.content.list('resources', still)).toEqual([{ uri: 'note://1', name: 'the note' }]);
  const { pid } = connection;
  await until(() => connection.state.name === 'ready');
  // It is still the same connection.
  expect(connection.pid).toBe(pid);
  expect(states.map(({ name }) => name)).toEqual(['starting', 'listing-failed', 'listing-failed', 'ready']);
  expect(kept).toHaveLength(1);
  expect((await connection.call('echo', { text: 'x' }, { signal: still })).isError).toBe(false);
  expect(told).toEqual([
    expect.stringMatching(/^MCP server 'fixture' connected, but listing its tools failed: .*The database is locked$/),
  ]);
});

test('a list that never comes is a list that failed; stopping and a crash end that too', async () => {
  const { connection } = connectionTo(stdioConfig([STDIO_SERVER, 'list-hangs']), { connectSeconds: 1 });
  await connection.start();
  expect(connection.state).toMatchObject({ name: 'listing-failed', problem: { code: 'timed_out', seconds: 1 } });
  await connection.stop();
  expect(connection.state).toEqual({ name: 'off' });
  await connection.start();
  expect(connection.state).toMatchObject({ name: 'listing-failed' });
  process.kill(connection.pid ?? 0, 'SIGKILL');
  await until(() => connection.state.name === 'failed');
  expect(connection.state).toMatchObject({ problem: { code: 'exited', signal: 'SIGKILL' } });
});

test('a user’s restart and each start list the tools of a connected server again', async () => {
  const { connection } = connectionTo(stdioConfig([STDIO_SERVER, 'list-fails', '1']));
  await connection.start();
  expect(connection.state).toMatchObject({ name: 'listing-failed' });
  await connection.start();
  expect(connection.state.name).toBe('ready');
  expect(connection.list?.tools[0]?.name).toBe('echo');
});

test('why a server failed is told with the line that says why, before a timeout too, and each failure once', async () => {
  const told: string[] = [];
  const log = (line: string) => void told.push(line);
  const script = (code: string, connectSeconds = 30) =>
    connectionTo(stdioConfig(['-e', code]), { log, connectSeconds }).connection;
  const missing = script('console.error("at", process.pid); require("no-such-module-here")');
  await missing.start();
  await until(() => missing.state.name === 'failed' && !('retryAt' in missing.state));
  expect(missing.state).toMatchObject({
    problem: { code: 'exited', exitCode: 1, output: { telling: "Error: Cannot find module 'no-such-module-here'" } },
  });
  // Four tries, of which each had another process id.
  expect(told).toEqual([
    "MCP server 'fixture' failed to connect: its process ended with code 1: Error: Cannot find module 'no-such-module-here'",
  ]);
  const onStdout = script('console.log("Error: TRACKER_TOKEN is required"); process.exitCode = 2');
  await onStdout.start();
  expect(onStdout.state).toMatchObject({ problem: { output: { telling: 'Error: TRACKER_TOKEN is required' } } });
  const slow = script('console.error("Downloading 400 MB"); setInterval(() => {}, 1000)', 5);
  await slow.start();
  expect(told.at(-1)).toBe(
    "MCP server 'fixture' failed to connect: no answer within 5 seconds. It wrote: Downloading 400 MB",
  );
});

test('a request of the server that is still open when it is stopped is answered with an error, once', async () => {
  const { connection } = connectionTo(stdioConfig([STDIO_SERVER, 'asks-and-stays']), {
    endByItselfMs: 500,
    features: () => ({
      capabilities: { elicitation: { form: {} } },
      register: (client) =>
        client.setRequestHandler('elicitation/create', async (_request, { mcpReq }) => {
          await new Promise((done) => mcpReq.signal.addEventListener('abort', done));
          return { action: 'cancel' };
        }),
    }),
  });
  await connection.start();
  await connection.call('echo', {}, { signal: still });
  await until(() => connection.log.entries.some(({ message }) => message?.method === 'elicitation/create'));
  const { pid = 0 } = connection;
  await connection.stop();
  expect(isAlive(pid)).toBe(false);
  const answers = connection.log.entries.flatMap(({ kind, text }) =>
    kind === 'stderr' && text.includes('answered') ? [JSON.parse(text)] : [],
  );
  expect(answers).toEqual([{ answered: 'mine', error: { code: expect.any(Number), message: expect.any(String) } }]);
});
