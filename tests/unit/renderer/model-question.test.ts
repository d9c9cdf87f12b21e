import { expect, test } from 'vitest';
import { isForSteward } from '../../../src-renderer/chat/composer/slash-menu.ts';
import { areNumbered, markedChoice } from '../../../src-renderer/chat/marked-choice.ts';
import { waitingQuestions } from '../../../src-renderer/conversation/chat-session.svelte.ts';
import { ModelQuestions } from '../../../src-renderer/conversation/model-questions.svelte.ts';
import type { Bridge } from '../../../src-renderer/ui/bridge.ts';

test('a digit alone marks a choice, the tenth by 0, and never one of several meanings', () => {
  const ten = Array.from({ length: 10 }, (_, index) => `choice ${index}`);
  expect(['1', '9', '0', 'choice 4'].map((text) => markedChoice(ten, text))).toEqual([0, 8, 9, 4]);
  expect(['', ' 1', '1 ', '12', 'x'].map((text) => markedChoice(ten, text))).toEqual([null, null, null, null, null]);
  expect(['3', '0'].map((text) => markedChoice(['Yes', 'No'], text))).toEqual([null, null]);
  expect(areNumbered(['Two', '2'])).toBe(false);
  expect(['1', '2', '3'].map((text) => markedChoice(['3', '2'], text))).toEqual([null, 1, 0]);
});

test('only what Steward itself answers is kept from being an answer', () => {
  const tools = [{ name: 'read_file' }] as unknown as Parameters<typeof isForSteward>[1];
  const texts = ['/tools', '/provider use x', '/read_file {}', '/new', '/etc/hosts', '/etc', 'the /tools', '/'];
  expect(texts.filter((text) => isForSteward(text, tools))).toEqual(texts.slice(0, 4));
});

test('questions of both kinds wait', () => {
  const consent = [
    { conversationId: null, count: 1, isPutOff: false },
    { conversationId: 'a', count: 2, isPutOff: true },
  ];
  const asks = (conversationId: string) => ({ id: 'q', conversationId, question: '?', choices: [] });
  expect(waitingQuestions(consent, [asks('a'), asks('b'), asks('b')])).toEqual([
    { conversationId: null, count: 1, isPutOff: false },
    { conversationId: 'a', count: 3, isPutOff: true },
    { conversationId: 'b', count: 2, isPutOff: false },
  ]);
});

test('what a text was begun for is kept for each conversation, until the field is empty', () => {
  const questions = new ModelQuestions({} as Bridge);
  const first = { id: 'first', conversationId: 'a', question: '?', choices: [] };
  const second = { ...first, id: 'second' };
  questions.written('a', 'Half');
  questions.told({ open: [first] });
  questions.written('b', 'Other');
  questions.written('a', 'Half a message');
  expect(['a', 'b', 'c'].map((id) => questions.isBegunForAnother(id))).toEqual([true, false, false]);
  questions.meant('a');
  expect(questions.isBegunForAnother('a')).toBe(false);
  // An answer of one question is none of the next.
  questions.told({ open: [second] });
  expect(questions.isBegunForAnother('a')).toBe(true);
  questions.written('a', ' ');
  questions.written('a', 'New');
  expect(questions.isBegunForAnother('a')).toBe(false);
});
