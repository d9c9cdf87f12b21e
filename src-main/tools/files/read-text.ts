import type { FileHandle } from 'node:fs/promises';
import type { TextDecoder } from 'node:util';
import { grouped } from '../../base/text.ts';
import { FileProblem } from './file-problem.ts';
import type { OpenFile } from './regular-file.ts';
import { decoderFor } from './text-encoding.ts';

/** At most this much of one file is held at once. */
export const MAX_READ_BYTES = 100 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** For a file that is read as a whole; Stop is checked between two reads. */
const STEP_BYTES = 8 * 1024 * 1024;

export interface LineRange {
  /** First line, 1-based. */
  readonly offset: number;
  /** Number of lines; negative = all remaining. */
  readonly limit: number;
}

/** All bytes of an open file, whatever size it reports. Throws `FileProblem` ("too-large") beyond the limit. */
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

/** Whole lines with their line ends, from a file of any size; empty past the end. Throws `FileProblem` ("too-large"). */
export async function readLineRange(
  { handle, stats: { size } }: OpenFile,
  { offset, limit }: LineRange,
  signal: AbortSignal,
): Promise<string> {
  if (limit === 0) return '';
  let decoder: TextDecoder | undefined;
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

  for await (const chunk of chunksOf(handle, size, signal)) {
    decoder ??= decoderFor(chunk);
    take(decoder.decode(chunk, { stream: true }));
    if (line >= endLine) return parts.join('');
  }
  if (decoder !== undefined) take(decoder.decode());
  return parts.join('');
}

/** `size`: as reported by the file; 0 may mean that it is not known. */
async function* chunksOf(handle: FileHandle, size: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  // One byte more than the reported size: a read that leaves it free has reached the end, which saves another read.
  const room = size > 0 ? Math.min(size + 1, CHUNK_BYTES) : CHUNK_BYTES;
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(room), position: null });
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
