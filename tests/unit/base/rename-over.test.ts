import { describe, expect, test } from 'vitest';
import { renameOver, renameOverSync } from '../../../src-main/base/rename-over.ts';

/** A rename that fails so often. */
function failing(times: number, code: string) {
  const tries: string[] = [];
  const move = (from: unknown, to: unknown) => {
    tries.push(`${String(from)} to ${String(to)}`);
    if (tries.length <= times) throw Object.assign(new Error(`${code}: operation not permitted`), { code });
  };
  return { tries, move, moveLater: async (from: unknown, to: unknown) => move(from, to) };
}

describe.each([
  [
    'async',
    (move: ReturnType<typeof failing>, platform: NodeJS.Platform) => renameOver('a', 'b', move.moveLater, platform),
  ],
  [
    'sync',
    async (move: ReturnType<typeof failing>, platform: NodeJS.Platform) =>
      renameOverSync('a', 'b', move.move, platform),
  ],
] as const)('%s', (_, rename) => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])(
    'on Windows %s passes when the other program closes the file',
    async (code) => {
      const move = failing(2, code);
      await rename(move, 'win32');
      expect(move.tries).toEqual(['a to b', 'a to b', 'a to b']);
    },
  );

  test('it gives up with the reason when the file stays locked', async () => {
    const move = failing(100, 'EBUSY');
    await expect(rename(move, 'win32')).rejects.toMatchObject({ code: 'EBUSY' });
    expect(move.tries).toHaveLength(10);
  });

  test('other failures are final, and so are all on other systems', async () => {
    const full = failing(1, 'ENOSPC');
    await expect(rename(full, 'win32')).rejects.toMatchObject({ code: 'ENOSPC' });
    const denied = failing(1, 'EPERM');
    await expect(rename(denied, 'linux')).rejects.toMatchObject({ code: 'EPERM' });
    expect([full.tries.length, denied.tries.length]).toEqual([1, 1]);
  });
});
