import { TextDecoder } from 'node:util';
/** A text file's encoding, determined by its byte order mark alone. Source: tool catalogue B.1, read_file. */
export interface TextEncoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly bomBytes: 0 | 2 | 3;
}

export function encodingOf(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return { name: 'utf-16le', bomBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { name: 'utf-16be', bomBytes: 2 };
  const hasUtf8Bom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return { name: 'utf-8', bomBytes: hasUtf8Bom ? 3 : 0 };
}

/** The text without its byte order mark; invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoderFor(bytes).decode(bytes);
}

/** For a text that arrives in parts; `head` is its beginning. The decoder removes the byte order mark itself. */
export function decoderFor(head: Uint8Array): TextDecoder {
  return new TextDecoder(encodingOf(head).name);
}

/** Without a byte order mark. */
export function encodeText(text: string, { name }: Pick<TextEncoding, 'name'>): Buffer {
  if (name === 'utf-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return name === 'utf-16be' ? bytes.swap16() : bytes;
}

const SNIFFED_BYTES = 8192;

/** Whether there is a NUL byte near the beginning, in a file that is not UTF-16. */
export function looksBinary(bytes: Uint8Array): boolean {
  return encodingOf(bytes).name === 'utf-8' && bytes.subarray(0, SNIFFED_BYTES).includes(0);
}
