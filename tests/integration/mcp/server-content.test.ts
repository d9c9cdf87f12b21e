import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectionTo, stdioConfig, until } from '../../fixtures/mcp/connections.ts';

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
    ...['David', 'Eve', 'Frank'],
  ]);
  const messages = await content.prompt('completable-prompt', { department: 'Sales', name: 'Eve' }, signal);
  expect(messages).toMatchObject([{ role: 'user', content: [{ type: 'text', text: expect.stringContaining('Eve') }] }]);
});

test('the server is heard of changes of a watched resource, and its log is kept', async () => {
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
