import { encodeText, encodingOf } from './text-encoding.ts';

export interface TextEdit {
  /** Not empty. */
  readonly find: string;
  readonly replacement: string;
  /** Every occurrence, not just the first. */
  readonly all: boolean;
}

export interface EditedBytes {
  readonly bytes: Buffer;
  readonly replaced: number;
  /** Remaining occurrences. */
  readonly left: number;
}

/**
 * Replaces text literally in a file of any encoding; all other bytes are preserved, even those that are not valid text. In a file with
 * `\r\n` throughout, and wherever the text matches only if `\r\n` and `\n` count as equal, the replacement gets the existing line ends.
 * `null`: the text is not in the file. Source: tool catalogue B.1, edit.
 */
export function editBytes(bytes: Buffer, { find, replacement, all }: TextEdit): EditedBytes | null {
  // An unpaired surrogate would be stored as U+FFFD, and match existing ones.
  if (/\p{Surrogate}/u.test(find)) return null;
  const { name, bomBytes } = encodingOf(bytes);
  // One character per unit of the encoding, so that everything in the file survives the round trip.
  const units = name === 'utf-8' ? 'latin1' : 'utf16le';
  const inUnits = (text: string) => (name === 'utf-8' ? encodeText(text, { name }).toString(units) : text);
  const wholeUnits = name === 'utf-8' ? bytes.length : bytes.length - ((bytes.length - bomBytes) % 2);
  const body = Buffer.from(bytes.subarray(bomBytes, wholeUnits));
  const text = (name === 'utf-16be' ? body.swap16() : body).toString(units);

  const { pieces, count } = replaceIn(text, inUnits(find), inUnits(replacement), all);
  if (count === 0) return null;
  const replaced = all ? count : 1;
  const edited = Buffer.from(pieces.join(''), units);
  const stored = name === 'utf-16be' ? edited.swap16() : edited;
  return {
    bytes: Buffer.concat([bytes.subarray(0, bomBytes), stored, bytes.subarray(wholeUnits)]),
    replaced,
    left: count - replaced,
  };
}

interface Replaced {
  /** The new text. */
  readonly pieces: readonly string[];
  /** Occurrences of the text, replaced or not. */
  readonly count: number;
}

function replaceIn(text: string, find: string, replacement: string, all: boolean): Replaced {
  if (!find.includes('\r') && hasOnlyCrlf(text))
    return replaceLiterally(text, withLineEnds(find, '\r\n'), withLineEnds(replacement, '\r\n'), all);
  const literally = replaceLiterally(text, find, replacement, all);
  if (literally.count > 0 || !find.includes('\n')) return literally;
  return replaceAcrossLineEnds(text, find, replacement, all);
}

function replaceLiterally(text: string, find: string, replacement: string, all: boolean): Replaced {
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

function replaceAcrossLineEnds(text: string, find: string, replacement: string, all: boolean): Replaced {
  const plainText = withLineEnds(text, '\n');
  const plainFind = withLineEnds(find, '\n');
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

/** Maps positions in a text whose `\r\n` became `\n` to positions in the original; must be called in ascending order. */
class OriginalPlaces {
  readonly #text: string;
  /** Number of `\r\n` before the last position, and the position of the next one. */
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
