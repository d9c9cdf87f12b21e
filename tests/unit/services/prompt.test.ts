import { expect, test } from 'vitest';
import { readPrompt, serverPromptIn, textOf, turnOfPrompt } from '../../../src-main/services/prompt.ts';
import { NOTHING_NAMED } from '../../../src-preload/contract/events.ts';

const WORKSPACE = '/nowhere';
const opened = {
  command: { kind: 'message', text: 'Read https://typed.example' },
  message: { content: [{ type: 'text', text: 'Read https://typed.example and https://pasted.example/a' }] },
  conversation: null,
  title: 'Read',
  model: undefined,
} as const;

test('typed words name hosts, pasted text only its exact addresses', () => {
  const origin = { by: 'user', typed: 'Read https://typed.example', pasted: 'https://pasted.example/a' } as const;
  const { message } = turnOfPrompt({ ...opened, origin }, WORKSPACE);
  expect(message.named.hosts).toEqual(['typed.example']);
  expect(message.named.urls).toContain('https://pasted.example/a');
  expect(message.isUnattended).toBeUndefined();
});

test.each(['confirmed', 'button'] as const)('what the user did not type names nothing: %s', (by) => {
  const { message } = turnOfPrompt({ ...opened, origin: { by } }, WORKSPACE);
  expect(message).toEqual({ ...opened.message, named: NOTHING_NAMED });
});

test('what nobody typed names nothing, is covered by no rule, and is marked; its own marks stay', () => {
  const own = { kind: 'untrusted', source: 'a page' } as const;
  const { message } = turnOfPrompt(
    { ...opened, message: { ...opened.message, marks: [own] }, origin: { by: 'nobody', source: 'a schedule' } },
    WORKSPACE,
  );
  expect(message).toMatchObject({ isUnattended: true, named: NOTHING_NAMED });
  expect(message.marks).toEqual([
    own,
    { kind: 'untrusted', source: 'a schedule' },
    { kind: 'private', source: 'a schedule' },
  ]);
});

test('with something attached, a text that looks like a command is a message', () => {
  expect(readPrompt('/retry').command).toEqual({ kind: 'retry' });
  const attached = readPrompt('/retry', ['notes.txt']);
  expect(attached.command).toEqual({ kind: 'message', text: '/retry' });
  expect(serverPromptIn(readPrompt('/everything/simple'), ['everything'])).toMatchObject({ name: 'simple' });
  expect(serverPromptIn(readPrompt('/everything/simple', ['notes.txt']), ['everything'])).toBeUndefined();
});

test('blanks belong to a message, not to a command; without text the first attachment gives the title', () => {
  expect(textOf(readPrompt('  hello '))).toBe('  hello ');
  expect(textOf(readPrompt(' /read_file {"path": "a"} '))).toBe('/read_file {"path": "a"}');
  expect(readPrompt('', ['notes.txt']).title).toBe('notes.txt');
});
