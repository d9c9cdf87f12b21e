import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { checkBoundedText, checkBoundedValue } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord, parsedJson } from '../../base/json.ts';
import type { OverlongLine } from '../../base/line-splitter.ts';

/**
 * Maximum bytes of a message; a longer one is skipped and fails only the call it answers. Source: issue of MCP servers.
 */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Limit for the values in a message; checking and logging each takes time. A database's answer may have many. */
export const MAX_MESSAGE_VALUES = 500_000;

/** The most messages in a batch. */
export const MAX_IN_BATCH = 1_000;

/** The id is looked for within so many UTF-16 units of the end of a message. */
const ID_WITHIN = 1_000;

/** A code of our own, outside the ranges reserved by JSON-RPC and MCP. */
const OVERSIZED = -1_000_413;
const UNREADABLE = -1_000_414;

/**
 * The request that a message answers, judged only by the message's two ends. In well-formed JSON the last brace closes
 * the message itself, so an id directly before it is the message's own, and so is one directly after the first brace.
 * `undefined` if it answers none, or its id is in the middle.
 */
export function answeredBy({ head, tail }: Pick<OverlongLine, 'head' | 'tail'>): RequestId | undefined {
  const id = '"id"\\s*:\\s*(-?\\d+|"(?:[^"\\\\]|\\\\.)*")';
  const version = '"jsonrpc"\\s*:\\s*"2\\.0"';
  // A server's request has an id too, but not one of ours.
  if (new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?(?:${id}\\s*,\\s*)?"method"`).test(head)) return undefined;
  const found =
    new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}\\s*,`).exec(head)?.[1] ??
    new RegExp(`[,{]\\s*${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`).exec(tail)?.[1];
  return found === undefined ? undefined : parsedId(found);
}

/** `undefined` for what only looks like an id: `007`, an unknown escape. */
function parsedId(text: string): RequestId | undefined {
  return parsedJson(text) as RequestId | undefined;
}

/** The replacement for a skipped response. */
export function oversizedAnswer(id: RequestId, bytes: number): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: OVERSIZED, message: 'The response was skipped', data: { bytes } } };
}

/** The size of the response that this error replaces; `undefined` for other errors. */
export function oversizedBytes(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== OVERSIZED || !('data' in error))
    return undefined;
  return isRecord(error.data) && typeof error.data.bytes === 'number' ? error.data.bytes : undefined;
}

/**
 * The usable part of a message, or undefined if it is not a response and has to be skipped; `skipped` then receives
 * what it is. A response that is nested too deeply fails only its own call, since comparing, storing or writing it
 * would overflow the stack and take other servers down. So does one with so many values that everything else would wait
 * for it.
 */
export function usable<T extends JSONRPCMessage>(
  message: T,
  skipped: (fault: string) => void,
): T | JSONRPCErrorResponse | undefined {
  try {
    checkBoundedValue(message, MAX_MESSAGE_VALUES);
    return message;
  } catch (error) {
    const fault = errorMessage(error);
    if (!('method' in message) && message.id !== undefined) return unreadableAnswer(message.id, fault);
    skipped(fault);
    return undefined;
  }
}

/** Why a line is not even parsed (completes "it is …"): that alone would take a second. */
export function faultOfLine(line: string): string | undefined {
  // Each value takes a character.
  if (line.length <= MAX_MESSAGE_VALUES) return undefined;
  try {
    checkBoundedText(line, MAX_MESSAGE_VALUES);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** The replacement for a text that is not parsed; `undefined` if it is no response. */
export function unreadableAnswerTo(text: string, fault: string): JSONRPCErrorResponse | undefined {
  const id = answeredBy({ head: text.slice(0, ID_WITHIN), tail: text.slice(-ID_WITHIN) });
  return id === undefined ? undefined : unreadableAnswer(id, fault);
}

/** The replacement for a response that is not read. `fault` completes "it is …". */
export function unreadableAnswer(id: RequestId, fault: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: UNREADABLE, message: `The response can't be read: it is ${fault}` } };
}
