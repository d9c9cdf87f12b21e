import { expect, test } from 'vitest';
import { parseEvent } from '../../../src-main/storage/conversations/parse-event.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';

test('the input of a call is read with all digits of its numbers, other events as they were written', () => {
  const input = { id: 9007199254740993n };
  const block = { type: 'block', block: { type: 'tool_use', id: 'c', name: 'n', input } };
  expect(parseEvent(exactJson(block))).toEqual(block);
  const words = { title: 'T', done: 'D', icon: 'plug', about: '' };
  const call = { type: 'tool_call', id: 'c', name: 'n', input, calledBy: 'model', words };
  expect(parseEvent(exactJson(call))).toMatchObject({ input });
  const usage = `{"type":"usage","provider":"p","model":"m","input":9007199254740993,"output":1,"cacheRead":0,"cacheWrite":0}`;
  expect(parseEvent(usage)).toMatchObject({ input: 2 ** 53 });
});
