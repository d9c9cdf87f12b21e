import { looksBinary } from '../base/encoding/first-signs.ts';
import { grouped } from '../base/text.ts';
import type { PresentState } from '../tools/files/put-back.ts';

/** Larger texts, and more files than this in one question, are not compared line by line: no one reads that much. */
const MAX_COMPARED_BYTES = 1024 * 1024;
const MAX_COMPARED_BYTES_IN_ALL = 4 * MAX_COMPARED_BYTES;

type PresentFile = Extract<PresentState, { kind: 'file' }>;

/** Decides which files of a question are compared, before and after. */
export class FileComparisons {
  #leftBytes = MAX_COMPARED_BYTES_IN_ALL;

  /**
   * Why the versions can't be compared, for people, or undefined if they can. `before` is null if there was no file.
   */
  whyNot(present: PresentFile, before: Uint8Array | null): string | undefined {
    const size = present.size + (before?.length ?? 0);
    const why = whyNotComparable(present, before);
    if (why !== undefined) return why;
    if (size > this.#leftBytes) return `Not compared, because there is too much to show: ${sizesOf(present, before)}.`;
    this.#leftBytes -= size;
    return undefined;
  }
}

function whyNotComparable(present: PresentFile, before: Uint8Array | null): string | undefined {
  if (present.bytes === null || (before?.length ?? 0) > MAX_COMPARED_BYTES)
    return `Not compared, because of its size: ${sizesOf(present, before)}.`;
  const isText = !looksBinary(present.bytes) && (before === null || !looksBinary(Buffer.from(before)));
  return isText ? undefined : `Not compared, because it is not text: ${sizesOf(present, before)}.`;
}

function sizesOf(present: PresentFile, before: Uint8Array | null): string {
  return `${grouped(present.size)} bytes now${before === null ? '' : `, ${grouped(before.length)} before`}`;
}
