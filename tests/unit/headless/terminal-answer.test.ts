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
