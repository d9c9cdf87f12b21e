import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { consentText } from '../../../src-main/headless/consent-text.ts';
import { questionText } from '../../../src-main/headless/question-layout.ts';
import { cardOf } from '../../../src-main/ipc/consent/card-layout.ts';
import { consentCard } from '../../../src-main/ipc/consent/consent-card.ts';
import type { ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { requestsAnsweredDuring } from '../../fixtures/requests-answered.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';

const ask = (more: Partial<ToolConsentRequest>): ToolConsentRequest => ({
  ...{ kind: 'tool', id: '1', reason: 'Changing files asks first.', tool: 'write_file', classes: ['write'] },
  ...{ input: {}, access: [], previews: [], marks: [], offers: [], boundTo: 'hash' },
  ...more,
});
const options = { color: true, columns: 80 };
const never = new AbortController().signal;
const lines = (word: string) => Array.from({ length: 60_000 }, (_, at) => `${(at * 7919) % 60_000} ${word}`).join('\n');
/** Two texts that have nothing in common: comparing them takes all the time that there is for it. */
const SLOW = ask({ previews: [{ kind: 'diff', path: '/w/a', before: lines('y'), after: lines('x') }] });
const LONG = ask({ input: { content: `${'a\u202e\u0001'.repeat(400_000)}end`, other: { deep: [1, 2] } } });

test('a long question says what a short one says, and is laid out in a thread', async () => {
  const threads = startedThreads();
  const short = ask({ input: { path: 'a' } });
  expect(await cardOf({ request: short, conversationTitle: 'T' }, never)).toEqual(await consentCard(short, 'T'));
  expect(await questionText({ request: short, options }, never)).toBe(await consentText(short, options));
  expect(threads).toHaveLength(0);
  expect(await cardOf({ request: LONG, conversationTitle: 'T' }, never)).toEqual(await consentCard(LONG, 'T'));
  expect(await questionText({ request: LONG, options }, never)).toBe(await consentText(LONG, options));
  expect(threads).toHaveLength(2);
});

test.each([
  ['in the window', () => cardOf({ request: SLOW, conversationTitle: null }, never)],
  ['on the terminal', () => questionText({ request: SLOW, options }, never)],
])('everything else goes on while it is laid out %s', async (_, layOut) => {
  expect(await requestsAnsweredDuring(layOut)).toBeGreaterThan(20);
});

test('who does not want to be asked any more does not wait for it', async () => {
  const threads = startedThreads();
  const stop = new AbortController();
  const laidOut = questionText({ request: SLOW, options }, stop.signal);
  await wait(100);
  stop.abort(new Error('stopped by the user'));
  await expect(laidOut).rejects.toThrow('stopped by the user');
  await expect.poll(() => threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
});
