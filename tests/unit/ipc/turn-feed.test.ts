import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Words } from '../../../src-main/ipc/conversations/shown-event.ts';
import { TurnFeed } from '../../../src-main/ipc/conversations/turn-feed.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const words: Words['words'] = () => {
  throw new Error('no call is shown here');
};
const committed = (seq: number) =>
  ({ type: 'round_start', model: 'm', seq, conversationId: 'c', turnId: 't', at: '' }) as const;
const output = (id: string, chunk: string) => ({ type: 'tool_output', id, chunk }) as const;

test('what happens within a frame is one message, in order; neighbours that carry one text on are one event', () => {
  const sent: unknown[][] = [];
  const feed = new TurnFeed({ words }, (events) => sent.push([...events]));
  feed.push(committed(1));
  for (const event of [
    output('a', '1'),
    output('a', '2'),
    output('b', '3'),
    output('a', '4'),
    committed(2),
    { type: 'thinking', text: 'hm' } as const,
    { type: 'thinking', text: ', yes' } as const,
  ])
    feed.push(event);
  expect(sent).toHaveLength(1);
  feed.flush();
  expect(sent[1]).toEqual([
    output('a', '12'),
    output('b', '3'),
    output('a', '4'),
    expect.objectContaining({ type: 'round_start', seq: 2 }),
    { type: 'thinking', text: 'hm, yes' },
  ]);
});
