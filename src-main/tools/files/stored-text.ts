import { isAscii } from 'node:buffer';
import { codecOf, isUnicode, type TextCodec, UnencodableText, unicodeCodec } from '../../base/encoding/codec.ts';
import { markedEncoding } from '../../base/encoding/first-signs.ts';
import { encodingOf, type TextEncoding, UTF_8 } from '../../base/encoding/text-encoding.ts';
import { FileProblem } from '../../base/file-problem.ts';

/** A text as its file stores it; what is written to the file is stored in the same way. */
export class StoredText {
  readonly encoding: TextEncoding;
  readonly codec: TextCodec;
  readonly #bytes: Uint8Array;
  #text: string | undefined;

  constructor(bytes: Uint8Array, encoding: TextEncoding, codec: TextCodec) {
    this.#bytes = bytes;
    this.encoding = encoding;
    this.codec = codec;
  }

  static async of(bytes: Uint8Array): Promise<StoredText> {
    const encoding = await encodingOf(bytes);
    return new StoredText(bytes, encoding, await codecOf(encoding.name));
  }

  /** Judges by the byte order mark alone. */
  static inUnicode(bytes: Uint8Array): StoredText {
    const { name, bomBytes } = markedEncoding(bytes) ?? UTF_8;
    if (!isUnicode(name)) return new StoredText(bytes, UTF_8, unicodeCodec('utf-8'));
    return new StoredText(bytes, { name, bomBytes, from: bomBytes > 0 ? 'mark' : 'valid' }, unicodeCodec(name));
  }

  /** The byte order mark of the text, or nothing. */
  get mark(): Uint8Array {
    return this.#bytes.subarray(0, this.encoding.bomBytes);
  }

  /** The text without the mark. What can't be decoded is U+FFFD. */
  get text(): string {
    this.#text ??= this.codec.decode(this.#bytes.subarray(this.encoding.bomBytes));
    return this.#text;
  }

  /**
   * Whether storing the text again gives the same bytes. Texts in UTF-8 and UTF-16 are never stored again as a whole.
   */
  isExact(): boolean {
    if (isUnicode(this.encoding.name)) return true;
    try {
      return this.codec.encode(this.text).equals(this.#bytes.subarray(this.encoding.bomBytes));
    } catch {
      // Some bytes of the text were U+FFFD, which other encodings don't have.
      return false;
    }
  }
}

/**
 * Encodes new text for the file, without a mark. Throws `FileProblem` "encoding" if the file's encoding can't hold it.
 */
export function encodedFor(text: string, stored: StoredText): Buffer {
  const ascii = asciiIn(stored.encoding, text);
  if (ascii !== undefined) return ascii;
  if (!stored.isExact()) throw notExact(stored.encoding);
  try {
    return stored.codec.encode(text);
  } catch (error) {
    if (!(error instanceof UnencodableText)) throw error;
    throw new FileProblem(
      'encoding',
      `the file is in ${error.message.replace(' has no ', ', which has no ')}; nothing was written. Leave that out, or write the text to a new file, which will be in UTF-8`,
      { cause: error },
    );
  }
}

/**
 * Returns ASCII text as bytes, because it is the same in all encodings that a file without a mark may be in, except for
 * those that this looks at.
 */
function asciiIn({ name }: TextEncoding, text: string): Buffer | undefined {
  if (/^(?:utf-16|utf-32|iso-2022)/.test(name)) return undefined;
  const bytes = Buffer.from(text, 'utf8');
  return isAscii(bytes) ? bytes : undefined;
}

export function notExact({ name }: TextEncoding): FileProblem {
  return new FileProblem(
    'encoding',
    `the file is not UTF-8; it looks like ${name}, but not all of its bytes are valid in that, so text in it can't be changed safely. Nothing was written; write to a new file instead`,
  );
}

/** Returns the bytes of a file that is replaced: encoded as before, but UTF-8 gets no mark. */
export function bytesReplacing(text: string, before: StoredText | undefined): Buffer {
  if (before === undefined || before.encoding.name === 'utf-8') return Buffer.from(text, 'utf8');
  return text === '' ? Buffer.alloc(0) : Buffer.concat([before.mark, encodedFor(text, before)]);
}
