import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.ts';
import { FileProblem } from '../../base/file-problem.ts';
import { NEVER_A_LINK_NOR_A_WAIT } from '../../base/open-flags.ts';
import { grouped } from '../../base/text.ts';
import { MAX_READ_BYTES } from './read-text.ts';
import { requireRegular } from './regular-file.ts';

export interface Overwrite {
  /** The path to open. */
  readonly target: string;
  /** The file as it was when it was checked. */
  readonly previous: Stats;
  readonly bytes: Uint8Array;
  /** The permission bits; unchanged by default. */
  readonly mode?: number;
}

/**
 * Overwrites an existing file that can't be replaced by another. Not atomic: a concurrent reader may see half of it. If
 * it fails half way, the earlier bytes are restored. Throws like `orPutBack`.
 */
export async function overwrite({ target, previous, bytes, mode }: Overwrite): Promise<void> {
  if (previous.size > MAX_READ_BYTES) {
    throw new FileProblem(
      'not-writable',
      `the file can only be overwritten in place, and with ${grouped(previous.size)} bytes it is too large to be restored if that fails`,
    );
  }
  const handle = await open(target, constants.O_RDWR | NEVER_A_LINK_NOR_A_WAIT);
  try {
    const stats = await handle.stat();
    requireRegular(stats);
    if (stats.ino !== previous.ino || stats.dev !== previous.dev)
      throw new FileProblem('changed', 'the file was replaced by another one in the meantime; nothing was written');
    if (stats.nlink > 1) {
      throw new FileProblem(
        'not-writable',
        'the file has other names (hard links), which would change with it, and it can only be overwritten in place; nothing was written',
      );
    }
    const before = await handle.readFile();
    await orPutBack(
      handle,
      before.length,
      () => writeAt(handle, before, 0),
      async () => {
        // The part that needs space is written first: if the disk is full, nothing existing was touched.
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
 * Runs `change`; if that fails, restores the file: its length, then `putBack`. Throws `FileProblem` "put-back" or, if
 * restoring fails too, "half-changed".
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
