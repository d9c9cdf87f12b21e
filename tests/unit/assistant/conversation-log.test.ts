import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConversationLog, type EventStore, marksIn, outsideIn } from '../../../src-main/assistant/conversation-log.ts';
import type { ConversationEvent, Mark, StoredEvent } from '../../../src-preload/contract/events.ts';
import { allowed, textBlock, toolCall, toolResult, toolUse, userMessage } from '../../fixtures/events.ts';
import { changesOf } from '../../fixtures/file-changes.ts';

class MemoryEvents implements EventStore {
  readonly events: StoredEvent[] = [];
  isFull = false;

  appendAll(conversationId: string, turnId: string, added: readonly ConversationEvent[]): StoredEvent[] {
    if (this.isFull) throw new Error('disk full');
    const first = this.events.length + 1;
    const stored = added.map((event, index) => ({
      ...event,
      seq: first + index,
      conversationId,
      turnId,
      at: '2026-11-21T12:00:00.000Z',
    }));
    this.events.push(...stored);
    return stored;
  }

  read(): StoredEvent[] {
    return [...this.events];
  }
}

const marked = (source: string): readonly Mark[] => [{ kind: 'untrusted', source }];
const source = fc.constantFrom('a', 'b', 'c');
const seq = fc.integer({ min: 0, max: 30 });
const anyEvent: fc.Arbitrary<ConversationEvent> = fc.oneof(
  source.map((name): ConversationEvent => ({ ...userMessage('hello'), marks: marked(name) })),
  source.map((name): ConversationEvent => ({ ...toolResult(name, 'text'), marks: marked(name) })),
  fc.tuple(seq, source).map(
    ([throughSeq, name]): ConversationEvent => ({
      type: 'compaction',
      summary: 's',
      throughSeq,
      marks: marked(name),
    }),
  ),
  seq.map((afterSeq): ConversationEvent => ({ type: 'retry', afterSeq })),
  fc.constantFrom<ConversationEvent>(
    { ...userMessage('/tools'), isCommand: true, marks: marked('command') },
    { type: 'turn_end', stopReason: 'refusal' },
    { type: 'turn_end', stopReason: 'end_turn' },
    { type: 'round_start', model: 'm' },
    { type: 'text_delta', text: 't' },
    textBlock('t'),
    toolUse('a'),
    toolCall('a'),
    allowed('a'),
    { type: 'undo', calls: ['a'], paths: ['/w/a'] },
    { type: 'redo', calls: ['a'], paths: ['/w/a'] },
    changesOf('a', []),
    { type: 'notice', code: 'n', message: 'n' },
    { type: 'round_end', stopReason: 'tool_use' },
  ),
);

test('the marks always include everything that was appended to the log', () => {
  const asked = fc.constantFrom('marks', 'history', 'nothing');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(anyEvent, { maxLength: 3 }), asked), { maxLength: 12 }), (steps) => {
      const log = new ConversationLog(new MemoryEvents(), 'conversation-1', 'turn-1', () => undefined);
      for (const [events, what] of steps) {
        log.appendAll(events);
        if (what === 'history') log.history({ provider: 'p', model: 'm' });
        if (what === 'marks') expect(log.marks()).toEqual(marksIn(log.events));
      }
      expect(log.marks()).toEqual(marksIn(log.events));
    }),
    { numRuns: 500 },
  );
});

test('events that come together are all committed before the first of them is shown, or none is', () => {
  const store = new MemoryEvents();
  const shown: string[] = [];
  const log = new ConversationLog(store, 'conversation-1', 'turn-1', (event) =>
    shown.push(`${event.type} of ${store.events.length}`),
  );
  log.appendAll([{ type: 'text_delta', text: 't' }, textBlock('t')]);
  expect(shown).toEqual(['text_delta of 2', 'block of 2']);
  store.isFull = true;
  expect(() => log.appendAll([textBlock('u'), toolUse('a')])).toThrow('disk full');
  expect(shown).toHaveLength(2);
  expect(log.events).toHaveLength(2);
});

test('text from outside is told apart by its place in the log and the rule that let it in, not by its name', () => {
  const events = new MemoryEvents();
  const append = (...added: readonly ConversationEvent[]) => events.appendAll('c', 't', added);
  append(
    { ...userMessage('hello'), marks: marked('same') },
    { ...toolResult('none', 'text'), marks: [{ kind: 'private', source: 'same' }] },
    { ...allowed('ruled'), ruleId: 'r1' },
    { ...toolResult('ruled', 'text'), marks: marked('same') },
    { ...allowed('once') },
    { ...toolResult('once', 'text'), marks: marked('same') },
    { type: 'compaction', summary: 's', throughSeq: 3, marks: marked('same') },
  );
  expect(outsideIn(events.read())).toEqual([
    { seq: 1, ruleId: null },
    { seq: 4, ruleId: 'r1' },
    { seq: 6, ruleId: null },
  ]);
});
