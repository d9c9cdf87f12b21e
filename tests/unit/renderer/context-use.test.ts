import { expect, test } from 'vitest';
import type { ConversationEvent, EventOf } from '../../../src-preload/contract/events.ts';
import { ContextUse, estimatedTokens } from '../../../src-renderer/conversation/context-use.ts';

function after(...events: ConversationEvent[]): number | null {
  const use = new ContextUse();
  for (const [index, event] of events.entries()) use.fold({ ...event, seq: index + 1, turnId: 't', at: '' });
  return use.tokens;
}

const say = (characters: number): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text: 'x'.repeat(characters) }],
});
const text = (characters: number): ConversationEvent => ({
  type: 'block',
  block: { type: 'text', text: 'x'.repeat(characters) },
});
const usage = (input: number, more: Partial<EventOf<'usage'>> = {}): ConversationEvent => ({
  type: 'usage',
  model: 'm',
  input,
  output: 50,
  cacheRead: 900,
  cacheWrite: 0,
  ...more,
});
const result = (characters: number): ConversationEvent => ({
  type: 'tool_result',
  id: 'c',
  calledBy: 'model',
  outcome: 'completed',
  isError: false,
  text: 'x'.repeat(characters),
});

test('nothing is known before a model has answered', () => {
  expect(after(say(700))).toBeNull();
  expect(after(say(700), usage(0, { output: 0, cacheRead: 0 }))).toBeNull();
});

test('it is what the model last reported, and an estimate of what came since', () => {
  expect(after(say(700), text(35), usage(250))).toBe(1_200);
  expect(after(say(700), text(35), usage(250), result(7_000), say(70))).toBe(1_200 + 2_000 + 20);
  // No more of a result is given to the model than the cap.
  expect(after(say(700), usage(250), result(100_000))).toBe(1_200 + estimatedTokens(40_000));
});

test('what servers and asked models took is in no later request, and neither is a command', () => {
  expect(after(say(700), usage(250), usage(9_000, { server: 's' }), usage(9_000, { inside: 'c' }))).toBe(1_200);
  expect(after(say(700), usage(250), { ...say(7_000), isCommand: true } as ConversationEvent)).toBe(1_200);
});

test('after a summary it is the summary, what was kept, and system prompt and tools as before', () => {
  const cut: ConversationEvent = { type: 'compaction', summary: 'x'.repeat(350), throughSeq: 2, marks: [] };
  // 1,200 reported, of which 220 are the messages: 980 for system prompt and tools.
  const tokens = after(say(700), text(70), usage(250), say(35), usage(5_000), cut);
  expect(tokens).toBe(980 + 100 + 10);
});

test('an answer that is tried again is not in it', () => {
  const tokens = after(say(700), text(700), usage(250), { type: 'retry', afterSeq: 1 });
  expect(tokens).toBe(1_000);
});
