import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.ts';
import { grouped } from '../../base/text.ts';
import { FileProblem } from './file-problem.ts';
import { MAX_READ_BYTES } from './read-text.ts';
import { NEVER_A_LINK, NEVER_WAIT, requireRegular } from './regular-file.ts';

export interface Overwrite {
  /** Where it is opened. */
  readonly target: string;
  /** What it was when it was looked at. */
  readonly previous: Stats;
  readonly bytes: Uint8Array;
  /** Permission bits; default: as they are. */
  readonly mode?: number;
}

/**
 * Puts new content into a file that exists, for where it cannot be replaced by another. Not one step: whoever reads meanwhile
 * may see half of it. If it breaks off, the bytes from before are put back. Throws as `orPutBack` does.
 */
export async function overwrite({ target, previous, bytes, mode }: Overwrite): Promise<void> {
  if (previous.size > MAX_READ_BYTES) {
    throw new FileProblem(
      'not-writable',
      `the file can only be overwritten in place, and with ${grouped(previous.size)} bytes it is too large to be restored if that fails`,
    );
  }
  const handle = await open(target, constants.O_RDWR | NEVER_A_LINK | NEVER_WAIT);
  try {
    const stats = await handle.stat();
    requireRegular(stats);
    if (stats.ino !== previous.ino || stats.dev !== previous.dev)
      throw new FileProblem('changed', 'the file was replaced by another one in the meantime; nothing was written');
    const before = await handle.readFile();
    await orPutBack(
      handle,
      before.length,
      () => writeAt(handle, before, 0),
      async () => {
        // What needs room comes first: if there is none, nothing that was there is touched.
        await writeAt(handle, bytes.subarray(before.length), before.length);
        await writeAt(handle, bytes.subarray(0, before.length), 0);
        await handle.truncate(bytes.length);
        // Only its owner may set it, even to the current value.
        if (mode !== undefined && ((await handle.stat()).mode & 0o7777) !== mode) await handle.chmod(mode);
        await handle.sync();
      },
    );
  } finally {
    await handle.close();
  }
}

/**
 * As `change`; if that fails, the file is made what it was before: as long as it was, then `putBack`. Throws `FileProblem`,
 * "put-back" or, if that fails too, "half-changed".
 */
export async function orPutBack(
  handle: FileHandle,
  lengthBefore: number,
  putBack: () => Promise<void>,
  change: () => Promise<void>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    try {
      await handle.truncate(lengthBefore);
      await putBack();
      await handle.sync();
    } catch (second) {
      throw new FileProblem(
        'half-changed',
        `the write failed (${errorMessage(error)}) and the earlier content could not be restored (${errorMessage(second)}): the file is now partly changed`,
        { cause: error },
      );
    }
    throw new FileProblem('put-back', `the write failed (${errorMessage(error)}); the file is unchanged`, {
      cause: error,
    });
  }
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
