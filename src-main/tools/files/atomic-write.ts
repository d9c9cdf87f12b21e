import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { FileProblem } from '../../base/file-problem.ts';
import { type PinnedDirectory, pinParent } from '../../base/pinned-directory.ts';
import { renameOver } from '../../base/rename-over.ts';
import { overwrite } from './overwrite.ts';
import { requireRegular } from './regular-file.ts';

export interface AtomicWrite {
  /** The real path. */
  readonly real: string;
  readonly bytes: Uint8Array;
  /** The permission bits; by default those of the replaced file. */
  readonly mode?: number;
  readonly createDirectories: boolean;
  /** Called once, right before the last step; if it throws, the write is cancelled and leaves nothing behind. */
  readonly beforeReplacing: () => Promise<void>;
}

/** With these errors the folder does not accept new entries: it is not writable, read-only, or append-only. */
const FOLDER_CLOSED = new Set(['EACCES', 'EPERM', 'EROFS']);
/**
 * With these errors the entry can't be replaced: it is a mount point (a single file in a container), or in someone
 * else's sticky folder.
 */
const ENTRY_FIXED = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV']);

/**
 * Replaces a file in one step: either all of the new content or all of the old, with the old file's mode bits (and
 * owner, if possible). The temporary file is in the same folder and is deleted after a failure. If only the file is
 * writable, not its folder, it is overwritten in place.
 *
 * write-file-atomic is not used: it writes with a single call, so a full disk truncates the file, and it can't check
 * the target again before renaming.
 */
export async function writeAtomically(write: AtomicWrite): Promise<void> {
  const { real, createDirectories } = write;
  const parent = await pinParent(real, { create: createDirectories });
  try {
    const target = parent.entry(basename(real));
    const previous = await statIfThere(target);
    if (previous !== undefined) {
      requireRegular(previous);
      await requireWritable(target);
    }
    const isReplaced = await replace(write, parent, previous);
    if (!isReplaced && previous !== undefined) await overwrite({ ...write, target, previous });
  } finally {
    parent.close();
  }
}

/**
 * Returns false if nothing was changed and the file can only be overwritten in place; `beforeReplacing` was then
 * called.
 */
async function replace(write: AtomicWrite, parent: PinnedDirectory, previous: Stats | undefined): Promise<boolean> {
  const { real, bytes, mode, beforeReplacing } = write;
  const isOnlyWayLeft = (error: unknown, codes: ReadonlySet<string>) =>
    previous !== undefined && process.platform !== 'win32' && codes.has(systemCode(error));
  const temporary = parent.entry(`.steward-${randomBytes(8).toString('hex')}.tmp`);
  let handle: FileHandle;
  try {
    handle = await open(temporary, 'wx');
  } catch (error) {
    if (!isOnlyWayLeft(error, FOLDER_CLOSED)) throw error;
    await beforeReplacing();
    return false;
  }
  try {
    try {
      await handle.writeFile(bytes);
      if (previous !== undefined) await takeOver(previous, handle);
      if (mode !== undefined && process.platform !== 'win32') await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await beforeReplacing();
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  try {
    await renameOver(temporary, parent.entry(basename(real)));
    return true;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    if (isOnlyWayLeft(error, ENTRY_FIXED)) return false;
    throw error;
  }
}

async function takeOver(previous: Stats, handle: FileHandle): Promise<void> {
  if (process.platform === 'win32') return;
  const { uid, gid } = await handle.stat();
  if (previous.uid !== uid || previous.gid !== gid) {
    // Only root may change a file's owner; for everyone else the new file is their own.
    await handle.chown(previous.uid, previous.gid).catch((error: unknown) => {
      if (systemCode(error) !== 'EPERM') throw error;
    });
  }
  await handle.chmod(previous.mode & 0o7777);
}

/** Renaming over a read-only file would succeed, although someone made it read-only on purpose. */
async function requireWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw new FileProblem('not-writable', 'the file is read-only');
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
