import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectionTo, STDIO_SERVER, stdioConfig, until } from '../../fixtures/mcp/connections.ts';

const MODERN = fileURLToPath(new URL('../../fixtures/mcp/modern-server.mjs', import.meta.url));
const still = new AbortController().signal;

test('a server of the later protocol era is recognised by the probe, remembered, and not probed again', async () => {
  const first = connectionTo(stdioConfig([MODERN]));
  await first.connection.start();
  expect(first.connection.state.name).toBe('ready');
  expect(first.connection.protocolVersion).toBe('2026-07-28');
  expect(first.connection.list?.instructions).toBe('Of the later era.');
  expect((await first.connection.call('echo', { text: 'hi' }, { signal: still })).parts).toEqual([
    { type: 'text', text: 'hi' },
  ]);
  const [known] = first.kept;
  expect(known?.era).toMatchObject({ kind: 'modern', discover: { supportedVersions: ['2026-07-28'] } });

  const again = connectionTo(stdioConfig([MODERN]), { ...(known === undefined ? {} : { known }) });
  await again.connection.start();
  expect(again.connection.protocolVersion).toBe('2026-07-28');
  const sent = again.connection.log.entries.filter(({ kind }) => kind === 'sent').map(({ text }) => text);
  expect(sent.filter((text) => text.includes('server/discover'))).toEqual([]);
  expect(sent.length).toBeGreaterThan(0);

  // The entry is the same, but by now an older server answers.
  const older = connectionTo(stdioConfig([STDIO_SERVER]), { ...(known === undefined ? {} : { known }) });
  await older.connection.start();
  expect(older.connection.state.name).toBe('ready');
  expect(older.connection.protocolVersion).toBe('2025-06-18');
});

test('changes of its tools are listened for', async () => {
  const { connection } = connectionTo(stdioConfig([MODERN]));
  await connection.start();
  await until(() => connection.log.entries.some(({ text }) => text.includes('subscriptions/acknowledged')));
  await connection.call('grow', {}, { signal: still });
  await until(() => connection.list?.tools.some(({ name }) => name === 'grown') === true);
});

test('resources and prompts of the later era are read, and changes of them are listened to', async () => {
  const server = fileURLToPath(new URL('../../fixtures/mcp/modern-content-server.mjs', import.meta.url));
  const { connection } = connectionTo(stdioConfig([server]));
  await connection.start();
  expect(connection.protocolVersion).toBe('2026-07-28');
  const { content } = connection;
  const names = async (kind: 'resources' | 'prompts') => (await content.list(kind, still)).map(({ name }) => name);
  expect(await names('resources')).toEqual(['today']);
  expect(await names('prompts')).toEqual(['hello']);
  expect(await content.read('note://today', still)).toMatchObject([{ text: 'Tea at four.' }]);
  expect(await content.prompt('hello', {}, still)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  ]);
  let changes = 0;
  content.watch('note://today', () => {
    changes++;
  });
  const isListening = () =>
    connection.log.entries.some(({ kind, text }) => kind === 'received' && /acknowledged.*note:\/\/today/.test(text));
  await until(isListening);
  await connection.call('add', {}, { signal: still });
  await until(() => changes > 0 && content.known('resources') === undefined && content.known('prompts') === undefined);
  expect(await names('resources')).toEqual(['today', 'added']);
  expect(await names('prompts')).toEqual(['hello', 'added']);
  expect(connection.log.entries.some(({ text }) => text.includes('logging/setLevel'))).toBe(false);
});
