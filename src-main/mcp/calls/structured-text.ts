import { isRecord } from '../../base/json.ts';

/** The bytes of a block, and the text that names them in the result. */
export interface HeldBytes {
  readonly base64: string;
  readonly text: string;
}

/** A shorter text may be something else than the bytes that it happens to equal. */
const SHORTEST_HELD = 64;
const MAX_BASE64 = 1_024;
const SHORTEST_LINE = 60;
const URL_BEFORE = /data:[^\s,;"'<>()]{0,100}(?:;[^\s,;"'<>()]{1,100}){0,5};base64,$/;
/** Members that say about bytes what the text that names them says. */
const ABOUT_BYTES: ReadonlySet<string> = new Set(['type', 'mimeType', 'mediaType', 'uri', 'annotations', '_meta']);

/**
 * The structured content as compact JSON, without what the blocks contain already and without Base64. Undefined if
 * nothing is left. Source: tool catalogue C.5.
 */
export function structuredText(content: unknown, held: readonly HeldBytes[]): string | undefined {
  if (content === undefined) return undefined;
  const left = remaining(content, new Set(held.map(({ base64 }) => base64)));
  return left === undefined ? undefined : JSON.stringify(left);
}

/** A text with the names of bytes in place of the same bytes as Base64. */
export function withoutHeld(text: string, held: readonly HeldBytes[]): string {
  return held
    .filter(({ base64 }) => base64.length >= SHORTEST_HELD)
    .reduce((left, { base64, text: name }) => withName(left, base64, name), text);
}

/** Puts the name in the place of the content. In a data URL, it replaces the whole URL. */
function withName(text: string, base64: string, name: string): string {
  const pieces = text.split(base64);
  const last = pieces.pop() ?? '';
  return [...pieces.map((piece) => piece.replace(URL_BEFORE, '')), last].join(name);
}

/** What the blocks don't hold, or undefined if they hold all of it. */
function remaining(value: unknown, held: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return remainingText(value, held);
  if (Array.isArray(value)) {
    const left = value.map((item) => remaining(item, held)).filter((item) => item !== undefined);
    return left.length === 0 && value.length > 0 ? undefined : left;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, remaining(member, held)] as const);
  const left = members.filter(([, member]) => member !== undefined);
  const isHeld = left.length < members.length && left.every(([name]) => ABOUT_BYTES.has(name));
  return isHeld ? undefined : Object.fromEntries(left);
}

function remainingText(text: string, held: ReadonlySet<string>): string | undefined {
  const [, mediaType, inUrl] = /^data:([^,;]*)(?=;)[^,]*;base64,(.*)$/s.exec(text) ?? [];
  const base64 = inUrl ?? text;
  if (held.has(base64)) return undefined;
  if (base64.length <= MAX_BASE64 || !isBase64(base64)) return text;
  return `[${mediaType || 'Base64'}, ${Buffer.byteLength(base64.replace(/\s/g, ''), 'base64')} bytes]`;
}

/** Whether this is Base64, in one piece or in lines as in mail. A list of words has shorter lines. */
function isBase64(text: string): boolean {
  const lines = text.trimEnd().split(/\r?\n/);
  const areLong = lines.slice(0, -1).every((line) => line.length >= SHORTEST_LINE);
  return areLong && lines.every((line) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(line));
}
