import { expect, test } from 'vitest';
import { createHttpClient } from '../../../src-main/network/http-client.ts';

/** Looks names up in vain, and says which. */
function client() {
  const looked: string[] = [];
  const lookup = async (name: string) => {
    looked.push(name);
    throw new Error('there is no such name');
  };
  return { http: createHttpClient({ lookup }), looked };
}
const never = new AbortController().signal;

test('nothing is looked up before it is allowed, nor after the command has ended', async () => {
  const { http, looked } = client();
  const peer = { host: 'one.example', port: 443 };
  expect(await http.connect(peer, { signal: never, isAllowed: async () => false })).toBeUndefined();
  const ending = new AbortController();
  const isAllowed = async () => {
    ending.abort();
    return true;
  };
  await expect(http.connect(peer, { signal: ending.signal, isAllowed })).rejects.toThrow(/abort/i);
  expect(looked).toEqual([]);
  await expect(http.connect(peer, { signal: never, isAllowed: async () => true })).rejects.toThrow('no such name');
  expect(looked).toEqual(['one.example']);
});

test.each(['one.example@two.example', 'one.example/x', 'one.example:80', '0x7f.1'])(
  'a host that leads elsewhere than it says is refused: %s',
  async (host) => {
    const { http, looked } = client();
    const asked: unknown[] = [];
    const isAllowed = async (reach: unknown) => {
      asked.push(reach);
      return true;
    };
    await expect(http.connect({ host, port: 443 }, { signal: never, isAllowed })).rejects.toThrow();
    expect([looked, asked]).toEqual([[], []]);
  },
);
