import { isUnicode } from '../../base/encoding/codec.ts';
import { FileProblem } from '../../base/file-problem.ts';
import { grouped } from '../../base/text.ts';
import { MAX_READ_BYTES } from './read-text.ts';
import { encodedFor, notExact, StoredText } from './stored-text.ts';

/** Nobody looks through so many places. */
const MAX_PLACES = 1_000_000;

export interface TextEdit {
  /** The text to be found, which is not empty. */
  readonly find: string;
  readonly replacement: string;
  /** Whether to replace every occurrence, not just the first. */
  readonly all: boolean;
}

export interface EditedBytes {
  readonly bytes: Buffer;
  readonly replaced: number;
  /** How many occurrences remain. */
  readonly left: number;
}

/**
 * Replaces text literally in a file of any encoding; all other bytes are preserved, even those that are not valid text.
 * In a file with `\r\n` throughout, and wherever the text matches only if `\r\n` and `\n` count as equal, the
 * replacement gets the existing line ends. Returns `null` if the text is not in the file. `stored` is the text of these
 * bytes; by default it is UTF-16 if they are marked so, else UTF-8. Throws `FileProblem` "encoding". Source: tool
 * catalogue B.1, edit.
 */
export function editBytes(
  bytes: Buffer,
  { find, replacement, all }: TextEdit,
  stored = StoredText.inUnicode(bytes),
): EditedBytes | null {
  // An unpaired surrogate would be stored as U+FFFD, and match existing ones.
  if (/\p{Surrogate}/u.test(find)) return null;
  const units = isUnicode(stored.encoding.name) ? unicodeUnits(bytes, stored) : characterUnits(stored);
  const { pieces, count } = replaceIn(units.text, {
    find: units.of(find),
    replacement: units.of(replacement),
    all,
    maxLength: MAX_READ_BYTES / units.bytes,
  });
  if (count === 0) return null;
  const replaced = all ? count : 1;
  const edited = Buffer.concat([stored.mark, units.stored(pieces.join(''))]);
  return { bytes: edited, replaced, left: count - replaced };
}

/** A file's text in units that survive the round trip. */
interface Units {
  readonly text: string;
  /** The number of bytes of the smallest unit. */
  readonly bytes: number;
  readonly of: (text: string) => string;
  readonly stored: (units: string) => Uint8Array;
}

/** Takes one character per unit of the encoding, so that bytes which are not valid text survive, too. */
function unicodeUnits(bytes: Buffer, { encoding: { name, bomBytes } }: StoredText): Units {
  const units = name === 'utf-8' ? 'latin1' : 'utf16le';
  const wholeUnits = name === 'utf-8' ? bytes.length : bytes.length - ((bytes.length - bomBytes) % 2);
  const swapped = (body: Buffer) => (name === 'utf-16be' ? body.swap16() : body);
  return {
    bytes: name === 'utf-8' ? 1 : 2,
    text: swapped(Buffer.from(bytes.subarray(bomBytes, wholeUnits))).toString(units),
    of: (text) => (name === 'utf-8' ? Buffer.from(text, 'utf8').toString(units) : text),
    stored: (text) => Buffer.concat([swapped(Buffer.from(text, units)), bytes.subarray(wholeUnits)]),
  };
}

/** In other encodings a character's bytes can look like other characters. */
function characterUnits(stored: StoredText): Units {
  if (!stored.isExact()) throw notExact(stored.encoding);
  return { bytes: 1, text: stored.text, of: (text) => text, stored: (text) => encodedFor(text, stored) };
}

interface Replaced {
  /** The new text. */
  readonly pieces: readonly string[];
  /** The number of occurrences of the text, replaced or not. */
  readonly count: number;
}

interface UnitEdit extends TextEdit {
  /** The most characters that the text may have afterwards. */
  readonly maxLength: number;
}

function replaceIn(text: string, edit: UnitEdit): Replaced {
  const { find, replacement } = edit;
  if (!find.includes('\r') && hasOnlyCrlf(text))
    return replaceLiterally(text, {
      ...edit,
      find: withLineEnds(find, '\r\n'),
      replacement: withLineEnds(replacement, '\r\n'),
    });
  const literally = replaceLiterally(text, edit);
  if (literally.count > 0 || !find.includes('\n')) return literally;
  return replaceAcrossLineEnds(text, edit);
}

/** Called before a longer text is made, or a list of millions of pieces. */
function requireBounded(text: string, find: string, { replacement, all, maxLength }: UnitEdit): void {
  let count = 0;
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + find.length)) {
    count++;
    if (all && count > MAX_PLACES) {
      const most = grouped(MAX_PLACES);
      throw new FileProblem('too-large', `the text is in the file more than ${most} times, more than can be counted`);
    }
  }
  const replaced = all ? count : Math.min(count, 1);
  // Line ends may take one more unit each.
  const most = replacement.length + (find.includes('\n') ? replacement.split('\n').length : 0);
  if (replaced > 0 && text.length + replaced * (most - find.length) > maxLength) {
    throw new FileProblem(
      'too-large',
      `the file would have more than the ${grouped(MAX_READ_BYTES)} bytes that can be edited`,
    );
  }
}

function replaceLiterally(text: string, edit: UnitEdit): Replaced {
  const { find, replacement, all } = edit;
  requireBounded(text, find, edit);
  const pieces: string[] = [];
  let count = 0;
  let kept = 0;
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + find.length)) {
    count++;
    if (!all && count > 1) continue;
    pieces.push(text.slice(kept, at), replacement);
    kept = at + find.length;
  }
  pieces.push(text.slice(kept));
  return { pieces, count };
}

function replaceAcrossLineEnds(text: string, edit: UnitEdit): Replaced {
  const { find, replacement, all } = edit;
  const plainText = withLineEnds(text, '\n');
  const plainFind = withLineEnds(find, '\n');
  requireBounded(plainText, plainFind, edit);
  const original = new OriginalPlaces(text);
  const pieces: string[] = [];
  let count = 0;
  let kept = 0;
  for (let at = plainText.indexOf(plainFind); at !== -1; at = plainText.indexOf(plainFind, at + plainFind.length)) {
    count++;
    if (!all && count > 1) continue;
    const start = original.of(at);
    const end = original.of(at + plainFind.length);
    const lineEnd = text.slice(start, end).includes('\r\n') ? '\r\n' : '\n';
    pieces.push(text.slice(kept, start), withLineEnds(replacement, lineEnd));
    kept = end;
  }
  pieces.push(text.slice(kept));
  return { pieces, count };
}

/**
 * Maps positions in a text whose `\r\n` became `\n` to positions in the original; must be called in ascending order.
 */
class OriginalPlaces {
  readonly #text: string;
  /** The number of `\r\n` before the last position, and the position of the next one. */
  #passed = 0;
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = text.indexOf('\r\n');
  }

  of(place: number): number {
    while (this.#next !== -1 && this.#next - this.#passed < place) {
      this.#passed++;
      this.#next = this.#text.indexOf('\r\n', this.#next + 2);
    }
    return place + this.#passed;
  }
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

function withLineEnds(text: string, lineEnd: '\n' | '\r\n'): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd);
}
