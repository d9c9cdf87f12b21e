import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AddressBook } from '../../src-main/assistant/known-addresses.ts';
import { decide, type PolicyInput } from '../../src-main/policy/decide.ts';
import { stored } from '../fixtures/events.ts';
import { policyInput, privateMark, request, untrusted } from '../fixtures/memory-ports.ts';
import { repetitions } from '../fixtures/repetitions.ts';

/**
 * What a link of a mail does for whoever opens it can't be told from its look, so each asks until its sender or its host
 * was allowed.
 */

const SENDER = 'news@shop.example';
const HOST = 'shop.example';

/** The decision on a link once a mail, or a page if there is no sender, was read that has it. */
function decided(url: string, { sender, more = {} }: { sender?: string; more?: Partial<PolicyInput> } = {}) {
  const book = new AddressBook();
  const found = {
    type: 'tool_result',
    id: 'call-1',
    text: '',
    isError: false,
    outcome: 'completed',
    calledBy: 'model',
    links: [url],
    ...(sender === undefined ? {} : { linksFrom: [sender] }),
  } as const;
  for (const event of stored([found])) book.add(event);
  const { links } = book.forCalls();
  return decide(policyInput(request(url), { marks: [untrusted, privateMark], links, ...more }));
}

const TOKENS: readonly string[] = [
  '4711',
  '482913',
  'abcd',
  'blue-horse',
  'correct/horse/battery',
  'confirm',
  'unsubscribe?u=17',
  'r?to=%2Faccount',
  'news/2026/11/28/weekly',
  'pictures/logo.png',
  'docs/api.html',
  '',
  '?',
  '?id=1',
  '?utm_source=mail',
  '#top',
  'login/one-time/9',
  'a/b/c/d/e',
  'reset/q8Zr4Lm2VxK1',
];

test('the control: the same links on a page are followed unasked', () => {
  for (const token of TOKENS) expect(decided(`https://${HOST}/${token}`).answer, token).toBe('allow');
});

describe('a link of a mail asks', () => {
  test.each(TOKENS)('https://shop.example/%s', (token) => {
    const url = `https://${HOST}/${token}`;
    expect(decided(url, { sender: SENDER })).toMatchObject({
      answer: 'ask',
      reason: { code: 'mail_link', sender: SENDER, hosts: [HOST] },
    });
  });

  test.each(['constructor', '__proto__', 'a@b.example, c@d.example', '"x" <y>', 'ada@shop.example\u200b'])(
    'whoever it says it is from: %j',
    (sender) => {
      expect(decided(`https://${HOST}/1`, { sender })).toMatchObject({ answer: 'ask', reason: { sender } });
    },
  );
});

const label = fc.stringMatching(/^[a-z\d]{1,10}$/);
const path = fc.oneof(
  fc.webPath(),
  fc.nat(999_999).map((digits) => `/${digits}`),
  fc.array(label, { maxLength: 4 }).map((words) => `/${words.join('-')}`),
  fc.tuple(label, label).map(([name, value]) => `/?${name}=${value}`),
);

test('whatever a generated link looks like, and whatever its sender is called', () => {
  const sender = fc.oneof(fc.emailAddress(), fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.constantFrom('http', 'https'), path, sender, (scheme, rest, from) => {
      const url = `${scheme}://${HOST}${rest}`;
      expect(decided(url).answer).toBe('allow');
      expect(decided(url, { sender: from })).toMatchObject({ answer: 'ask', reason: { sender: from } });
    }),
    { numRuns: repetitions(300, 10_000), seed: 31 },
  );
});

test('a yes for a sender covers no other sender and no other host', () => {
  const other = fc.oneof(
    fc.constantFrom('news@shop.example ', 'News@shop.example', `x ${SENDER}`, '', 'news@shop.example","x'),
    fc.emailAddress(),
  );
  const host = fc.constantFrom(
    'shop.example.org',
    'a.shop.example',
    'shop-example.org',
    'evil.example',
    'xn--shp-example',
  );
  const allowedServices = new Set([`mail links ${JSON.stringify([SENDER, HOST])}`]);
  expect(decided(`https://${HOST}/1`, { sender: SENDER, more: { allowedServices } }).answer).toBe('allow');
  fc.assert(
    fc.property(path, other, host, (rest, from, elsewhere) => {
      const more = { allowedServices };
      expect(decided(`https://${HOST}${rest}`, { sender: from, more }).answer).toBe('ask');
      expect(decided(`https://${elsewhere}${rest}`, { sender: SENDER, more }).answer).toBe('ask');
    }),
    { numRuns: repetitions(300, 10_000), seed: 31 },
  );
});
