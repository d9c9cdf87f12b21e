import { isUtf8 } from 'node:buffer';
import { kindOfFile } from '../file-kind.ts';
import { codecOf, encodingNamed } from './codec.ts';
import { escapedJapanese, isMostlyUtf8, markedEncoding, unmarkedUtf16 } from './first-signs.ts';
import { guessedEncoding, sampleOf } from './guess.ts';

/** How a text is stored in bytes. */
export interface TextEncoding {
  /**
   * The name in lower case, from https://encoding.spec.whatwg.org/#names-and-labels or from the older code pages in
   * `codec.ts`.
   */
  readonly name: string;
  /** The length of the byte order mark. */
  readonly bomBytes: number;
  /**
   * How the encoding is known: from the byte order `mark`, from what a header or the text `stated`, because the bytes
   * are `valid` UTF-8, or by a `guess` from the bytes, which may be wrong.
   */
  readonly from: 'mark' | 'stated' | 'valid' | 'guess';
}

export interface DecodedText {
  /** The text without the byte order mark. What can't be decoded is U+FFFD. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** The encoding of a text that states none and is empty or ASCII. */
export const UTF_8: TextEncoding = { name: 'utf-8', bomBytes: 0, from: 'valid' };

/**
 * The encoding of a text. A byte order mark decides. If there is none, the first known of the stated labels does. If
 * none is known, valid UTF-8 is UTF-8, and anything else is what a detector finds, which is windows-1252 if it finds
 * nothing. Sources: tool catalogue B.1 and B.3, https://encoding.spec.whatwg.org/#decode.
 */
export async function encodingOf(
  bytes: Uint8Array,
  stated: readonly (string | undefined)[] = [],
): Promise<TextEncoding> {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return { ...marked, from: 'mark' };
  for (const label of stated) {
    const name = label === undefined ? undefined : await encodingNamed(label);
    if (name !== undefined) return { name, bomBytes: 0, from: 'stated' };
  }
  if (isUtf8(bytes) && !bytes.includes(0) && !bytes.includes(ESCAPE)) return UTF_8;
  const isUnknown = !isUtf8(bytes) && kindOfFile(bytes) === undefined;
  return signedEncoding(bytes) ?? (isUnknown ? encodingOfSample(sampleOf(bytes)) : UTF_8);
}

const ESCAPE = 0x1b;

/** What the beginning of a text says about its encoding. */
export function signedEncoding(head: Uint8Array): TextEncoding | undefined {
  const marked = markedEncoding(head);
  if (marked !== undefined) return { ...marked, from: 'mark' };
  const name = unmarkedUtf16(head) ?? escapedJapanese(head);
  return name === undefined ? undefined : { name, bomBytes: 0, from: 'guess' };
}

/** Guesses the encoding of a text that is not valid UTF-8 from its `sampleOf`. */
export async function encodingOfSample(sample: Uint8Array): Promise<TextEncoding> {
  const name = isMostlyUtf8(sample) ? 'utf-8' : await guessedEncoding(sample);
  return { name, bomBytes: 0, from: 'guess' };
}

/** The text that the bytes stand for; see `encodingOf`. */
export async function decodeText(
  bytes: Uint8Array,
  stated: readonly (string | undefined)[] = [],
): Promise<DecodedText> {
  const encoding = await encodingOf(bytes, stated);
  const codec = await codecOf(encoding.name);
  return { text: codec.decode(bytes.subarray(encoding.bomBytes)), encoding };
}
