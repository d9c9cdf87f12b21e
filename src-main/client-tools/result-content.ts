import type { ResultPart } from '../../src-preload/contract/content-blocks.ts';
import type { ToolResult } from '../tools/contract.ts';
import { isBlank } from './client-state.ts';
import type { ClientContent, HostResponse } from './records.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Pictures that models take; see `ImageBlock`. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BAD_BINARY = 'Error: invalid binary content from client';

/** What the model is given for a client's answer. Source: tool catalogue D.5, D.6. */
export function resultOf({ success, errorMessage, content, outcome }: HostResponse): ToolResult {
  const failed = failure(`Error: ${isBlank(errorMessage) ? 'Unknown error' : errorMessage}`);
  if (!success) return outcome === undefined ? failed : { ...failed, outcome };
  if (content.some((item) => item.type === 'binary' && !isBase64(item.data))) return failure(BAD_BINARY);
  const text = content.map(textOf).join('\n');
  if (!content.some(isPicture)) return { text, isError: false };
  return { text, isError: false, parts: partsOf(content) };
}

/** Splits the content at its pictures, with the text between them. */
function partsOf(content: readonly ClientContent[]): readonly ResultPart[] {
  const parts: ResultPart[] = [];
  for (const item of content) {
    const last = parts.at(-1);
    if (isPicture(item)) parts.push({ type: 'image', mediaType: item.mimeType.toLowerCase(), data: item.data });
    else if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: `${last.text}\n${textOf(item)}` };
    else parts.push({ type: 'text', text: textOf(item) });
  }
  return parts;
}

function textOf(item: ClientContent): string {
  switch (item.type) {
    case 'text':
      return item.text;
    case 'json':
      return JSON.stringify(item.value) ?? 'null';
    case 'binary': {
      const bytes = Buffer.from(item.data, 'base64').byteLength;
      const name = isBlank(item.filename) ? item.mimeType : item.filename;
      return `[binary: ${name}, ${bytes} bytes]`;
    }
  }
}

function isPicture(item: ClientContent): item is Extract<ClientContent, { type: 'binary' }> {
  return item.type === 'binary' && PICTURES.has(item.mimeType.toLowerCase()) && item.data !== '';
}

/** Padding may be left out. */
function isBase64(data: string): boolean {
  if (!BASE64.test(data)) return false;
  return data.endsWith('=') ? data.length % 4 === 0 : data.length % 4 !== 1;
}

function failure(text: string): ToolResult {
  return { text, isError: true };
}
