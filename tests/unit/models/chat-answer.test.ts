import { describe, expect, test } from 'vitest';
import { ChatAnswer } from '../../../src-main/models/openai/chat-answer.ts';
import type { ModelStreamEvent } from '../../../src-main/models/provider.ts';

/** What compatible services stream that OpenAI does not. */
function answerOf(...deltas: readonly object[]) {
  const answer = new ChatAnswer();
  const events: ModelStreamEvent[] = [];
  for (const [index, delta] of deltas.entries())
    events.push(
      ...answer.accept({ choices: [{ index: 0, delta, finish_reason: index === deltas.length - 1 ? 'stop' : null }] }),
    );
  events.push(...answer.finish());
  return {
    blocks: events.flatMap((event) => (event.type === 'block' ? [event.block] : [])),
    end: events.find((event) => event.type === 'end'),
  };
}

const piece = (call: object, called: object = {}) => ({ tool_calls: [{ ...call, function: called }] });
const read = (id: string, input: object) => ({ type: 'tool_use', id, name: 'read', input });

describe('calls', () => {
  test('are told apart by index, by id where all have the same index, and by order where they have none', () => {
    for (const indices of [
      [0, 1],
      [0, 0],
      [undefined, undefined],
    ]) {
      const [first, second] = indices.map((index) => (index === undefined ? {} : { index }));
      const { blocks, end } = answerOf(
        piece({ ...first, id: 'a' }, { name: 'read', arguments: '{"x":' }),
        piece({ ...first }, { arguments: '1}' }),
        piece({ ...second, id: 'b' }, { name: 'read', arguments: '{"x":2}' }),
      );
      expect(blocks).toEqual([read('a', { x: 1 }), read('b', { x: 2 })]);
      expect(end).toMatchObject({ stopReason: 'tool_use' });
    }
  });

  test('that come in pieces by turns, repeat their id, or have none, are whole', () => {
    const { blocks } = answerOf(
      piece({ index: 0, id: 'a' }, { name: 'read', arguments: '{"x"' }),
      piece({ index: 1, id: 'b' }, { name: 'read', arguments: '{"x"' }),
      piece({ index: 0, id: 'a' }, { name: 'read', arguments: ':1}' }),
      piece({ index: 1, id: '' }, { arguments: ':2}' }),
      piece({ index: 2 }, { name: 'read', arguments: '' }),
    );
    expect(blocks).toEqual([read('a', { x: 1 }), read('b', { x: 2 }), read('call_3', {})]);
  });
});

describe('calls without an id that all count as the first', () => {
  const first = { index: 0 };

  test('are told apart by their name, and by where the input of the one before ends', () => {
    for (const second of ['write', 'read']) {
      const { blocks } = answerOf(
        piece(first, { name: 'read', arguments: '{"x":{"y":' }),
        piece(first, { arguments: '"}}{\\""}}' }),
        piece(first, { name: second, arguments: '{"x":2}' }),
        piece({ ...first, id: 'call_3' }, { name: 'read', arguments: '{}' }),
        piece(first, { name: 'list' }),
      );
      expect(blocks).toEqual([
        read('call_1', { x: { y: '}}{"' } }),
        { ...read('call_2', { x: 2 }), name: second },
        read('call_3', {}),
        { ...read('call_4', {}), name: 'list' },
      ]);
    }
  });

  test('stay one where each piece repeats the name, or names nothing', () => {
    const { blocks } = answerOf(
      piece(first, { name: 'read', arguments: '' }),
      piece(first, { name: 'read', arguments: '{"x":[' }),
      piece(first, { name: 'read', arguments: '{"y":1}' }),
      piece({ ...first, id: 'b' }, { name: '', arguments: ']}' }),
      piece(first, { name: 'read', arguments: '' }),
    );
    expect(blocks).toEqual([read('call_1', { x: [{ y: 1 }] })]);
  });

  test('calls without an id never get the id of another call', () => {
    const { blocks } = answerOf(
      piece({ index: 0, id: 'call_2' }, { name: 'read', arguments: '{}' }),
      piece({ index: 1 }, { name: 'read', arguments: '{}' }),
    );
    expect(blocks).toEqual([read('call_2', {}), read('call_2_2', {})]);
  });
});

test('thoughts and text by turns are blocks by turns', () => {
  const { blocks } = answerOf(
    { reasoning: 'a' },
    { reasoning: 'b' },
    { content: 'c' },
    { reasoning: 'd' },
    { content: '' },
  );
  expect(blocks).toEqual([
    { type: 'thinking', thinking: 'ab', signature: '' },
    { type: 'text', text: 'c' },
    { type: 'thinking', thinking: 'd', signature: '' },
  ]);
});

test('usage is found where services put it', () => {
  for (const usage of [
    { usage: { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } } },
    { usage: { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 4 } },
    { x_groq: { usage: { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } } } },
  ]) {
    const answer = new ChatAnswer();
    const events = [
      ...answer.accept({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] }),
      ...answer.accept({ choices: [], ...usage }),
      ...answer.finish(),
    ];
    expect(events.at(-1)).toMatchObject({ usage: { input: 6, output: 2, cacheRead: 4, cacheWrite: 0 } });
  }
});

test('anything that is not a chunk is skipped', () => {
  const answer = new ChatAnswer();
  for (const chunk of [
    null,
    5,
    'x',
    [],
    {},
    { choices: 'x' },
    { choices: [null] },
    { choices: [{ delta: [] }] },
    { usage: [] },
  ])
    expect([...answer.accept(chunk)]).toEqual([]);
  expect(answer.isComplete).toBe(false);
});
