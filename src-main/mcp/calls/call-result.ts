import { isRecord } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';
import { UNKNOWN_BLOCK } from '../messages/message-mending.ts';
import { type HeldBytes, structuredText, withoutHeld } from './structured-text.ts';

const MAX_TYPE_LENGTH = 100;

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
  | {
      readonly type: 'resource-link';
      readonly uri: string;
      readonly name: string;
      readonly description?: string;
      readonly mediaType?: string;
      /** Bytes, as the server says. */
      readonly size?: number;
    }
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
  const hasText = parts.some((each) => 'text' in each && each.text !== undefined && each.text.trim() !== '');
  const structured = hasText ? undefined : structuredText(structuredContent, heldIn(parts));
  const lines = parts.flatMap((each) => textBeside(each, parts) ?? []);
  if (structured !== undefined) return [...lines.filter((line) => line.trim() !== ''), structured].join('\n');
  if (lines.length === 0 && parts.length > 0) return parts.map(unknownText).join('\n');
  return lines.length === 0 ? '(no output)' : lines.join('\n');
}

/** What a result consists of when nothing in it can be read: `(no output)` would be wrong. */
function unknownText(part: CallPart): string {
  const type = part.type === 'unknown' && isRecord(part.block) ? part.block.type : undefined;
  return typeof type === 'string' ? `[${shortened(type, MAX_TYPE_LENGTH)}: cannot be read]` : '[cannot be read]';
}

/** The text of a part in which the bytes of the others are not repeated. */
export function textBeside(part: CallPart, parts: readonly CallPart[]): string | undefined {
  const text = partText(part);
  return part.type !== 'text' || text === undefined ? text : withoutHeld(text, heldIn(parts));
}

/** The bytes in blocks, with the text that names each. */
function heldIn(parts: readonly CallPart[]): readonly HeldBytes[] {
  return parts.flatMap((part) => {
    const base64 = 'data' in part ? part.data : undefined;
    const text = partText(part);
    return base64 === undefined || text === undefined ? [] : [{ base64, text }];
  });
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
    const { uri, name, description, size } = block;
    return {
      type: 'resource-link',
      uri: String(uri),
      name: String(name),
      ...mediaTypeOf(block),
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof size === 'number' ? { size } : {}),
    };
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
      return (
        each.text ?? `[resource: ${each.uri}]${facts(each.mediaType, Buffer.byteLength(each.data ?? '', 'base64'))}`
      );
    case 'resource-link': {
      const name = each.uri.endsWith(`/${each.name}`) ? '' : each.name;
      const said = [name, each.description].filter((text) => text !== undefined && text.trim() !== '');
      const words = said.length === 0 ? '' : ` ${said.join(': ')}`;
      return `[resource: ${each.uri}]${words}${facts(each.mediaType, each.size)}`;
    }
    case 'unknown':
      return undefined;
  }
}

function facts(mediaType: string | undefined, bytes: number | undefined): string {
  const known = [mediaType, bytes === undefined ? undefined : `${bytes} bytes`].filter((fact) => fact !== undefined);
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}
