import { expect, test } from 'vitest';
import { consentCard } from '../../../src-main/ipc/consent/consent-card.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { type ConsentQuestion, NO_CALL } from '../../../src-main/policy/question/consent-question.ts';
import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import { decisionReasonText } from '../../../src-preload/contract/decision-reason.ts';

const QUESTION: ConsentQuestion = {
  id: 'question',
  kind: 'tool',
  title: 'Change “a\u202e”?',
  reason: { code: 'send' },
  tool: 'send_mail\u200b',
  conversationId: 'c',
  parts: [],
  offers: [],
  mayPassVariables: false,
  takesWord: true,
  reviews: 0,
  ...NO_CALL,
};

const title = expect.any(String);

async function partsOf(...parts: ConsentQuestion['parts']) {
  return (await consentCard({ ...QUESTION, parts }, null)).parts;
}

test('a card has the question, its reason and the rules, with hidden characters shown', async () => {
  const rule = { label: 'read from a\u200b.b', tool: null, matcher: { kind: 'command', argv: ['a'] } } as const;
  const offers = [{ rule, words: 'Reading \u200b', keepFor: ['always'] }] as const;
  expect(await consentCard({ ...QUESTION, offers }, 'Mail\u202e to Ada')).toEqual({
    id: 'question',
    kind: 'tool',
    mayStopAsking: false,
    title: 'Change “a⟨U+202E⟩”?',
    reason: decisionReasonText({ code: 'send' }),
    tool: 'send_mail⟨U+200B⟩',
    parts: [],
    offers: [{ label: 'Reading ⟨U+200B⟩', detail: 'read from a⟨U+200B⟩.b', keepFor: ['always'] }],
    noRule: null,
    risk: 'plain',
    calls: [],
    mayPassVariables: false,
    takesWord: true,
    reviews: 0,
    conversationTitle: 'Mail⟨U+202E⟩ to Ada',
  });
});

test('what is grave only because it reaches people is told apart from what deletes or leaks', async () => {
  const people = { code: 'reaches_people', count: 1 } as const;
  const isForPeople = async (...consequences: readonly Consequence[]) => {
    const parts = [{ kind: 'consequences', consequences, steps: [] }] as const;
    return (await consentCard({ ...QUESTION, risk: 'grave', parts }, null)).isForPeople;
  };
  expect(await isForPeople(people, { code: 'cannot_be_undone' })).toBe(true);
  expect(await isForPeople(people, { code: 'may_leak_private_text', hosts: ['a.example'] })).toBeUndefined();
  expect(await isForPeople({ code: 'deletes_files' })).toBeUndefined();
  expect(await isForPeople()).toBeUndefined();
  expect((await consentCard({ ...QUESTION, kind: 'mail', risk: 'grave' }, null)).isForPeople).toBe(true);
});

test('each part is drawn with hidden characters shown; lines stay apart only where a text has lines', async () => {
  const text = 'a\u202e\nb';
  const [inLines, inOneLine] = ['a⟨U+202E⟩\nb', 'a⟨U+202E⟩⟨U+000A⟩b'];
  const note = text;
  expect(
    await partsOf(
      { kind: 'read', marks: [{ kind: 'private', source: text }] },
      { kind: 'touches', accesses: [{ kind: 'mail', class: 'send', recipients: ['x'], text }] },
      { kind: 'consequences', consequences: [{ code: 'sends_data', hosts: [text] }], steps: [text] },
      { kind: 'command', line: text, steps: [{ text, isGrave: true }], directory: text },
      { kind: 'said', text, by: null },
      { kind: 'asked-by', provider: text, tool: 'ask_x' },
      new DiffPreview({ path: text, before: null, after: 'c\u202e', note }),
      { kind: 'text', title: text, text },
      { kind: 'arguments', values: [{ name: text, text }], derived: [{ name: text, text }] },
      { kind: 'value', title: text, text, standing: text },
    ),
  ).toEqual([
    { kind: 'read', title, sources: [`${inOneLine} (private)`], outside: [] },
    { kind: 'touches', title, accesses: [{ class: 'send', text: `send to x:\n${inLines}` }] },
    {
      kind: 'consequences',
      title,
      steps: [inLines],
      consequences: [{ text: `Sends data to ${inOneLine}.`, isGrave: true, isUsual: false }],
    },
    {
      kind: 'command',
      title,
      line: inLines,
      directory: inOneLine,
      steps: [{ text: inLines, isGrave: true }],
    },
    { kind: 'said', title, text: inLines },
    { kind: 'text', title, text: `${inOneLine} (ask_x)`, isShort: true },
    { kind: 'diff', title, path: inOneLine, note: inOneLine, lines: [{ kind: 'added', text: 'c⟨U+202E⟩' }] },
    { kind: 'text', title: inOneLine, text: inLines },
    {
      kind: 'arguments',
      title,
      values: [{ name: inOneLine, text: inLines }],
      derived: [{ name: inOneLine, text: inLines }],
    },
    { kind: 'value', title: inOneLine, text: inLines, standing: { title, text: inLines } },
  ]);
});

test('a long argument is complete on the card, and where there is none nothing is drawn', async () => {
  const text = 'a line of text\n'.repeat(50_000);
  expect(await partsOf({ kind: 'arguments', values: [{ name: 'long', text }], derived: [] })).toMatchObject([
    { values: [{ text }] },
  ]);
  expect(await partsOf({ kind: 'arguments', values: [], derived: [] })).toEqual([]);
});

test('what an undo leaves as it is stands one per line, with the reason', async () => {
  const refused = [
    { path: '/w/b\n.txt', reason: { code: 'deleted' } },
    { path: 'bash', reason: { code: 'file_problem', message: 'EIO\u200b' } },
  ] as const;
  expect(await partsOf({ kind: 'stays', refused })).toEqual([
    { kind: 'text', title, text: '/w/b⟨U+000A⟩.txt: it has since been deleted\nbash: EIO⟨U+200B⟩' },
  ]);
});
