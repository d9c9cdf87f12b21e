import { isAscii } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { codecOf, type PartDecoder } from '../../base/encoding/codec.ts';
import { sampleOf } from '../../base/encoding/guess.ts';
import {
  type DecodedText,
  decodeText,
  encodingOfSample,
  signedEncoding,
  type TextEncoding,
  UTF_8,
} from '../../base/encoding/text-encoding.ts';
import { kindOfFile } from '../../base/file-kind.ts';
import { FileProblem } from '../../base/file-problem.ts';
import { grouped } from '../../base/text.ts';
import { requireText } from './not-text.ts';
import type { OpenFile } from './regular-file.ts';

/** The most bytes of one file that are held at once. */
export const MAX_READ_BYTES = 100 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** The bytes per read of a file that is read as a whole; Stop is checked between two reads. */
const STEP_BYTES = 8 * 1024 * 1024;

export interface LineRange {
  /** The first line, 1-based. */
  readonly offset: number;
  /** The number of lines; a negative number means all that remain. */
  readonly limit: number;
}

/** Reads all bytes of an open file, whatever size it reports. Throws `FileProblem` ("too-large") beyond the limit. */
export async function readAllBytes({ handle, stats: { size } }: OpenFile, signal: AbortSignal): Promise<Buffer> {
  if (size > MAX_READ_BYTES) throw tooLarge(`the file has ${grouped(size)} bytes`);
  // One byte more than the reported size: a read that leaves it free has reached the end, which saves another read.
  let bytes = Buffer.allocUnsafe(size > 0 ? size + 1 : CHUNK_BYTES);
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const room = Math.min(bytes.length - total, STEP_BYTES);
    const { bytesRead } = await handle.read(bytes, total, room, null);
    total += bytesRead;
    // Generated files (as in /proc) do not report their size.
    if (total > MAX_READ_BYTES) throw tooLarge('the file goes on');
    if (bytesRead === 0 || (size > 0 && bytesRead < room && total >= size)) return bytes.subarray(0, total);
    if (total === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * total, MAX_READ_BYTES + 1));
  }
}

/** Reads all of a file, or some of its lines. Throws `FileProblem`. */
export async function readFileText(file: OpenFile, lines: LineRange, signal: AbortSignal): Promise<DecodedText> {
  const { size } = file.stats;
  if (!wantsAll(lines) && (size === 0 || size > CHUNK_BYTES)) return readLineRange(file, lines, signal);
  const bytes = await readAllBytes(file, signal);
  requireText(bytes, bytes.length);
  const decoded = await decodeText(bytes);
  return wantsAll(lines) ? decoded : { ...decoded, text: selectLines(decoded.text, lines) };
}

function wantsAll({ offset, limit }: LineRange): boolean {
  return offset <= 1 && limit < 0;
}

export function selectLines(text: string, lines: LineRange): string {
  if (wantsAll(lines)) return text;
  const { offset, limit } = lines;
  const all = text.split(/(?<=\n)/);
  return all.slice(offset - 1, limit < 0 ? undefined : offset - 1 + limit).join('');
}

