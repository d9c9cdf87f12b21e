import { expect, test } from 'vitest';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { lineHunks } from '../../../src-main/policy/line-hunks.ts';
import { requestsAnsweredDuring } from '../../fixtures/requests-answered.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';

const TIMEOUT_MS = 2_000;
/** Enough for what can be compared, on a busy machine too. */
const LONG_MS = 60_000;
const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${(at * 7919) % count} ${word}\n`).join('');
/** Two texts that have nothing in common: comparing them takes all the time that there is for it. */
const UNLIKE = { before: numbered(60_000, 'y'), after: numbered(60_000, 'x') };

test('a long text is compared in a thread, a short one is not, and both give the same', async () => {
  const threads = startedThreads();
  for (const [count, started] of [
    [20, 0],
    [20_000, 1],
  ] as const) {
    const before = numbered(count, 'a');
    const after = before.replace('7919 a', 'changed').replace('0 a', 'changed too');
    const hunks = await new DiffPreview({ path: '/w/a', before, after }).hunks(LONG_MS);
    expect(hunks).toEqual(await lineHunks({ before, after, timeoutMs: LONG_MS }));
    expect(threads).toHaveLength(started);
  }
});

test('control: where the window is served, a comparison keeps it from being answered', async () => {
  const compare = () => lineHunks({ ...UNLIKE, timeoutMs: TIMEOUT_MS });
  expect(await requestsAnsweredDuring(compare)).toBeLessThan(10);
});

test('the window is answered during a long comparison, which ends with its time', async () => {
  let hunks: unknown;
  const answered = await requestsAnsweredDuring(async () => {
    hunks = await new DiffPreview({ path: '/w/a', ...UNLIKE }).hunks(TIMEOUT_MS);
  });
  expect(hunks).toBeUndefined();
  expect(answered).toBeGreaterThan(50);
});
