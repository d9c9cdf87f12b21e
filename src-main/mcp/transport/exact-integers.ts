import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { IntegerMarks } from '../../../src-preload/contract/exact-json.ts';
import { isRecord } from '../../base/json.ts';

const marks = new IntegerMarks();

/** The message with a mark for each bigint: the SDK turns messages into JSON itself. */
export function withMarkedIntegers(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.params === undefined || !hasBigint(message.params)) return message;
  return {
    ...message,
    params: Object.fromEntries(Object.entries(message.params).map(([key, value]) => [key, marked(value)])),
  };
}

/** The JSON of such a message, with all the digits of its whole numbers. */
export function withoutIntegerMarks(json: string): string {
  return marks.removedFrom(json);
}

function hasBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigint);
}

function marked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(marked);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, marked(member)]));
  return marks.marked(value);
}
