import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { type LeftOutReason, type LeftOutTool, leftOutText } from '../../../src-preload/contract/left-out-tools.ts';
import { sizeOf } from '../../base/approximate-size.ts';
import { isRecord } from '../../base/json.ts';
import { shortened, visible } from '../../base/text.ts';
import { faultOfTool, shownToolName } from './unusable-tool.ts';

/** Why the SDK refuses something. */
export interface SchemaIssue {
  /** The path of the member at fault. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface MendingPorts {
  /** Why the SDK does not accept this as a tool; empty if it does. */
  readonly issuesOfTool: (value: unknown) => readonly SchemaIssue[];
  /** Receives a description of each unusable part of a message. */
  readonly skipped: (what: string) => void;
}

/** Limit for one list, all its pages together. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Members that a tool can be used without. */
const DISPENSABLE = ['title', 'description', 'icons', 'annotations', 'outputSchema', 'execution', '_meta'];

/** The key that keeps the content of a block of an unknown type. */
export const UNKNOWN_BLOCK = 'steward/unknown-block';

/**
 * The SDK rejects a whole response if one part of it is invalid: one malformed tool hides all others, and one block of
 * a newer type loses the result of a finished call. So responses are repaired before the SDK sees them: call results
 * always, because no call is made twice; tool lists completely only after one was rejected. A tool that nobody could
 * judge or use is always left out.
 */
export class MessageMending {
  /** The methods of requests without a response. */
  readonly #methods = new Map<RequestId, string>();
  readonly #ports: MendingPorts;
  /** Bytes of the pages read so far, by method. */
  readonly #listed = new Map<string, number>();
  #leavesOutTools = false;
  /** What was left out of the tool list that was read last or is being read. */
  #leftOut: LeftOutTool[] = [];
  #passedOn: string[] = [];

  constructor(ports: MendingPorts) {
    this.#ports = ports;
  }

  /** From now on, what is malformed is dropped from tool lists. */
  leaveOutTools(): void {
    this.#leavesOutTools = true;
  }

  /**
   * What was left out of the tool list that was read last. `taken` are the names of the tools that the SDK returned of
   * it.
   */
  leftOut(taken: readonly string[]): readonly LeftOutTool[] {
    const left = new Map<string, number>();
    for (const name of taken) left.set(name, (left.get(name) ?? 0) + 1);
    // Only this makes the SDK drop a tool.
    const reason = { code: 'bad_header' } as const;
    const dropped = this.#passedOn.flatMap((name) => {
      const count = left.get(name) ?? 0;
      left.set(name, count - 1);
      return count > 0 ? [] : [{ tool: shownToolName({ name }), reason }];
    });
    return [...this.#leftOut, ...dropped];
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return;
    const { method, params } = message;
    const isList = method.endsWith('/list');
    // The first page.
    if (isList && params?.cursor === undefined) this.#listed.delete(method);
    if (method === 'tools/list' && params?.cursor === undefined) {
      this.#leftOut = [];
      this.#passedOn = [];
    }
    if (isList || method === 'tools/call' || method === 'tasks/result') this.#methods.set(message.id, method);
  }

  received<T extends JSONRPCMessage>(message: T): T {
    if ('method' in message || !('id' in message) || message.id === undefined) return message;
    const method = this.#methods.get(message.id);
    if (method === undefined) return message;
    this.#methods.delete(message.id);
    if (!('result' in message)) return message;
    const result: unknown = message.result;
    if (!isRecord(result)) return message;
    if (!method.endsWith('/list')) return { ...message, result: this.#callResult(result) };
    const list = this.#withinSize(method, result);
    return { ...message, result: method === 'tools/list' ? this.#toolList(list) : list };
  }

  /** A server may go on with pages for ever. */
  #withinSize(method: string, page: Record<string, unknown>): Record<string, unknown> {
    const bytes = (this.#listed.get(method) ?? 0) + Math.min(sizeOf(page, MAX_LIST_BYTES), MAX_LIST_BYTES);
    this.#listed.set(method, bytes);
    if (bytes < MAX_LIST_BYTES || page.nextCursor === undefined) return page;
    if (method === 'tools/list') this.#leaveOut('', { code: 'rest', bytes });
    else this.#ports.skipped(`everything after the first ${bytes} bytes of ${method}`);
    const { nextCursor: _, ...last } = page;
    return last;
  }

  #toolList(result: Record<string, unknown>): Record<string, unknown> {
    const listed: unknown[] = Array.isArray(result.tools) ? result.tools : [];
    const harmless = listed.filter((tool) => this.#isHarmless(tool)).map(withRootType);
    const tools = this.#leavesOutTools ? harmless.flatMap((tool) => this.#mended(tool)) : harmless;
    for (const tool of tools) if (isRecord(tool) && typeof tool.name === 'string') this.#passedOn.push(tool.name);
    if (!this.#leavesOutTools) return { ...result, tools };
    const { nextCursor } = result;
    return { ...result, tools, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
  }

  #isHarmless(tool: unknown): boolean {
    const fault = faultOfTool(tool);
    if (fault !== undefined) this.#leaveOut(shownToolName(tool), fault);
    return fault === undefined;
  }

  /** The tool without its malformed members, or nothing if it cannot be used without them. */
  #mended(tool: unknown): unknown[] {
    const issues = this.#ports.issuesOfTool(tool);
    const [issue] = issues;
    if (issue === undefined) return [tool];
    const name = shownToolName(tool);
    if (isRecord(tool) && issues.every(({ path: [member] }) => DISPENSABLE.some((each) => each === member))) {
      for (const part of new Set(issues.map(partOf))) this.#leaveOut(name, { code: 'malformed_part', part });
      return [issues.reduce(withoutPart, tool)];
    }
    this.#leaveOut(name, name === '' ? { code: 'no_name' } : { code: 'malformed', reason: issueText(issue) });
    return [];
  }

  #leaveOut(tool: string, reason: LeftOutReason): void {
    this.#leftOut.push({ tool, reason });
    this.#ports.skipped(leftOutText({ tool, reason }));
  }

  #callResult(result: Record<string, unknown>): Record<string, unknown> {
    // Other kinds of results (`input_required`, a task) are left to the SDK.
    if (result.resultType !== undefined && result.resultType !== 'complete') return result;
    if (!Array.isArray(result.content) && result.resultType === undefined && 'task' in result) return result;
    const content: unknown[] = Array.isArray(result.content) ? result.content : [];
    return {
      ...result,
      content: content
        .map(withPlainBase64)
        .map((block) => (isKnownBlock(block) ? withoutAnnotations(block) : this.#unknownBlock(block))),
      isError: result.isError === true,
    };
  }

  #unknownBlock(block: unknown): Record<string, unknown> {
    this.#ports.skipped(`a block of an unknown type: ${JSON.stringify(block).slice(0, 200)}`);
    return { type: 'text', text: '', _meta: { [UNKNOWN_BLOCK]: block } };
  }
}

