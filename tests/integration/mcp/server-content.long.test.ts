import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { leftOutText } from '../../../src-preload/contract/left-out-tools.ts';
import { CONTENT_SERVER, connectionTo, stdioConfig, toldTo, until } from '../../fixtures/mcp/connections.ts';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const signal = new AbortController().signal;

async function everything() {
  const { connection } = connectionTo(stdioConfig([EVERYTHING]));
  await connection.start();
  expect(connection.state.name).toBe('ready');
  return connection;
}

test('resources, templates and prompts of the reference server are listed, read and completed', async () => {
  const { content } = await everything();
  expect(content.known('resources')).toBeUndefined();
  const resources = await content.list('resources', signal);
  expect(resources.length).toBeGreaterThan(3);
  expect(content.known('resources')).toBe(resources);
  const [first] = resources;
  expect(await content.read(first?.uri ?? '', signal)).toMatchObject([{ uri: first?.uri, text: expect.any(String) }]);

  const templates = await content.list('resourceTemplates', signal);
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain('demo://resource/dynamic/text/{resourceId}');
  expect(await content.read('demo://resource/dynamic/blob/7', signal)).toMatchObject([{ blob: expect.any(String) }]);
  await expect(content.read('demo://nowhere', signal)).rejects.toMatchObject({ problem: { code: 'protocol' } });
  await expect(content.read('not a uri', signal)).rejects.toMatchObject({ problem: { code: 'protocol' } });

  const prompts = await content.list('prompts', signal);
  expect(prompts.map(({ name }) => name)).toContain('completable-prompt');
  const of = { kind: 'prompt', name: 'completable-prompt' } as const;
  const department = { name: 'department', value: 'E' };
  expect(await content.complete({ of, argument: department, given: {} }, signal)).toEqual(['Engineering']);
  const name = { name: 'name', value: '' };
  expect(await content.complete({ of, argument: name, given: { department: 'Sales' } }, signal)).toEqual([
    'David',
    'Eve',
    'Frank',
  ]);
  const messages = await content.prompt('completable-prompt', { department: 'Sales', name: 'Eve' }, signal);
  expect(messages).toMatchObject([{ role: 'user', content: [{ type: 'text', text: expect.stringContaining('Eve') }] }]);
});

test('changes of a watched resource arrive, and the log of the server is kept', async () => {
  const connection = await everything();
  const uri = 'demo://resource/static/document/features.md';
  let changes = 0;
  const stop = connection.content.watch(uri, () => {
    changes++;
  });
  await connection.call('toggle-subscriber-updates', {}, { signal });
  await until(() => changes > 0, 20_000);
  stop();
  await connection.call('toggle-simulated-logging', {}, { signal });
  await until(() => connection.log.entries.some(({ kind }) => kind === 'message'), 20_000);
});

test('a tool that can only be called as a task is called as one, with progress, and its result comes', async () => {
  const connection = await everything();
  expect(connection.list?.tools.find(({ name }) => name === 'simulate-research-query')).toMatchObject({
    taskSupport: 'required',
  });
  const said: (string | undefined)[] = [];
  const result = await connection.call(
    'simulate-research-query',
    { topic: 'tea' },
    { signal, onProgress: ({ message }) => void said.push(message) },
  );
  expect(result).toMatchObject({ isError: false, parts: [{ type: 'text', text: expect.stringContaining('tea') }] });
  expect(new Set(said).size).toBeGreaterThan(1);
});

test('a task is cancelled at the server when the call is stopped', async () => {
  const { connection } = connectionTo(stdioConfig([CONTENT_SERVER]));
  await connection.start();
  expect(await connection.call('brew', {}, { signal })).toMatchObject({ parts: [{ text: 'brewed' }] });
  const stop = new AbortController();
  const running = connection.call('brew', { endless: true }, { signal: stop.signal });
  const stopped = expect(running).rejects.toThrow('Stop');
  await until(() => toldTo(connection).filter(({ received }) => received === 'tasks/get').length > 5);
  stop.abort(new Error('Stop'));
  await stopped;
  await until(() => toldTo(connection).some(({ received }) => received === 'tasks/cancel'));
});

test('a list is read again when the server says that it changed, and only then; its log is kept and its level asked for', async () => {
  const { connection } = connectionTo(stdioConfig([CONTENT_SERVER]));
  await connection.start();
  const { content } = connection;
  const listings = () => toldTo(connection).filter(({ received }) => received === 'resources/list').length;
  const before = await content.list('resources', signal);
  await content.list('resources', signal);
  await until(() => listings() > 0);
  // What is malformed hides only itself.
  expect(before.map(({ name }) => name)).toEqual(['today', 'picture', 'sound', 'large', 'listed page', 'odd']);
  let updates = 0;
  content.watch('note://today', () => {
    updates++;
  });
  await connection.call('add_note', {}, { signal });
  await until(() => content.known('resources') === undefined && updates === 1);
  expect((await content.list('resources', signal)).map(({ name }) => name)).toContain('added');
  await until(() => listings() > 1);
  expect(listings()).toBe(2);
  expect(connection.log.entries).toContainEqual(
    expect.objectContaining({ kind: 'message', text: 'warning notes: {"added":1}' }),
  );
  expect(toldTo(connection)).toContainEqual({ received: 'logging/setLevel', params: { level: 'info' } });
});

test('what is too large is refused with its size, and the server goes on', async () => {
  const { connection } = connectionTo(stdioConfig([CONTENT_SERVER]));
  await connection.start();
  const { content } = connection;
  await expect(content.read('note://large', signal)).rejects.toMatchObject({ problem: { code: 'too_large' } });
  await expect(content.prompt('endless', {}, signal)).rejects.toThrow('5,000');
  await expect(content.prompt('empty', {}, signal)).rejects.toThrow();
  expect(await content.prompt('long', {}, signal)).toHaveLength(500);
  expect(await content.read('note://today', signal)).toHaveLength(1);
  expect(connection.state.name).toBe('ready');
});

test('of 100,000 resources the first 20,000 are kept, and that is said', async () => {
  const { connection } = connectionTo(stdioConfig([CONTENT_SERVER, 'many']));
  await connection.start();
  expect(await connection.content.list('resources', signal)).toHaveLength(20_000);
  const reason = { code: 'rest_of', list: 'resources', count: 20_000 } as const;
  expect(connection.content.leftOut).toEqual([{ tool: '', reason }]);
  expect(connection.log.entries).toContainEqual(
    expect.objectContaining({ kind: 'skipped', text: leftOutText({ tool: '', reason }) }),
  );
});

test('the parts of a prompt keep their roles; what no model takes is said in words, and another role is left out', async () => {
  const { connection } = connectionTo(stdioConfig([CONTENT_SERVER]));
  await connection.start();
  expect(await connection.content.prompt('roles', {}, signal)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'What is 1 + 1?' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It is 2.' }] },
  ]);
  const parts = await connection.content.prompt('parts', {}, signal);
  expect(parts.map(({ role }) => role)).toEqual(['user', 'user', 'user', 'user', 'user']);
  expect(parts.flatMap(({ content }) => content)).toMatchObject([
    { type: 'text', text: 'Look at these' },
    { type: 'image', mediaType: 'image/png' },
    { type: 'text', text: '[audio: audio/wav, 3 bytes]' },
    { type: 'text', text: expect.stringContaining('````\nin ``` the note\n````') },
    { type: 'text', text: '[resource: note://y]' },
  ]);
});
