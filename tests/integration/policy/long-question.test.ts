import { expect, test } from 'vitest';
import { consentText } from '../../../src-main/headless/consent-text.ts';
import { laidOutText } from '../../../src-main/headless/question-layout.ts';
import { laidOutCard } from '../../../src-main/ipc/consent/card-layout.ts';
import { cardTitle, consentCard } from '../../../src-main/ipc/consent/consent-card.ts';
import type { ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { comparedQuestion } from '../../../src-main/policy/line-diff.ts';
import { requestsAnsweredDuring } from '../../fixtures/requests-answered.ts';
import { startedThreads } from '../../fixtures/started-threads.ts';

const ask = (more: Partial<ToolConsentRequest>): ToolConsentRequest => ({
  kind: 'tool',
  id: '1',
  reason: { code: 'text', text: 'Changing files asks first.' },
  tool: 'write_file',
  input: {},
  access: [],
  classes: ['write'],
  previews: [],
  marks: [],
  offers: [],
  boundTo: 'hash',
  conversationId: null,
  ...more,
});
const options = { color: true, columns: 80 };
const never = new AbortController().signal;
const lines = (word: string) => Array.from({ length: 60_000 }, (_, at) => `${(at * 7919) % 60_000} ${word}`).join('\n');
/** Two texts that have nothing in common: comparing them takes all the time that there is for it. */
const slow = () => ask({ previews: [new DiffPreview({ path: '/w/a', before: lines('y'), after: lines('x') })] });
const LONG = ask({ input: { content: `${'a\u202e\u0001'.repeat(400_000)}end`, other: { deep: [1, 2] } } });

test('a long question says what a short one says, and is laid out in a thread', async () => {
  const threads = startedThreads();
  const started: number[] = [];
  for (const request of [ask({ input: { path: 'a' } }), LONG]) {
    const question = await comparedQuestion(request);
    const card = consentCard({ question, title: cardTitle(request), conversationTitle: 'T' });
    expect(await laidOutCard(request, 'T', never)).toEqual(card);
    expect(await laidOutText(request, options, never)).toBe(consentText(question, options));
    started.push(threads.length);
  }
  expect(started).toEqual([0, 2]);
});

test.each([
  ['in the window', () => laidOutCard(slow(), null, never)],
  ['on the terminal', () => laidOutText(slow(), options, never)],
])('everything else goes on while it is laid out %s', async (_, layOut) => {
  expect(await requestsAnsweredDuring(layOut)).toBeGreaterThan(20);
});

test('who does not want to be asked any more does not wait for it', async () => {
  const threads = startedThreads();
  const stop = new AbortController();
  const laidOut = laidOutText(LONG, options, stop.signal);
  await expect.poll(() => threads).toHaveLength(1);
  stop.abort(new Error('stopped by the user'));
  await expect(laidOut).rejects.toThrow('stopped by the user');
  await expect.poll(() => threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
});
