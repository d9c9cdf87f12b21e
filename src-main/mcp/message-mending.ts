import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../base/json.ts';

export interface MendingPorts {
  /** Whether the SDK takes this as a tool. */
  readonly isTool: (value: unknown) => boolean;
  /** Hears of each part of a message that cannot be used, in words. */
  readonly skipped: (what: string) => void;
}

/** Under this key a block of a kind that nobody knows keeps what it said. */
export const UNKNOWN_BLOCK = 'steward/unknown-block';

/**
 * The SDK refuses an answer as a whole if one part of it is wrong: one malformed tool hides all others, one block of a kind that
 * came later loses the result of a call that was made. So answers are mended before the SDK sees them: results of calls always,
 * because no call is made twice; tool lists only once one was refused.
 */
export class MessageMending {
  /** Of requests that wait for an answer. */
  readonly #methods = new Map<RequestId, string>();
  readonly #ports: MendingPorts;
  #leavesOutTools = false;

  constructor(ports: MendingPorts) {
    this.#ports = ports;
  }

  /** From now on, tool lists are read tool by tool. */
  leaveOutTools(): void {
    this.#leavesOutTools = true;
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return;
    const { method } = message;
    if (method === 'tools/call' || method === 'tasks/result' || method === 'tools/list')
      this.#methods.set(message.id, method);
  }

  received<T extends JSONRPCMessage>(message: T): T {
    if ('method' in message || !('id' in message) || message.id === undefined) return message;
    const method = this.#methods.get(message.id);
    if (method === undefined) return message;
    this.#methods.delete(message.id);
    if (!('result' in message)) return message;
    const result: unknown = message.result;
    if (!isRecord(result)) return message;
    return { ...message, result: method === 'tools/list' ? this.#toolList(result) : this.#callResult(result) };
  }

  #toolList(result: Record<string, unknown>): Record<string, unknown> {
    if (!this.#leavesOutTools) return result;
    const listed: unknown[] = Array.isArray(result.tools) ? result.tools : [];
    const tools = listed.filter((tool) => {
      const isUsable = this.#ports.isTool(tool);
      if (!isUsable) this.#ports.skipped(`a malformed tool: ${JSON.stringify(tool)}`);
      return isUsable;
    });
    const { nextCursor } = result;
    return { ...result, tools, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
  }

  #callResult(result: Record<string, unknown>): Record<string, unknown> {
    // Other kinds of results (`input_required`, a task) are the SDK's.
    if (result.resultType !== undefined && result.resultType !== 'complete') return result;
    if (!Array.isArray(result.content) && result.resultType === undefined && 'task' in result) return result;
    const content: unknown[] = Array.isArray(result.content) ? result.content : [];
    return {
      ...result,
      content: content.map((block) => (isKnownBlock(block) ? withoutAnnotations(block) : this.#unknownBlock(block))),
      isError: result.isError === true,
    };
  }

  #unknownBlock(block: unknown): Record<string, unknown> {
    this.#ports.skipped(`a block of an unknown kind: ${JSON.stringify(block).slice(0, 200)}`);
    return { type: 'text', text: '', _meta: { [UNKNOWN_BLOCK]: block } };
  }
}

/** Annotations and icons are for display; one that is wrong shall not lose what they stand at. */
function withoutAnnotations({ annotations: _annotations, icons: _icons, ...block }: Record<string, unknown>) {
  return block;
}

function isKnownBlock(block: unknown): block is Record<string, unknown> {
  if (!isRecord(block)) return false;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'image':
    case 'audio':
      return typeof block.mimeType === 'string' && typeof block.data === 'string' && isBase64(block.data);
    case 'resource_link':
      return typeof block.uri === 'string' && typeof block.name === 'string';
    case 'resource':
      return isResource(block.resource);
    default:
      return false;
  }
}

function isResource(resource: unknown): boolean {
  if (!isRecord(resource) || typeof resource.uri !== 'string') return false;
  if (resource.mimeType !== undefined && typeof resource.mimeType !== 'string') return false;
  return typeof resource.text === 'string' || (typeof resource.blob === 'string' && isBase64(resource.blob));
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
