import { expect, test } from 'vitest';
import { callTimeoutSeconds } from '../../../src-main/mcp/calls/call-clock.ts';

test('a call may take half a minute longer than its tool says, or takes when nothing is said', () => {
  const seconds = (input: object, schema: object = {}) =>
    callTimeoutSeconds({ input: { ...input }, inputSchema: { type: 'object', properties: schema }, configured: 60 });
  const long = { timeout_seconds: { type: 'integer', default: 1_800 } };
  expect(seconds({})).toBe(60);
  expect(seconds({ timeout_seconds: 10 })).toBe(60);
  expect(seconds({ timeout_seconds: 100 })).toBe(130);
  expect(seconds({}, long)).toBe(1_830);
  expect(seconds({ timeout_seconds: 100 }, long)).toBe(130);
  expect(seconds({ timeout_seconds: null }, long)).toBe(60);
  expect(seconds({}, { timeout_seconds: { default: 'long' } })).toBe(60);
  expect(seconds({}, { timeout_seconds: { default: 1e9 } })).toBe(86_400);
});
