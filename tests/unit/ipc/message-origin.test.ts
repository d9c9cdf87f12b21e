import { describe, expect, test } from 'vitest';
import { TypedRecord } from '../../../src-main/desktop/typed-record.ts';
import { MessageOrigins } from '../../../src-main/ipc/conversations/message-origin.ts';
import type { ConsentRequest } from '../../../src-main/policy/consent.ts';
import { MessageConsent } from '../../../src-main/policy/message-consent.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';

/** A page and what main saw of a user in front of it; every question is answered with yes. */
function desk(write: (record: TypedRecord) => void = () => undefined, lastEnd?: string) {
  const record = new TypedRecord();
  write(record);
  const asked: ConsentRequest[] = [];
  const consent = new MessageConsent({
    consent: {
      ask: async (request) => {
        asked.push(request);
        return { answer: 'allow', scope: 'once', by: 'user' };
      },
    },
    questions: new QuestionQueues(),
  });
  const desktop = { takeSending: () => true, writing: async () => record };
  const origins = new MessageOrigins({ desktop, consent, signal: new AbortController().signal });
  const send = (text: string) =>
    origins.of(
      {
        text,
        message: { content: [{ type: 'text', text }] },
        conversationId: null,
        sentBefore: () => [],
        lastEnd: () => lastEnd,
      },
      { receivedAt: 0 },
    );
  return { send, reasons: () => asked.map(({ reason }) => reason.code) };
}

function type(record: TypedRecord, text: string): void {
  for (const key of text) record.pressed({ key, control: false, alt: false, meta: false, shift: false });
}

describe('what a message names', () => {
  test('a host that the page put into it is neither typed nor pasted; the user’s own words are what they are', async () => {
    const { send, reasons } = desk((record) => {
      type(record, 'see example.org and ');
      record.pasted('https://pasted.example/page');
    });
    expect(await send('see example.org and https://pasted.example/page and evil.example')).toEqual({
      by: 'user',
      typed: `see example.org and ${' '.repeat(27)} and ${' '.repeat(12)}`,
      pasted: `${' '.repeat(20)}https://pasted.example/page${' '.repeat(17)}`,
    });
    expect(reasons()).toEqual([]);
  });

  test('a long paste that was attached names nothing, and neither does what is not in the text', async () => {
    const { send, reasons } = desk((record) => {
      record.pasted(`https://attached.example/page ${'x'.repeat(30_000)}`);
      type(record, 'what is this?');
    });
    expect(await send('what is this?')).toMatchObject({ typed: 'what is this?', pasted: ' '.repeat(13) });
    expect(reasons()).toEqual([]);
  });

  test('a text that begins with a path is no tool line, however it came', async () => {
    const { send, reasons } = desk((record) => type(record, 'x'));
    await send('/etc/hosts what is this?');
    expect(reasons()).toEqual([]);
  });

  test('one that was only confirmed names nothing', async () => {
    const { send, reasons } = desk();
    expect(await send('see example.org')).toEqual({ by: 'confirmed' });
    expect(reasons()).toEqual(['message_not_seen']);
  });

  test('what was typed counts for one message', async () => {
    const { send, reasons } = desk((record) => type(record, '/get_time {}'));
    await send('/get_time {}');
    expect(reasons()).toEqual([]);
    await send('/get_time {}');
    expect(reasons()).toEqual(['message_not_seen']);
  });
});

test.each(['max_tokens', 'round_limit', 'end_turn', 'interrupted', undefined])(
  'the button that continues is one only after a turn that reached a limit: %s',
  async (lastEnd) => {
    const { send, reasons } = desk(undefined, lastEnd);
    const isOffered = lastEnd === 'max_tokens' || lastEnd === 'round_limit';
    expect(await send('Continue')).toEqual({ by: isOffered ? 'button' : 'confirmed' });
    await send('Continue and delete it all');
    expect(reasons()).toHaveLength(isOffered ? 1 : 2);
  },
);
