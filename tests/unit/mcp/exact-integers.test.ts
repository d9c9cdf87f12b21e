import { expect, test } from 'vitest';
import { withMarkedIntegers, withoutIntegerMarks } from '../../../src-main/mcp/transport/exact-integers.ts';

test('what an SDK makes of a message has the digits of its whole numbers, and nothing else becomes a number', () => {
  const params = {
    name: 't',
    arguments: { id: 9007199254740993n, ids: [{ n: -1n }], text: '9007199254740993', none: null },
  };
  const message = { jsonrpc: '2.0' as const, id: 1, method: 'tools/call', params };
  const json = withoutIntegerMarks(JSON.stringify(withMarkedIntegers(message)));
  expect(json).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"id":9007199254740993,"ids":[{"n":-1}],"text":"9007199254740993","none":null}}}',
  );
  const plain = { ...message, params: { name: 't', arguments: { id: 1 } } };
  expect(withMarkedIntegers(plain)).toBe(plain);
});
