import { expect, test } from 'vitest';
import { type QuestionOrigin, QuestionQueues } from '../../../src-main/policy/question-queues.ts';

const never = new AbortController().signal;
const call = (conversationId: string | null): QuestionOrigin => ({ conversationId, askedFor: 'call' });
const user = (conversationId: string | null): QuestionOrigin => ({ conversationId, askedFor: 'user' });

/** Questions that stay open until they are answered, by name in the order in which they were asked. */
function asking(queues: QuestionQueues) {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const ask = (name: string, origin: QuestionOrigin, signal = never) =>
    queues.run(origin, signal, () => {
      asked.push(name);
      return new Promise<void>((resolve) => answers.set(name, resolve));
    });
  return { asked, ask, answer: (name: string) => answers.get(name)?.() };
}

test('one question of a conversation at a time, and conversations do not wait for each other', async () => {
  const queues = new QuestionQueues();
  const { asked, ask, answer } = asking(queues);
  const all = [ask('a1', call('a')), ask('a2', call('a')), ask('b1', call('b')), ask('none', call(null))];
  await expect.poll(() => asked).toEqual(['a1', 'b1', 'none']);
  expect([queues.waiting('a'), queues.waiting('b'), queues.waiting(null)]).toEqual([1, 0, 0]);
  answer('a1');
  await expect.poll(() => asked).toEqual(['a1', 'b1', 'none', 'a2']);
  for (const name of asked) answer(name);
  await Promise.all(all);
});

test('questions about the user’s own actions do not wait for those of calls', async () => {
  const { asked, ask, answer } = asking(new QuestionQueues());
  const all = [ask('call', call('a')), ask('undo', user('a')), ask('link', user('a'))];
  await expect.poll(() => asked).toEqual(['call', 'undo']);
  answer('undo');
  await expect.poll(() => asked).toEqual(['call', 'undo', 'link']);
  for (const name of asked) answer(name);
  await Promise.all(all);
});

test('a surface that asks one question at a time has one queue for all', async () => {
  const { asked, ask, answer } = asking(new QuestionQueues({ isOneForAll: true }));
  const all = [ask('a', call('a')), ask('b', call('b')), ask('undo', user('a'))];
  for (const name of ['a', 'b', 'undo']) {
    await expect.poll(() => asked.at(-1)).toBe(name);
    answer(name);
  }
  await Promise.all(all);
});

test('it is told whenever the number of those that wait changes', async () => {
  const seen: number[] = [];
  const queues: QuestionQueues = new QuestionQueues({ onWaiting: () => seen.push(queues.waiting('a')) });
  const { asked, ask, answer } = asking(queues);
  const stop = new AbortController();
  const first = ask('first', call('a'));
  const second = ask('second', call('a'), stop.signal);
  expect(seen).toEqual([0, 1]);
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  expect(seen.at(-1)).toBe(0);
  await expect.poll(() => asked).toEqual(['first']);
  answer('first');
  await first;
});
