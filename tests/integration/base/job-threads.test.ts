import { expect, test } from 'vitest';
import { JobThreads } from '../../../src-main/base/job-threads.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';
import type { TestJob } from './job-thread.ts';

const ENTRY = new URL('job-thread.ts', import.meta.url);
const LONG_MS = 600_000;

function threadsOf({ maxThreads = 3 }: { maxThreads?: number } = {}) {
  const jobs = new JobThreads<TestJob, unknown>({ entry: () => ENTRY, maxMemoryMb: 64, maxThreads });
  const started = startedThreads();
  return {
    run: (job: TestJob, { signal = new AbortController().signal, timeoutMs = LONG_MS } = {}) =>
      jobs.run(job, { signal, timeoutMs }),
    started,
    alive: () => started.filter(({ threadId }) => threadId !== -1),
  };
}
const echo = (text: string) => ({ kind: 'echo', text }) as const;

test('a thread that has done a job does the next one', async () => {
  const { run, started } = threadsOf();
  expect(await run(echo('a'))).toBe('a');
  expect(await run(echo('b'))).toBe('b');
  expect(started).toHaveLength(1);
});

test.each([
  ['spin', { timeoutMs: 50 }, { code: 'timed-out', message: 'it took longer than 50 ms' }],
  ['fill-memory', {}, { code: 'out-of-memory', message: 'it took more than 64 MB of memory' }],
  ['fail', {}, { code: 'failed', message: 'it was told to fail' }],
  ['exit', {}, { code: 'failed', message: 'its thread ended' }],
  ['answer-with-a-function', {}, { code: 'failed' }],
] as const)(
  'a job that is told to %s fails alone, and takes no thread from the next one',
  async (kind, limits, failure) => {
    const { run, alive } = threadsOf({ maxThreads: 2 });
    const other = run({ kind: 'wait', ms: 300 });
    await expect(run({ kind }, limits)).rejects.toMatchObject(failure);
    await other;
    expect(await run(echo('next'))).toBe('next');
    await expect.poll(() => alive().length).toBe(1);
  },
);

test('Stop ends its own job and no other', async () => {
  const { run, started, alive } = threadsOf();
  const stop = new AbortController();
  const others = [run({ kind: 'wait', ms: 200 }), run({ kind: 'wait', ms: 200 })];
  const stopped = run({ kind: 'spin' }, { signal: stop.signal });
  await expect.poll(() => started).toHaveLength(3);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  await Promise.all(others);
  await expect.poll(() => alive().length).toBe(1);
});

test('jobs beyond the number of threads wait, and Stop ends the waiting at once', async () => {
  const { run, started } = threadsOf({ maxThreads: 1 });
  const stop = new AbortController();
  const waiting = new AbortController();
  const running = run({ kind: 'spin' }, { signal: stop.signal });
  const queued = run(echo('never'), { signal: waiting.signal });
  const later = run(echo('later'));
  waiting.abort(new Error('not needed'));
  await expect(queued).rejects.toThrow('not needed');
  stop.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
  expect(await later).toBe('later');
  expect(started.length).toBeLessThanOrEqual(2);
});

test('the time that a job may take begins when a thread begins with it', async () => {
  const { run } = threadsOf({ maxThreads: 1 });
  const first = run({ kind: 'wait', ms: 1_100 });
  expect(await run(echo('after it'), { timeoutMs: 1_000 })).toBe('after it');
  await first;
});

test('waiting for a free processor does not count as time of the job', async () => {
  const { run } = threadsOf();
  expect(await run({ kind: 'sleep', ms: 1_500 }, { timeoutMs: 300 })).toBe('slept');
});

test('a thread that ended while idle is not given the next job', async () => {
  const { run, started } = threadsOf();
  await run(echo('a'));
  await started[0]?.terminate();
  expect(await run(echo('b'))).toBe('b');
  expect(started).toHaveLength(2);
});
