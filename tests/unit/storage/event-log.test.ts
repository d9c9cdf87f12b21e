import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import { storageIn, temporaryFolder } from './profile.ts';

const delta = (text: string): ConversationEvent => ({ type: 'text_delta', text });
const block = (text: string): ConversationEvent => ({ type: 'block', block: { type: 'text', text } });

async function conversation() {
  const storage = await storageIn(temporaryFolder());
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
  const types = () => storage.events.read(id).map((event) => ('text' in event ? event.text : event.type));
  return { ...storage, id, types };
}

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', '\ud800', '"\'', '東京', ''));
const anyEvent: fc.Arbitrary<ConversationEvent> = fc.oneof(
  fc.record({
    type: fc.constant('user_message' as const),
    content: fc.array(fc.record({ type: fc.constant('text' as const), text: anyText })),
  }),
  fc.record({
    type: fc.constant('tool_call' as const),
    id: anyText,
    name: anyText,
    input: fc.dictionary(anyText, fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>,
  }),
  fc.record({ type: fc.constant('tool_result' as const), id: anyText, text: anyText, isError: fc.boolean() }),
  fc.record({
    type: fc.constant('block' as const),
    block: fc.record({ type: fc.constant('text' as const), text: anyText }),
  }),
  fc.record({ type: fc.constant('notice' as const), code: anyText, message: anyText }),
);

test('what was appended is read back as it was, in order', async () => {
  const { conversations, events } = await conversation();
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 8 }), fc.boolean(), (list, atOnce) => {
      const { id } = conversations.create({ workspace: '/work', model: 'guide' });
      const stored = atOnce
        ? events.appendAll(id, 'turn', list)
        : list.flatMap((event) => events.appendAll(id, 'turn', [event]));
      // What cannot be written as JSON (−0) is not told apart.
      const expected = JSON.parse(JSON.stringify(stored)) as unknown;
      expect(JSON.parse(JSON.stringify(events.read(id)))).toEqual(expected);
      expect(stored.map(({ seq }) => seq)).toEqual(stored.map(({ seq }) => seq).sort((a, b) => a - b));
      expect(new Set(stored.map(({ seq }) => seq)).size).toBe(stored.length);
    }),
    { numRuns: 150 },
  );
});

test('reading can begin after an event', async () => {
  const { events, id } = await conversation();
  const [first] = events.appendAll(id, 'turn', [delta('a'), delta('b'), delta('c')]);
  expect(events.read(id, { afterSeq: first?.seq }).map(({ seq }) => seq)).toHaveLength(2);
});

test('a text block drops the deltas that it repeats, and only those', async () => {
  const { events, id, types, conversations } = await conversation();
  const other = conversations.create({ workspace: '/work', model: 'guide' });
  events.appendAll(other.id, 'x', [delta('elsewhere')]);
  events.appendAll(id, 'turn 1', [delta('cut off by a crash')]);
  events.appendAll(id, 'turn 2', [{ type: 'round_start', model: 'guide' }]);
  events.appendAll(id, 'turn 2', [delta('he')]);
  events.appendAll(id, 'turn 2', [delta('llo')]);
  expect(types()).toEqual(['cut off by a crash', 'round_start', 'he', 'llo']);
  const [stored] = events.appendAll(id, 'turn 2', [block('hello')]);
  expect(types()).toEqual(['cut off by a crash', 'round_start', 'block']);
  const [next] = events.appendAll(id, 'turn 2', [delta('next')]);
  expect(next?.seq).toBeGreaterThan(stored?.seq ?? Number.NaN);
  events.appendAll(id, 'turn 2', [{ type: 'block', block: { type: 'thinking', thinking: '', signature: '' } }]);
  expect(types()).toEqual(['cut off by a crash', 'round_start', 'block', 'next', 'block']);
  expect(events.read(other.id)).toHaveLength(1);
});

test('several events are added together or not at all', async () => {
  const { events, id, types } = await conversation();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  expect(() =>
    events.appendAll(id, 'turn', [delta('a'), { type: 'tool_call', id: '1', name: 'x', input: circular }]),
  ).toThrow(expect.objectContaining({ name: 'StorageError' }));
  expect(types()).toEqual([]);
  events.appendAll(id, 'turn', [delta('still works')]);
  expect(types()).toEqual(['still works']);
});

test('a clock that jumps changes no order', async () => {
  const times = ['2026-01-02', '1970-01-01', '2999-01-01'];
  const storage = await storageIn(temporaryFolder(), { now: () => new Date(times[0] ?? 0) });
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
  for (const text of ['a', 'b', 'c']) {
    storage.events.appendAll(id, 'turn', [delta(text)]);
    times.shift();
  }
  expect(storage.events.read(id)).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
});
