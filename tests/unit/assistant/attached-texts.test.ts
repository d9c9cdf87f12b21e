import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachedRoom, withAttachmentsGiven } from '../../../src-main/assistant/context-window.ts';
import { foldHistory } from '../../../src-main/assistant/history.ts';
import { messageBlocks } from '../../../src-main/storage/conversations/attached-text.ts';
import { givenOf } from '../../../src-preload/contract/attached-text.ts';
import type { SentMessage } from '../../../src-preload/contract/events.ts';
import { stored } from '../../fixtures/events.ts';

const SMALL = { contextTokens: 10_000, maxOutputTokens: 2_000 };
const ROOM = attachedRoom(SMALL);

function message(...texts: readonly string[]): SentMessage {
  const attachments = texts.map((text, index) => ({ kind: 'text', name: `${index}`, text }) as const);
  return { content: [{ type: 'text', text: 'what is this?' }], attachments };
}

/** What a model is given, block by block. */
function given(sent: SentMessage): readonly string[] {
  const { messages } = foldHistory(stored([{ type: 'user_message', ...sent }]));
  return messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
}

test('a text that fits is sent in full', () => {
  const sent = message('a'.repeat(ROOM));
  expect(withAttachmentsGiven(sent, SMALL)).toEqual(sent);
  expect(given(sent)[0]).toContain('a'.repeat(ROOM));
});

test('a text that does not fit is cut, the model is told where and how much, and the log keeps all of it', () => {
  const long = 'b'.repeat(5_000_000);
  const sent = withAttachmentsGiven(message(long, 'short'), SMALL);
  expect(sent.attachments).toMatchObject([
    { text: long, given: ROOM - 'short'.length },
    { text: 'short', given: 5 },
  ]);
  const [first = '', second = '', written] = given(sent);
  expect(first.match(/b/g)?.length).toBeLessThan(ROOM);
  expect(first).toMatch(/you are given its first [\d,]+ of 5,000,000 characters/);
  expect(second).toBe('Attached file: 1\n```\nshort\n```');
  expect(written).toBe('what is this?');
  expect(messageBlocks(sent)[0]).toMatchObject({ text: expect.stringContaining(long) });
});

test('shares are never more than a text or the room, and leave nothing that could be given', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 20 }), fc.nat(5_000), (lengths, room) => {
      const shares = givenOf(lengths, room);
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
      expect(shares.every((share, index) => share <= (lengths[index] ?? 0))).toBe(true);
      expect(sum(shares)).toBeLessThanOrEqual(room);
      expect(sum(shares)).toBeGreaterThan(Math.min(room, sum(lengths)) - lengths.length - 1);
    }),
    { numRuns: 500 },
  );
});
