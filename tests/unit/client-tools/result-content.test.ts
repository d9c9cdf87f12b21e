import { expect, test } from 'vitest';
import { ClientResponse } from '../../../src-main/client-tools/records.ts';
import { resultOf } from '../../../src-main/client-tools/result-content.ts';

const PIXEL = Buffer.from('not really a picture').toString('base64');
const result = (response: object) => resultOf(ClientResponse.parse({ requestId: 'r', ...response }));
const text = (value: string) => ({ type: 'text', text: value });
const json = (value: unknown) => ({ type: 'json', value });
const binary = (more: object = {}) => ({ type: 'binary', mimeType: 'application/zip', data: PIXEL, ...more });

/** The rows of tool catalogue D.6. */
test.each<[string, readonly object[], string]>([
  ['nothing', [], ''],
  ['one text', [text('a')], 'a'],
  ['one JSON', [json({ a: [1, null] })], '{"a":[1,null]}'],
  ['a file with its name', [binary({ filename: 'a.zip' })], '[binary: a.zip, 20 bytes]'],
  ['a file without a name', [binary()], '[binary: application/zip, 20 bytes]'],
  ['a file whose name is null', [binary({ filename: null })], '[binary: application/zip, 20 bytes]'],
  ['several', [text('a'), json(1), text('b')], 'a\n1\nb'],
])('%s', (_, content, expected) => {
  expect(result({ content })).toEqual({ text: expected, isError: false });
});

test('pictures stay between the texts, and the text names them', () => {
  const picture = binary({ mimeType: 'image/PNG', filename: 'shot.png' });
  expect(result({ content: [text('a'), json(1), picture, text('b')] })).toEqual({
    text: 'a\n1\n[binary: shot.png, 20 bytes]\nb',
    isError: false,
    parts: [
      { type: 'text', text: 'a\n1' },
      { type: 'image', mediaType: 'image/png', data: PIXEL },
      { type: 'text', text: 'b' },
    ],
  });
});

test.each([
  ['what is no Base64', '###'],
  ['the wrong length', 'AAAAA'],
  ['padding in the wrong place', 'AB=='.repeat(2)],
])('%s is an error, whatever else there is', (_, data) => {
  expect(result({ content: [text('a'), binary({ data })] })).toEqual({
    text: 'Error: invalid binary content from client',
    isError: true,
  });
});

test('eight megabytes of Base64 are read at once', () => {
  const data = Buffer.alloc(6_000_000, 7).toString('base64');
  expect(result({ content: [binary({ data })] }).text).toBe('[binary: application/zip, 6000000 bytes]');
});

test('an error of the client is an error, with or without a text', () => {
  expect(result({ success: false, errorMessage: 'No editor is open' })).toEqual({
    text: 'Error: No editor is open',
    isError: true,
  });
  for (const none of [{}, { errorMessage: null }, { errorMessage: ' ' }])
    expect(result({ success: false, content: [text('a')], ...none })).toEqual({
      text: 'Error: Unknown error',
      isError: true,
    });
});
