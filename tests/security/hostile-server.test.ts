import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectionTo, stdioConfig, until } from '../fixtures/mcp/connections.ts';

/**
 * A server that is a real process and fills memory and time. Each test ends in seconds only because it is held back.
 */

const SERVER = fileURLToPath(new URL('../fixtures/mcp/hostile-server.mjs', import.meta.url));
const { signal: still } = new AbortController();

async function ready(behaviour = 'plain') {
  const { connection } = connectionTo(stdioConfig([SERVER, behaviour]));
  await connection.start();
  const logged = (kind: string) =>
    connection.log.entries.filter((entry) => entry.kind === kind).map(({ text }) => text);
  return { connection, logged };
}

test('a batch of 100,000 requests is not answered, and the server is still usable', async () => {
  const { connection, logged } = await ready();
  const stop = new AbortController();
  const call = connection.call('batch', {}, { signal: stop.signal });
  await until(() => logged('skipped').length === 1);
  expect(logged('skipped')).toEqual(['a batch of 100000 messages']);
  stop.abort(new Error('stopped'));
  await expect(call).rejects.toThrow('stopped');
  expect(await connection.call('echo', {}, { signal: still })).toMatchObject({ isError: false });
});

test('messages of millions of values are not parsed; a response fails its own call', async () => {
  const { connection, logged } = await ready();
  await expect(connection.call('values', {}, { signal: still })).rejects.toMatchObject({
    problem: { code: 'protocol', reason: expect.stringContaining('more than 500,000 values') },
  });
  expect(logged('skipped')).toEqual(Array(2).fill('a message that is more than 500,000 values'));
  expect(await connection.call('echo', {}, { signal: still })).toMatchObject({ isError: false });
});

test('of a tool list without end only its beginning is read', async () => {
  const { connection, logged } = await ready('pages');
  expect(connection.state.name).toBe('ready');
  expect(connection.list?.tools.length).toBeLessThan(1_000);
  expect(logged('skipped')).toEqual([
    expect.stringMatching(/^everything after the first [\d,]+ bytes of tools\/list$/),
  ]);
});

test('a server that asks and does not read the answers is ended', async () => {
  const { connection, logged } = await ready();
  await expect(connection.call('pings', {}, { signal: still })).rejects.toThrow('was lost');
  expect(logged('state')).toContain('ended: it does not read what it asks for');
});
