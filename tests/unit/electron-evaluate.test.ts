import type { ElectronApplication } from 'playwright';
import { expect, test } from 'vitest';
import { evaluatingOnce } from '../fixtures/electron-evaluate.ts';

test('what was evaluated and then lost is asked for again, and runs once', async () => {
  const tried: unknown[] = [];
  const evaluate = async (run: (electron: unknown, arg: unknown) => unknown, arg: unknown) => {
    tried.push(run({ name: 'electron' }, arg));
    if (tried.length < 3) throw new Error('electronApplication.evaluate: Resulting promise was garbage collected.');
    return tried.at(-1);
  };
  const app = evaluatingOnce({ evaluate } as unknown as ElectronApplication);
  const result = await app.evaluate((electron, added) => [electron, added, {}], 7);
  expect(result).toEqual([{ name: 'electron' }, 7, {}]);
  // One and the same: the function did not run again.
  expect(new Set(tried)).toEqual(new Set([result]));
  expect(new Set(tried).size).toBe(1);

  const fails = () => app.evaluate(() => Promise.reject(new Error('of its own')));
  await expect(fails()).rejects.toThrow('of its own');
});
