import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerAssembler } from '../../../src-main/models/anthropic/answer-assembler.ts';
import { AnthropicProvider } from '../../../src-main/models/anthropic/anthropic-provider.ts';
import type { ModelStreamEvent } from '../../../src-main/models/provider.ts';
import { type AnswerEvent, answerEvents, prepareAnswer } from '../../fixtures/messages-api/answer-events.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';

const TURN: ScriptedTurn = {
  blocks: [
    { type: 'thinking', thinking: 'Denk… 🤔\r\nweiter', signature: 'sig==' },
    { type: 'text', text: 'Grüße, 世界 👋🏽\n\ndata: not an event\r' },
    { type: 'unknown', block: { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} } },
    { type: 'tool_use', id: 't1', name: 'write_file', input: { content: '“é”\u2028\n' } },
    { type: 'tool_use', id: 't2', name: 'broken', rawInput: '{"a":' },
    { type: 'redacted_thinking', data: 'AAAA' },
  ],
  deltaCharacters: 2,
};

test('however the bytes of a stream are cut, the blocks are the same', async () => {
  const events = [...eventsOf(TURN)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 60 }),
      async (lineEnd, cuts) => {
        const sse = events
          .map((e) => `event: ${e.type}${lineEnd}data: ${JSON.stringify(e)}${lineEnd}${lineEnd}`)
          .join('');
        const received = await answerOver(Buffer.from(sse), cuts);
        expect(merged(received)).toEqual(merged(directly(events)));
      },
    ),
    { numRuns: 60 },
  );
});

test('a text block repeats what its deltas said, and nothing follows the end', () => {
  const out = directly([...eventsOf({ text: 'Hello, world. '.repeat(10) })]);
  const deltas = out.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  expect(out.at(-2)).toEqual({ type: 'block', block: { type: 'text', text: deltas.join('') } });
  expect(out.map((event) => event.type).indexOf('end')).toBe(out.length - 1);
});

test('events of any shape cause no failure', () => {
  const types = fc.constantFrom(
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'ping',
    'new',
  );
  const anything = fc.oneof(
    fc.anything(),
    fc.record({
      type: types,
      index: fc.anything(),
      content_block: fc.object(),
      delta: fc.object(),
      usage: fc.object(),
      message: fc.anything(),
    }),
  );
  fc.assert(
    fc.property(fc.array(anything), (events) => {
      const assembler = new AnswerAssembler();
      for (const event of events)
        for (const out of assembler.accept(event)) expect(out.type).toMatch(/text|thinking|block|end/);
    }),
  );
});

test('blocks that were never closed are closed by the end of the message', () => {
  const events = [...eventsOf({ blocks: [{ type: 'tool_use', id: 't', name: 'n', input: { a: 1 } }] })];
  const out = directly(events.filter((event) => event.type !== 'content_block_stop'));
  expect(out[0]).toEqual({ type: 'block', block: { type: 'tool_use', id: 't', name: 'n', input: { a: 1 } } });
});

function eventsOf(turn: ScriptedTurn): AnswerEvent[] {
  return [...answerEvents(prepareAnswer(turn, { model: 'm', sign: () => 'sig' }))];
}

function directly(events: readonly unknown[]): ModelStreamEvent[] {
  const assembler = new AnswerAssembler();
  return events.flatMap((event) => [...assembler.accept(event)]);
}

async function answerOver(bytes: Buffer, cuts: readonly number[]): Promise<ModelStreamEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let start = 0;
      for (let i = 0; start < bytes.length; i++) {
        const end = start + (cuts[i % cuts.length] ?? 0) + 1;
        controller.enqueue(bytes.subarray(start, end));
        start = end;
      }
      controller.close();
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const provider = new AnthropicProvider({
    apiKey: async () => 'sk-ant-x',
    fetch: async () => new Response(body, { status: 200, headers }),
    maxRetries: 0,
  });
  const received: ModelStreamEvent[] = [];
  const signal = new AbortController().signal;
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] }];
  for await (const event of provider.stream({ model: 'm', system: '', messages, tools: [], signal }))
    received.push(event);
  return received;
}

/** Deltas may be cut differently; what they say may not. */
function merged(events: readonly ModelStreamEvent[]): unknown {
  const said = (type: 'text' | 'thinking') => events.map((e) => (e.type === type ? e.text : '')).join('');
  return [said('text'), said('thinking'), events.filter((event) => event.type === 'block' || event.type === 'end')];
}
