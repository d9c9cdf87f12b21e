import { expect, test } from 'vitest';
import { listen } from '../../../src-main/mcp/transport/server-changes.ts';

/**
 * A server that ends the stream after each of these times; then the connection ends. Returns the waits in between, in
 * seconds.
 */
async function waitsAfter(lastedSeconds: readonly number[]): Promise<{ waits: readonly number[]; missed: number }> {
  const times = [...lastedSeconds];
  const waits: number[] = [];
  let seconds = 0;
  let missed = 0;
  const client: { transport: object | undefined; listen: () => Promise<unknown> } = {
    transport: {},
    listen: async () => {
      seconds += times.shift() ?? 0;
      if (times.length === 0) client.transport = undefined;
      return { closed: Promise.resolve('remote') };
    },
  };
  await listen(client as unknown as Parameters<typeof listen>[0], {
    filter: { toolsListChanged: true },
    missed: () => {
      missed++;
    },
    log: (text) => expect.fail(text),
    clock: {
      now: () => seconds * 1_000,
      wait: async (ms) => {
        waits.push(ms / 1_000);
        seconds += ms / 1_000;
      },
    },
  });
  return { waits, missed };
}

test('a server that ends the stream at once is asked less and less often', async () => {
  const { waits, missed } = await waitsAfter([0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(missed).toBe(8);
});

test('one whose stream had lasted is asked again soon', async () => {
  expect((await waitsAfter([0, 0, 0, 3_600, 0])).waits).toEqual([1, 2, 4, 1, 2]);
  expect((await waitsAfter([3_600, 3_600])).waits).toEqual([1, 1]);
});
