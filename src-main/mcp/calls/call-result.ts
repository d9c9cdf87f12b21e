import { isRecord } from '../../base/json.ts';
import { UNKNOWN_BLOCK } from '../messages/message-mending.ts';

/** Part of a tool's result. `data` is Base64. */
export type CallPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mediaType: string; readonly data: string }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mediaType?: string;
      readonly text?: string;
      readonly data?: string;
    }
  | { readonly type: 'resource-link'; readonly uri: string; readonly name: string; readonly mediaType?: string }
  /** An unknown block type. */
  | { readonly type: 'unknown'; readonly block: unknown };

export interface CallResult {
  readonly isError: boolean;
  readonly parts: readonly CallPart[];
  /** Absent if the tool returned none. */
  readonly structuredContent?: unknown;
}

/** The SDK's result, already repaired by `MessageMending`. */
export function callResult(result: {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}): CallResult {
  const content: unknown[] = Array.isArray(result.content) ? result.content : [];
  return {
    isError: result.isError === true,
    parts: content.map(callPart),
    ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
  };
}

/** The text for the model. Source: tool catalogue C.5. */
export function resultText({ parts, structuredContent }: CallResult): string {
  const hasText = parts.some((each) => each.type === 'text' || (each.type === 'resource' && each.text !== undefined));
  const lines = parts.flatMap((each) => partText(each) ?? []);
  if (!hasText && structuredContent !== undefined) lines.push(JSON.stringify(structuredContent));
  return lines.length === 0 ? '(no output)' : lines.join('\n');
}

/** An MCP content block. */
export function callPart(block: unknown): CallPart {
  if (!isRecord(block)) return { type: 'unknown', block };
  const { type, _meta: meta } = block;
  if (isRecord(meta) && UNKNOWN_BLOCK in meta) return { type: 'unknown', block: meta[UNKNOWN_BLOCK] };
  if (type === 'text') return { type, text: String(block.text) };
  if (type === 'image' || type === 'audio')
    return { type, mediaType: String(block.mimeType), data: String(block.data) };
  if (type === 'resource_link') {
    return { type: 'resource-link', uri: String(block.uri), name: String(block.name), ...mediaTypeOf(block) };
  }
  if (type === 'resource' && isRecord(block.resource)) {
    const { uri, text, blob } = block.resource;
    const content = typeof text === 'string' ? { text } : { data: String(blob) };
    return { type, uri: String(uri), ...mediaTypeOf(block.resource), ...content };
  }
  return { type: 'unknown', block };
}

function mediaTypeOf({ mimeType }: Readonly<Record<string, unknown>>): { mediaType?: string } {
  return typeof mimeType === 'string' ? { mediaType: mimeType } : {};
}

/** The text for the model; `undefined` if there is none. */
export function partText(each: CallPart): string | undefined {
  switch (each.type) {
    case 'text':
      return each.text;
    case 'image':
    case 'audio':
      return `[${each.type}: ${each.mediaType}, ${Buffer.byteLength(each.data, 'base64')} bytes]`;
    case 'resource':
      return each.text ?? `[resource: ${each.uri}]`;
    case 'resource-link':
      return `[resource: ${each.uri}]`;
    case 'unknown':
      return undefined;
  }
}
