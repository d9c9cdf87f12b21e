import { expect, test } from 'vitest';
import { LineSplitter, type OverlongLine } from '../../../src-main/base/line-splitter.ts';
import { answeredBy } from '../../../src-main/mcp/messages/oversized-message.ts';

const ends = (message: string) => ({ head: message.slice(0, 60), tail: message.slice(-60) });
const long = 'x'.repeat(200);

test('the request that a too long message answers is read from its beginning and its end', () => {
  expect(answeredBy(ends(`{"jsonrpc":"2.0","id":7,"result":{"text":"${long}"}}`))).toBe(7);
  expect(answeredBy(ends(`{ "id": "a\\"b", "jsonrpc": "2.0", "result": {"text":"${long}"}}`))).toBe('a"b');
  expect(answeredBy(ends(`{"result":{"text":"${long}"},"id":7,"jsonrpc":"2.0"}\r`))).toBe(7);
  expect(answeredBy(ends(`{"jsonrpc":"2.0","result":{"text":"${long}"},"id":"q"}`))).toBe('q');
});

test('an id that is not the message’s own, or of a request of the server, is none', () => {
  expect(answeredBy(ends(`{"result":{"text":"${long}","nested":{"id":7}}}`))).toBeUndefined();
  expect(answeredBy(ends(`{"result":{"text":"${long} \\"id\\":7}`))).toBeUndefined();
  expect(
    answeredBy(ends(`{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"text":"${long}"}}`)),
  ).toBeUndefined();
  expect(answeredBy(ends(`{"jsonrpc":"2.0","method":"x","params":{"text":"${long}"},"id":7}`))).toBeUndefined();
  expect(answeredBy(ends(`${long}`))).toBeUndefined();
});

test('something that only looks like an id is not taken for one', () => {
  for (const id of ['007', '-', '"\\q"', '"\u0001"'])
    expect(answeredBy(ends(`{"jsonrpc":"2.0","id":${id},"result":{"text":"${long}"}}`))).toBeUndefined();
});

test('lines are the same however the bytes are cut; a long one is skipped and the next one read', () => {
  const text = `ä\r\n\n{"a":"${'ö'.repeat(20)}"}\nlast`;
  for (const size of [1, 2, 3, 7, 1_000]) {
    const lines: string[] = [];
    const overlong: OverlongLine[] = [];
    const onOverlong = (line: OverlongLine) => void overlong.push(line);
    const reader = new LineSplitter({ maxBytes: 20, onLine: (line) => void lines.push(line), onOverlong });
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size) reader.add(bytes.subarray(start, start + size));
    reader.end();
    expect(lines).toEqual(['ä', '', 'last']);
    expect(overlong).toEqual([
      { bytes: 48, head: expect.stringMatching(/^\{"a":"ö/), tail: expect.stringContaining('ö"}') },
    ]);
  }
});
