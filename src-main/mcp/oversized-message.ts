import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isTooDeep, MOST_LEVELS } from '../base/bounded-json.ts';
import { isRecord } from '../base/json.ts';
import type { OverlongLine } from './line-reader.ts';

/** Bytes of one message; a longer one is skipped, and only the call that it answers fails. Source: issue of MCP servers. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Ours, outside the ranges that JSON-RPC and MCP reserve. */
const OVERSIZED = -1_000_413;
const TOO_DEEP = -1_000_414;

/**
 * Which request a message answers that is known only by its ends. In well-formed JSON the last brace closes the message itself, so
 * an id directly before it is the message's own, and so is one directly after the first brace. `undefined`: it answers none, or
 * its id stands in between.
 */
export function answeredBy({ head, tail }: Pick<OverlongLine, 'head' | 'tail'>): RequestId | undefined {
  const id = '"id"\\s*:\\s*(-?\\d+|"(?:[^"\\\\]|\\\\.)*")';
  const version = '"jsonrpc"\\s*:\\s*"2\\.0"';
  // A request of the server has an id too, which is none of ours.
  if (new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?(?:${id}\\s*,\\s*)?"method"`).test(head)) return undefined;
  const found =
    new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}\\s*,`).exec(head)?.[1] ??
    new RegExp(`[,{]\\s*${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`).exec(tail)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as RequestId);
}

/** Stands for an answer that was skipped. */
export function oversizedAnswer(id: RequestId, bytes: number): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: OVERSIZED, message: 'The answer was skipped', data: { bytes } } };
}

/** Bytes of the answer that an error stands for; `undefined`: it is another error. */
export function oversizedBytes(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== OVERSIZED || !('data' in error))
    return undefined;
  return isRecord(error.data) && typeof error.data.bytes === 'number' ? error.data.bytes : undefined;
}

/**
 * The message, as far as it can be used: an answer that is nested too deeply fails only its own call, since comparing, storing or writing it
 * would overflow the stack and take other servers with it. `undefined`: it is no answer, and has to be left out.
 */
export function shallow<T extends JSONRPCMessage>(message: T): T | JSONRPCErrorResponse | undefined {
  if (!isTooDeep(message)) return message;
  if ('method' in message || message.id === undefined) return undefined;
  const error = { code: TOO_DEEP, message: `The answer is nested more than ${MOST_LEVELS} levels deep` };
  return { jsonrpc: '2.0', id: message.id, error };
}
