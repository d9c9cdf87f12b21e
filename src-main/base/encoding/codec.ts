import { TextDecoder as NativeDecoder } from 'node:util';
import { ownValue } from '../json.ts';

/** Turns bytes of one encoding into text and back. */
export interface TextCodec {
  /** Invalid bytes become U+FFFD. A byte order mark is not removed. */
  readonly decode: (bytes: Uint8Array) => string;
  /** A decoder for a text that arrives in parts. */
  readonly decoder: () => PartDecoder;
  /** Throws `UnencodableText`; what it returns decodes to the same text. */
  readonly encode: (text: string) => Buffer;
}

export interface PartDecoder {
  readonly write: (part: Uint8Array) => string;
  readonly end: () => string;
}

/** A text has a character that an encoding doesn't have. */
export class UnencodableText extends Error {
  override readonly name = 'UnencodableText';
  readonly character: string;
  readonly encoding: string;

  constructor(character: string, encoding: string) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    super(`${encoding} has no ${character} (U+${code})`);
    this.character = character;
    this.encoding = encoding;
  }
}

/**
 * What files have beyond the Encoding Standard, with its name in iconv-lite: the commonest code pages of DOS and the
 * classic Mac OS, and UTF-32.
 */
const OTHER_ENCODINGS: Readonly<Record<string, string>> = {
  cp437: 'cp437',
  cp850: 'cp850',
  cp852: 'cp852',
  cp855: 'cp855',
  cp858: 'cp858',
  'x-mac-ce': 'maccenteuro',
  'utf-32le': 'utf-32le',
  'utf-32be': 'utf-32be',
};

/**
 * The name of the encoding that a label stands for, or undefined if it is unknown:
 * https://encoding.spec.whatwg.org/#concept-encoding-get.
 */
export async function encodingNamed(label: string): Promise<string | undefined> {
  const { normalizeEncoding } = await import('@exodus/bytes/encoding.js');
  const name = normalizeEncoding(label);
  // Stands for encodings that are dangerous in pages; its decoder gives nothing but U+FFFD.
  if (name === 'replacement') return undefined;
  if (name !== null) return name;
  const other = label
    .trim()
    .toLowerCase()
    .replace(/^ibm-?(?=\d)/, 'cp');
  return Object.hasOwn(OTHER_ENCODINGS, other) ? other : undefined;
}

export type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be';

export function isUnicode(name: string): name is Unicode {
  return name === 'utf-8' || name === 'utf-16le' || name === 'utf-16be';
}

/** `name` is that of a `TextEncoding`. */
export async function codecOf(name: string): Promise<TextCodec> {
  if (isUnicode(name)) return unicodeCodec(name);
  const other = ownValue(OTHER_ENCODINGS, name);
  return checked(name, other === undefined ? await standardCodec(name) : await otherCodec(other));
}

/** Uses the runtime's codec, which is right for these encodings. */
export function unicodeCodec(name: Unicode): TextCodec {
  return {
    ...decodingBy(() => new NativeDecoder(name, { ignoreBOM: true })),
    encode: (text) => {
      if (name === 'utf-8') return Buffer.from(text, 'utf8');
      const bytes = Buffer.from(text, 'utf16le');
      return name === 'utf-16be' ? bytes.swap16() : bytes;
    },
  };
}

type Decoding = Pick<TextCodec, 'decode' | 'decoder'>;

interface Decoder {
  decode(input?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

function decodingBy(start: () => Decoder): Decoding {
  return {
    decode: (bytes) => start().decode(bytes),
    decoder: () => {
      const decoder = start();
      return { write: (part) => decoder.decode(part, { stream: true }), end: () => decoder.decode() };
    },
  };
}

/**
 * This does not use the runtime's own decoder, because Node's deviates from the standard, in windows-1252 until version
 * 24.
 */
async function standardCodec(name: string): Promise<TextCodec> {
  const { TextDecoder } = await import('@exodus/bytes/encoding.js');
  const decoding = decodingBy(() => new TextDecoder(name));
  if (!MULTI_BYTE.has(name)) {
    const { createSinglebyteEncoder } = await import('@exodus/bytes/single-byte.js');
    return { ...decoding, encode: (text) => Buffer.from(createSinglebyteEncoder(name)(text)) };
  }
  const { createMultibyteEncoder } = await import('@exodus/bytes/multi-byte.js');
  return { ...decoding, encode: (text) => Buffer.from(createMultibyteEncoder(name)(text)) };
}

const MULTI_BYTE = new Set(['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'iso-2022-jp', 'shift_jis']);

async function otherCodec(name: string): Promise<TextCodec> {
  const { default: iconv } = await import('iconv-lite');
  const withMark = { stripBOM: false };
  return {
    decode: (bytes) => iconv.decode(Buffer.from(bytes), name, withMark),
    decoder: () => {
      const decoder = iconv.getDecoder(name, withMark);
      return { write: (part) => decoder.write(Buffer.from(part)), end: () => decoder.end() ?? '' };
    },
    encode: (text) => iconv.encode(text, name),
  };
}

/** Encoders replace what they don't have, by `?` or by something similar, or throw without saying what it was. */
function checked(name: string, { encode, ...decoding }: TextCodec): TextCodec {
  const encoded = (text: string): Buffer | undefined => {
    try {
      const bytes = encode(text);
      return decoding.decode(bytes) === text ? bytes : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    ...decoding,
    encode: (text) => {
      const bytes = encoded(text);
      if (bytes !== undefined) return bytes;
      const missing = [...new Set(text)].find((character) => encoded(character) === undefined);
      throw new UnencodableText(missing ?? text.slice(0, 1), name);
    },
  };
}
