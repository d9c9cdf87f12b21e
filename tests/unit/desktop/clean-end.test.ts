import { expect, onTestFinished, test, vi } from 'vitest';
import { type Closing, endCleanly } from '../../../src-main/desktop/clean-end.ts';

const never = () => new Promise<never>(() => undefined);

/** What an end with an update comes to. */
async function end(changes: Partial<Closing>) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const obstacles: (string | undefined)[] = [];
  let relaunches = 0;
  const ended = endCleanly({
    close: async () => undefined,
    serversEnded: async () => undefined,
    installUpdate: async (obstacle) => {
      obstacles.push(obstacle);
      return obstacle === undefined;
    },
    relaunch: () => {
      relaunches += 1;
    },
    ...changes,
  });
  await vi.advanceTimersByTimeAsync(10_000);
  await ended;
  return { obstacles, relaunches };
}

test('an update is installed when everything has ended', async () => {
  expect(await end({})).toEqual({ obstacles: [undefined], relaunches: 0 });
});

test('an update that was not installed, or threw, ends in a restart of this version', async () => {
  expect((await end({ installUpdate: async () => false })).relaunches).toBe(1);
  const gone = async () => {
    throw new Error('ENOENT');
  };
  expect((await end({ installUpdate: gone })).relaunches).toBe(1);
});

test('nothing is installed while something still runs', async () => {
  const stillRuns = { obstacles: ['something in Steward was still running'], relaunches: 1 };
  expect(await end({ close: never })).toEqual(stillRuns);
  const failing = async () => {
    throw new Error('disk full');
  };
  expect(await end({ close: failing })).toEqual(stillRuns);
});

test('an MCP server may take its time, and the update is installed after it', async () => {
  const slow = async () => new Promise<void>((resolve) => setTimeout(resolve, 5_000));
  expect(await end({ close: slow, serversEnded: slow })).toEqual({ obstacles: [undefined], relaunches: 0 });
});
