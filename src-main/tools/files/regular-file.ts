import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileProblem } from '../../base/file-problem.ts';
import { NEVER_A_LINK_NOR_A_WAIT } from '../../base/open-flags.ts';
import { pinParent } from '../../base/pinned-directory.ts';

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/**
 * Opens the regular file at a real path. Pipes, devices and sockets are rejected before they are opened: opening alone
 * may block forever or have side effects. Throws `FileProblem` or a system error.
 */
export async function openRegularFile(real: string, flags: number): Promise<OpenFile> {
  const parent = await pinParent(real, { create: false });
  try {
    const path = parent.entry(basename(real));
    requireRegular(await lstat(path));
    const handle = await open(path, flags | NEVER_A_LINK_NOR_A_WAIT);
    try {
      const stats = await handle.stat();
      requireRegular(stats);
      return { handle, stats };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } finally {
    parent.close();
  }
}

/** Throws `FileProblem` for anything but a regular file. */
export function requireRegular(stats: Stats): void {
  if (stats.isDirectory()) throw new FileProblem('directory', 'path is a directory, not a file');
  if (stats.isSymbolicLink())
    throw new FileProblem('changed', 'the file was replaced by a link while it was being used');
  if (!stats.isFile()) throw new FileProblem('special', `path is a ${kindOf(stats)}, not a file`);
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'named pipe';
  if (stats.isSocket()) return 'socket';
  return 'device';
}
