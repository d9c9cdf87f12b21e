import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openAiService } from '../../../src-main/models/openai/service.ts';
import { answerEvents } from '../../../src-main/models/transport/event-stream.ts';
import { fairTurns } from '../../../src-main/models/transport/guarded-fetch.ts';

const SERVICE = openAiService('compatible', 'house', 'house.example');

/** What is read of these bytes, in pieces that end at these places; an error is the last entry. */
async function read(text: string | Uint8Array, cuts: readonly number[] = []): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  const ends = [...cuts, bytes.length];
  const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
  const found: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const reading = answerEvents(new Response(body), {
    service: SERVICE,
    eventsOf: (answer) => (Array.isArray(answer) ? answer : []),
  });
  try {
    for await (const data of reading) found.push(data);
  } catch (error) {
    found.push(error);
  }
  return found;
}

const STREAM = [
  '\uFEFF: a comment\r\n',
  'event: first\r\ndata: {"a":"Grüße 👋🏽"}\r\n\r\n',
  ': ping\n\ndata:{"b":\ndata: "two lines"}\nid: 7\nretry: 10\n\n',
  'data: {"c":"\\u2028"}\r\r',
  ':\n\n\n\ndata: {"d":1}\nunknown: field\n\ndata: [DONE]\n\n',
].join('');
const EVENTS = [{ a: 'Grüße 👋🏽' }, { b: 'two lines' }, { c: '\u2028' }, { d: 1 }];

test('a byte order mark, comments, each kind of line end, data in several lines and other fields are read', async () => {
  expect(await read(STREAM)).toEqual(EVENTS);
});

test('cut at any byte, a stream has the same events', async () => {
  const { length } = Buffer.from(STREAM);
  for (let cut = 0; cut <= length; cut++) expect(await read(STREAM, [cut]), `at ${cut}`).toEqual(EVENTS);
  expect(
    await read(
      STREAM,
      Array.from({ length }, (_, index) => index),
    ),
  ).toEqual(EVENTS);
});

test('whatever arrives, in whatever pieces, the events are the same', async () => {
  const part = fc.constantFrom(
    '\n',
    '\r\n',
    '\n\n',
    ': c\n',
    'data: "ä€"\n',
    'data: 1\n\n',
    'event: x\n',
    ':',
    'd',
    '\r',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.array(fc.nat({ max: 60 })), async (parts, lengths) => {
      const text = parts.join('');
      const cuts = lengths.map((length) => Math.min(length, Buffer.byteLength(text))).sort((a, b) => a - b);
      expect(await read(text, cuts)).toEqual(await read(text));
    }),
    { numRuns: 300 },
  );
});

test('a last event that lacks its blank line counts; one that was cut off does not, and is no error', async () => {
  for (const whole of ['data: {"x":1}', 'event: x\r\ndata:{"x":\r\ndata:1}\r\n'])
    expect(await read(`data: {"a":0}\n\n${whole}`)).toEqual([{ a: 0 }, { x: 1 }]);
  for (const cut of ['data: {"x":', 'data: {"x":"Grü', 'event: x\n', ': {"x":1}', 'data: [DONE]', 'dat'])
    expect(await read(`data: {"a":0}\n\n${cut}`)).toEqual([{ a: 0 }]);
  expect(await read(Buffer.from('data: {"x":"ü').subarray(0, -1))).toEqual([]);
});

test('data that is not JSON is an error', async () => {
  expect(await read('data: {"a":0}\n\ndata: {oops\n\ndata: {"b":0}\n\n')).toEqual([{ a: 0 }, expect.any(SyntaxError)]);
});

test('an error in the stream ends it', async () => {
  const error = { message: 'Too many.', code: 503 };
  for (const data of [{ error }, { type: 'error', error }])
    expect(await read(`data: {"a":0}\n\ndata: ${JSON.stringify(data)}\n\ndata: {"b":0}\n\n`)).toEqual([
      { a: 0 },
      expect.objectContaining({ name: 'ReportedError', error }),
    ]);
  expect(await read('data: {"error":null}\n\ndata: {"error":""}\n\n')).toEqual([{ error: null }, { error: '' }]);
});

test('JSON instead of a stream is the answer or the error that it is; cut off, it is nothing', async () => {
  const answer = '\n [{"a":\r\n"data: 1\\n\\n"},{"b":2}]';
  for (let cut = 0; cut <= answer.length; cut++)
    expect(await read(answer, [cut])).toEqual([{ a: 'data: 1\n\n' }, { b: 2 }]);
  expect(await read(answer.slice(0, -1))).toEqual([]);
  expect(await read('{"error":"no model is loaded"}')).toEqual([
    expect.objectContaining({ error: { message: 'no model is loaded' } }),
  ]);
  expect(await read('[{"error":{"code":503}}]')).toEqual([expect.objectContaining({ error: { code: 503 } })]);
  expect(await read('{"status":"ok"}')).toEqual([expect.objectContaining({ code: 'bad_answer' })]);
});

test('an empty answer has no events', async () => {
  expect(await read('')).toEqual([]);
  expect(await read(' \n\n')).toEqual([]);
});

test('who stops reading ends the request', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from('data: {"a":0}\n\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const _ of answerEvents(new Response(body), { service: SERVICE, eventsOf: () => [] })) break;
  expect(isCancelled).toBe(true);
});

test('a flood that never waits leaves timers their turn', async () => {
  const takeTurn = fairTurns();
  let hasFired = false;
  setTimeout(() => {
    hasFired = true;
  }, 1);
  const start = performance.now();
  while (!hasFired && performance.now() - start < 5_000) await takeTurn();
  expect(hasFired).toBe(true);
});