/**
 * What a call gives is an object, so a schema that leaves its type out, or gives others besides, can only mean that.
 */
function withRootType(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const inputSchema = tool.inputSchema ?? {};
  if (!isRecord(inputSchema)) return tool;
  const { type } = inputSchema;
  const isObject = type === undefined || type === null || (Array.isArray(type) && type.includes('object'));
  return isObject ? { ...tool, inputSchema: { ...inputSchema, type: 'object' } } : tool;
}

/** One claim that is malformed is no reason to forget the others. */
function partOf({ path: [member, claim] }: SchemaIssue): string {
  return member === 'annotations' && claim !== undefined ? `annotations.${String(claim)}` : String(member);
}

function withoutPart(tool: Record<string, unknown>, { path: [member, claim] }: SchemaIssue): Record<string, unknown> {
  const { [String(member)]: part, ...rest } = tool;
  if (member !== 'annotations' || claim === undefined || !isRecord(part)) return rest;
  const { [String(claim)]: _, ...claims } = part;
  return { ...rest, annotations: claims };
}

const MAX_PATH_LENGTH = 100;

function issueText({ path, message }: SchemaIssue): string {
  return `${visible(shortened(path.map(String).join('.'), MAX_PATH_LENGTH))}: ${visible(message)}`;
}

/** Annotations and icons are only for display; an invalid one must not lose the block. */
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

/**
 * Some libraries write Base64 in lines, some for URLs (RFC 4648, section 5), some without the padding: the bytes are
 * the same.
 */
function withPlainBase64(block: unknown): unknown {
  if (!isRecord(block)) return block;
  if (isRecord(block.resource)) {
    const { blob } = block.resource;
    return typeof blob === 'string' ? { ...block, resource: { ...block.resource, blob: plainBase64(blob) } } : block;
  }
  return typeof block.data === 'string' ? { ...block, data: plainBase64(block.data) } : block;
}

function plainBase64(data: string): string {
  if (isBase64(data)) return data;
  const joined = data.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const padded = joined.includes('=') ? joined : joined.padEnd(Math.ceil(joined.length / 4) * 4, '=');
  return isBase64(padded) ? padded : data;
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