/** Reads whole lines with their line ends, from a file of any size; the text is empty past the end. */
async function readLineRange(file: OpenFile, lines: LineRange, signal: AbortSignal): Promise<DecodedText> {
  const sample: Uint8Array[] = [];
  const head = await firstChunk(file);
  requireText(untilLine(head, lines), file.stats.size);
  const signed = signedEncoding(head);
  try {
    const onChunk = (chunk: Uint8Array) => void (isAscii(chunk) || sample.push(sampleOf(chunk)));
    if (signed === undefined) return await decodeLines(file, lines, UTF_8, { signal, isFatal: true, onChunk });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const encoding = signed ?? (await encodingOfSample(sampleOf(Buffer.concat(sample))));
  return decodeLines(file, lines, encoding, { signal });
}

/** The most chunks with characters beyond ASCII that the encoding is guessed from. */
const MAX_SAMPLES = 16;

/** Returns the encoding of a file that is too large to be held, and its beginning. `onChunk` gets all of its bytes. */
export async function encodingOfLarge(
  file: OpenFile,
  { signal, onChunk }: Required<Pick<LineReading, 'signal' | 'onChunk'>>,
): Promise<{ readonly encoding: TextEncoding; readonly head: Uint8Array }> {
  const head = await firstChunk(file);
  const signed = kindOfFile(head) === undefined ? signedEncoding(head) : UTF_8;
  const sample: Uint8Array[] = [];
  const utf8 = new Utf8Check();
  for await (const chunk of chunksOf(file.handle, file.stats.size, signal)) {
    onChunk(chunk);
    if (signed !== undefined) continue;
    if (sample.length < MAX_SAMPLES && !isAscii(chunk)) sample.push(sampleOf(chunk));
    utf8.take(chunk);
  }
  const encoding = signed ?? (utf8.isValid() ? UTF_8 : await encodingOfSample(sampleOf(Buffer.concat(sample))));
  return { encoding, head };
}

/** Whether bytes that arrive in parts are UTF-8. */
class Utf8Check {
  readonly #decoder = fatalDecoder();
  #isValid = true;

  take(part: Uint8Array): void {
    this.#try(() => this.#decoder.write(part));
  }

  isValid(): boolean {
    this.#try(() => this.#decoder.end());
    return this.#isValid;
  }

  #try(decode: () => string): void {
    if (!this.#isValid) return;
    try {
      decode();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#isValid = false;
    }
  }
}

/** Returns the bytes that are read for these lines; what follows them may be anything. */
function untilLine(head: Uint8Array, { offset, limit }: LineRange): Uint8Array {
  let end = 0;
  for (let line = 0; limit < 0 || line < offset + limit - 1; line++) {
    const lineEnd = head.indexOf(LINE_FEED, end);
    if (lineEnd === -1) return head;
    end = lineEnd + 1;
  }
  return head.subarray(0, end);
}

const LINE_FEED = 0x0a;

interface LineReading {
  readonly signal: AbortSignal;
  /**
   * Whether to throw a `TypeError` at the first bytes that are not valid, instead of replacing them. It works for UTF-8
   * only.
   */
  readonly isFatal?: boolean;
  readonly onChunk?: (chunk: Uint8Array) => void;
}

async function decodeLines(
  { handle, stats: { size } }: OpenFile,
  { offset, limit }: LineRange,
  encoding: TextEncoding,
  { signal, isFatal = false, onChunk }: LineReading,
): Promise<DecodedText> {
  if (limit === 0) return { text: '', encoding };
  const decoder = isFatal ? fatalDecoder() : (await codecOf(encoding.name)).decoder();
  let line = 1;
  const endLine = limit < 0 ? Number.POSITIVE_INFINITY : offset + limit;
  const parts: string[] = [];
  let taken = 0;

  const take = (text: string) => {
    let start = 0;
    while (line < offset) {
      const lineEnd = text.indexOf('\n', start);
      if (lineEnd === -1) return;
      start = lineEnd + 1;
      line++;
    }
    let end = start;
    if (endLine === Number.POSITIVE_INFINITY) end = text.length;
    while (line < endLine && end < text.length) {
      const lineEnd = text.indexOf('\n', end);
      end = lineEnd === -1 ? text.length : lineEnd + 1;
      if (lineEnd !== -1) line++;
    }
    taken += end - start;
    if (taken > MAX_READ_BYTES) throw tooLarge('these lines go on');
    parts.push(text.slice(start, end));
  };

  let skipped = encoding.bomBytes;
  for await (const chunk of chunksOf(handle, size, signal)) {
    onChunk?.(chunk);
    take(decoder.write(chunk.subarray(skipped)));
    skipped = 0;
    if (line >= endLine) return { text: parts.join(''), encoding };
  }
  take(decoder.end());
  return { text: parts.join(''), encoding };
}

function fatalDecoder(): PartDecoder {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return { write: (part) => decoder.decode(part, { stream: true }), end: () => decoder.decode() };
}

async function firstChunk({ handle }: OpenFile): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES), position: 0 });
  return buffer.subarray(0, bytesRead);
}

/** `size` is what the file reports; 0 may mean that it is not known. */
async function* chunksOf(handle: FileHandle, size: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  // One byte more than the reported size: a read that leaves it free has reached the end, which saves another read.
  const room = size > 0 ? Math.min(size + 1, CHUNK_BYTES) : CHUNK_BYTES;
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(room), position: total });
    if (bytesRead === 0) return;
    total += bytesRead;
    yield buffer.subarray(0, bytesRead);
    if (size > 0 && bytesRead < room && total >= size) return;
  }
}

function tooLarge(what: string): FileProblem {
  const most = grouped(MAX_READ_BYTES);
  return new FileProblem(
    'too-large',
    `${what}, more than the ${most} bytes that can be read at once. Give offset and limit to read a part`,
  );
}
