import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** The encoding that a byte order mark stands for: https://encoding.spec.whatwg.org/#bom-sniff, and UTF-32. */
export function markedEncoding(head: Uint8Array): { readonly name: string; readonly bomBytes: number } | undefined {
  const starts = (...mark: readonly number[]) => mark.every((byte, place) => head[place] === byte);
  if (starts(0xef, 0xbb, 0xbf)) return { name: 'utf-8', bomBytes: 3 };
  if (starts(0xff, 0xfe, 0, 0) && isUtf32(head, 3)) return { name: 'utf-32le', bomBytes: 4 };
  if (starts(0, 0, 0xfe, 0xff) && isUtf32(head, 0)) return { name: 'utf-32be', bomBytes: 4 };
  if (starts(0xff, 0xfe)) return { name: 'utf-16le', bomBytes: 2 };
  if (starts(0xfe, 0xff)) return { name: 'utf-16be', bomBytes: 2 };
  return undefined;
}

const SNIFFED_BYTES = 8192;

/** No character has a value above 0x10ffff, so one byte in four is 0. */
function isUtf32(bytes: Uint8Array, highest: 0 | 3): boolean {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  return bytes.length % 4 === 0 && head.every((byte, place) => place % 4 !== highest || byte === 0);
}

/** Whether there is a NUL byte near the beginning, in what is neither UTF-16 nor UTF-32. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (!bytes.subarray(0, SNIFFED_BYTES).includes(0)) return false;
  const marked = markedEncoding(bytes)?.name;
  return (marked === undefined || marked === 'utf-8') && unmarkedUtf16(bytes) === undefined;
}

/**
 * What no text has: control characters, halves of pairs, private characters, and code points that stand for nothing.
 */
const NOT_IN_TEXT = /(?![\t\n\f\r])\p{Cc}|[\p{Cs}\p{Co}\p{Cn}]/u;

/**
 * UTF-16 without a byte order mark: it has NUL bytes, in its blanks, line ends and Latin letters, and all of it is
 * text. Such bytes can also be valid UTF-8 with many NULs, which no text has.
 */
export function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const head = Buffer.from(bytes.subarray(0, SNIFFED_BYTES));
  if (!head.includes(0) || bytes.length % 2 === 1 || isPartedByNuls(head)) return undefined;
  const little = asciiIn(head);
  const big = asciiIn(Buffer.from(head).swap16());
  if (little === 0 && big === 0) return undefined;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

/**
 * UTF-8 but for single NULs between its texts, as in lists that programs pass to each other. In UTF-16 every other byte
 * would be one.
 */
export function isPartedByNuls(head: Buffer): boolean {
  const parts = head.toString('utf8').split('\0');
  return parts.length <= head.length * 0.4 && !/(?![\t\n\f\r])\p{Cc}|\ufffd(?!$)/u.test(parts.join(' '));
}

/** ASCII characters; 0 if it is not text. */
function asciiIn(head: Buffer): number {
  // The last pair may have been cut.
  const text = head.toString('utf16le').replace(/[\ud800-\udbff]$/, '');
  return NOT_IN_TEXT.test(text) ? 0 : (text.match(/\p{ASCII}/gu) ?? []).length;
}

/** Escape sequences that switch to Japanese characters, in bytes that are otherwise ASCII. */
export function escapedJapanese(bytes: Uint8Array): 'iso-2022-jp' | undefined {
  if (!isAscii(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ESCAPES_TO_JAPANESE.some((sequence) => text.includes(sequence)) ? 'iso-2022-jp' : undefined;
}

/** These sequences switch to JIS X 0208, in both editions. */
const ESCAPES_TO_JAPANESE = ['\u001b$@', '\u001b$B'];

/**
 * Whether most characters beyond ASCII are valid UTF-8, as in a file that was cut, or where a program left a few bad
 * bytes.
 */
export function isMostlyUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample);
  let valid = 0;
  let invalid = 0;
  for (const character of text) {
    if (character === '\ufffd') invalid++;
    else if (character > '\u007f') valid++;
  }
  return valid > invalid;
}
