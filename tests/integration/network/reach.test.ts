import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type ReachOptions, reachOf } from '../../../src-main/network/reach.ts';

const still = new AbortController().signal;

/** A server that counts who connects, and a lookup that sends every name to it. */
async function counted() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const lookup: NonNullable<ReachOptions['lookup']> = async (name) => {
    asked.push(name);
    return [{ address: '127.0.0.1', family: 4 }];
  };
  return { port, lookup, asked, connections: () => connections };
}

test('an address that is not allowed is refused as written, without a lookup', async () => {
  const { port, lookup, asked, connections } = await counted();
  const reach = await reachOf(`http://localhost:${port}/mcp`, { signal: still, mayConnect: false, lookup });
  expect(reach).toEqual({ written: { ok: true, host: 'localhost', port, isPrivate: true } });
  expect([asked, connections()]).toEqual([[], 0]);
  // The control: with permission both happen.
  await reachOf(`http://localhost:${port}/mcp`, { signal: still, mayConnect: true, lookup });
  await expect.poll(() => [asked, connections()]).toEqual([['localhost'], 1]);
});

test('a public name that leads to a private address is not connected to', async () => {
  const { port, lookup, connections } = await counted();
  const reach = await reachOf(`http://mcp.example.org:${port}/mcp`, { signal: still, mayConnect: true, lookup });
  expect(reach.lookup).toEqual({ ok: false, becamePrivate: ['127.0.0.1'] });
  expect(reach).not.toHaveProperty('port');
  expect(connections()).toBe(0);
  // The control: the same address under a name that is private as written.
  const local = await reachOf(`http://mcp.localhost:${port}/mcp`, { signal: still, mayConnect: true, lookup });
  expect(local.port).toMatchObject({ ok: true, address: '127.0.0.1' });
});

test('a name that is not found, a lookup and a handshake that never end, a URL that is refused', async () => {
  const missing = await reachOf('https://nowhere.example.org/mcp', {
    signal: still,
    mayConnect: true,
    lookup: async () => {
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    },
  });
  expect(missing.lookup).toEqual({ ok: false, error: 'ENOTFOUND' });
  const hanging = { signal: still, mayConnect: true, timeoutMs: 200 };
  const unheard = await reachOf('https://slow.example.org/mcp', {
    ...hanging,
    lookup: () => new Promise(() => undefined),
  });
  expect(unheard.lookup).toEqual({ ok: false, error: 'ETIMEDOUT' });
  const { port, lookup } = await counted();
  const silent = await reachOf(`https://localhost:${port}/mcp`, { ...hanging, lookup });
  expect(silent.tls).toEqual({ ok: false, error: 'ETIMEDOUT' });
  const refused = await reachOf('https://ada:secret@example.org/mcp', { ...hanging, lookup });
  expect(refused).toEqual({ written: { ok: false, reason: expect.not.stringContaining('secret') } });
});

test('Stop ends it with its reason', async () => {
  const stop = new AbortController();
  const reason = new Error('Stop');
  const reaching = reachOf('https://slow.example.org/mcp', {
    signal: stop.signal,
    mayConnect: true,
    lookup: () => new Promise(() => undefined),
  });
  stop.abort(reason);
  await expect(reaching).rejects.toBe(reason);
});
