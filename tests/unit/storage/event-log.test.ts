import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { CallOutcome, ConversationEvent } from '../../../src-preload/contract/events.ts';
import { toolCall } from '../../fixtures/events.ts';
import { storageIn, temporaryFolder } from '../../fixtures/temporary-profile.ts';

const delta = (text: string): ConversationEvent => ({ type: 'text_delta', text });
const block = (text: string): ConversationEvent => ({ type: 'block', block: { type: 'text', text } });

async function conversation() {
  const storage = await storageIn(temporaryFolder());
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
  const types = () => storage.events.read(id).map((event) => ('text' in event ? event.text : event.type));
  return { ...storage, id, types };
}

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', '\ud800', '"\'', '東京', ''));
const textBlock = fc.record({ type: fc.constant('text' as const), text: anyText });
const media = { mediaType: anyText, data: anyText };
const calledBy = fc.constantFrom('model' as const, 'person' as const);
const { reason } = fc.letrec<{ reason: DecisionReason; plain: DecisionReason }>((tie) => ({
  plain: fc.constantFrom<DecisionReason>({ code: 'send' }, { code: 'read_inside' }, { code: 'impossible' }),
  reason: fc.oneof(
    tie('plain'),
    fc.record({ code: fc.constant('read_outside' as const), path: anyText }),
    fc.record({ code: fc.constant('rules' as const), rules: fc.array(anyText) }),
    fc.record({ code: fc.constant('all_of' as const), reasons: fc.array(tie('plain')) }),
    fc.record({ code: fc.constant('nobody_asked' as const), asked: tie('plain') }),
    fc.record({ code: fc.constant('text' as const), text: anyText }),
  ),
}));
const anyEvent: fc.Arbitrary<ConversationEvent> = fc.oneof(
  fc.record(
    {
      type: fc.constant('user_message' as const),
      content: fc.array(textBlock),
      attachments: fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant('text' as const), name: anyText, text: anyText }),
          fc.record({ kind: fc.constant('image' as const), ...media }),
        ),
      ),
    },
    { requiredKeys: ['type', 'content'] },
  ),
  fc.record({
    type: fc.constant('tool_call' as const),
    id: anyText,
    name: anyText,
    input: fc.dictionary(anyText, fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>,
    calledBy,
  }),
  fc.record({
    type: fc.constant('decision' as const),
    id: anyText,
    answer: fc.constantFrom('allow' as const, 'deny' as const),
    by: fc.constantFrom('default' as const, 'user' as const),
    reason,
  }),
  fc.record(
    {
      type: fc.constant('tool_result' as const),
      id: anyText,
      calledBy,
      outcome: fc.constantFrom<CallOutcome>('completed', 'failed', 'declined', 'stopped', 'interrupted'),
      exitCode: fc.nat(255),
      text: anyText,
      isError: fc.boolean(),
      parts: fc.array(
        fc.oneof(
          textBlock,
          fc.record({ type: fc.constantFrom('image' as const), ...media }),
          fc.record({ type: fc.constantFrom('audio' as const), ...media }),
        ),
      ),
    },
    { requiredKeys: ['type', 'id', 'calledBy', 'outcome', 'text', 'isError'] },
  ),
  fc.record({ type: fc.constant('block' as const), block: textBlock }),
  fc.record({ type: fc.constant('notice' as const), code: anyText, message: anyText }),
);

test('appended events are read back unchanged, in order', async () => {
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
  expect(() => events.appendAll(id, 'turn', [delta('a'), toolCall('1', 'x', circular)])).toThrow(
    expect.objectContaining({ name: 'StorageError' }),
  );
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
