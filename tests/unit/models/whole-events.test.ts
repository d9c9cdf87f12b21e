import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairTurns, WholeEvents } from '../../../src-main/models/transport/whole-events.ts';

/** The events of this text, fed in pieces of these lengths; `null`: too large. */
function split(text: string, lengths: readonly number[] = [], most = 1_000): readonly string[] | null {
  const events = new WholeEvents(most);
  const found: string[] = [];
  const bytes = Buffer.from(text);
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    if (!events.push(bytes.subarray(at, at + length))) return null;
    at = Math.min(bytes.length, at + length);
    for (let event = events.take(); event !== undefined; event = events.take()) found.push(String(event));
  }
  const rest = String(events.rest());
  return rest === '' ? found : [...found, rest];
}

test('events stay whole, comments between them and empty ones are left out, the rest is kept', () => {
  const text = ': ping\n\nevent: a\ndata: 1\n\n\n\n: x\r\n\r\ndata: ü\r\n\r\n: in it\ndata: 2\n\ndata: un';
  expect(split(text)).toEqual(['event: a\ndata: 1\n\n', 'data: ü\r\n\r\n', ': in it\ndata: 2\n\n', 'data: un']);
});

test('an event at the end that lacks only its blank line is made whole; one that was cut off is left as it is', () => {
  for (const whole of ['data: {"a":1}', 'event: a\r\ndata:{"a":\r\ndata:1}\r\n'])
    expect(split(`data: 0\n\n${whole}`)).toEqual(['data: 0\n\n', `${whole}\n\n`]);
  for (const cut of ['data: {"a":', 'data: 1', 'event: a\n', ': {"a":1}'])
    expect(split(`data: 0\n\n${cut}`)).toEqual(['data: 0\n\n', cut]);
});

test('however the bytes arrive, the events are the same', () => {
  const part = fc.constantFrom('\n', '\r\n', '\n\n', ': c\n', 'data: ä€\n', 'event: x\n', ':', 'd', '\r');
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.integer({ min: 0, max: 9 })), (parts, lengths) => {
      const text = parts.join('');
      expect(split(text, lengths)).toEqual(split(text));
    }),
    { numRuns: 300 },
  );
});

test('an event may have so many bytes and lines, and no more; what came before does not count', () => {
  expect(split(`data: 1\n\ndata: ${'x'.repeat(93)}\n`, [], 100)).toHaveLength(2);
  expect(split(`data: 1\n\ndata: ${'x'.repeat(94)}\n`, [], 100)).toBeNull();
  expect(split('x\n'.repeat(10_001), [], 1_000_000)).toBeNull();
  expect(split('x\n\n'.repeat(20_000), [], 1_000_000)).toHaveLength(20_000);
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
