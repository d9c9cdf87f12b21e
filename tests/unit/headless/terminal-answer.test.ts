import { expect, test } from 'vitest';
import { answerIn, menu } from '../../../src-main/headless/terminal-answer.ts';
import { type ConsentQuestion, NO_CALL } from '../../../src-main/policy/question/consent-question.ts';

const rule = {
  label: 'read from a.example',
  tool: null,
  matcher: { kind: 'host', class: 'network', host: 'a.example' },
} as const;
const question: ConsentQuestion = {
  id: 'q',
  kind: 'tool',
  title: 'Read?',
  reason: { code: 'address_composed', address: 'a.example' },
  parts: [],
  tool: 'web_fetch',
  conversationId: 'c',
  mayPassVariables: false,
  takesWord: true,
  reviews: 0,
  ...NO_CALL,
  offers: [{ rule, words: 'Reading from a.example', keepFor: ['conversation', 'always'] }],
};

test('a web address is allowed once, its host in the conversation or always; each line says which', () => {
  expect(
    menu({ ...question, isAddress: true })
      .split('\n')
      .slice(0, 3),
  ).toEqual([
    '  y  yes, this address once',
    '  c  yes, and this host in this conversation: read from a.example',
    '  a  yes, and always: read from a.example',
  ]);
  expect(menu(question)).not.toContain('host in');
  expect(answerIn('c', question)).toEqual({ answer: 'allow', scope: 'conversation', rule, by: 'user' });
});

test('an undo and a redo are each asked about in their own words', () => {
  expect(menu({ ...question, kind: 'undo' })).toContain('yes, undo it\n');
  expect(menu({ ...question, kind: 'redo' })).toContain('yes, redo it\n');
});

test('a rule that can be kept for a week has a letter for it', () => {
  const freely = {
    label: 'work freely in /w',
    tool: null,
    matcher: { kind: 'work-freely', path: '/w' },
  } as const;
  const both: ConsentQuestion = {
    ...question,
    offers: [
      ...question.offers,
      { rule: freely, words: 'Working freely', keepFor: ['conversation', 'week', 'always'] },
    ],
  };
  expect(menu(both).split('\n')).toContain('  w  yes, and for a week by a rule: w 2');
  const kept = { answer: 'allow', scope: 'week', rule: freely, by: 'user' };
  expect(answerIn('w', both)).toEqual(kept);
  expect(answerIn('W 2', both)).toEqual(kept);
  expect(answerIn('w 1', both)).toEqual(expect.any(String));
  expect(answerIn('w', question)).toBe("This can't be allowed by a rule. Please answer y, c, a or n.\n");
});
