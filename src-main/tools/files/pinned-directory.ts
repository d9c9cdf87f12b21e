import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileProblem, systemCode } from './file-problem.ts';

/** Linux: a handle to a directory that needs no right to list it. Not in node:fs; the number holds on all of Node's platforms. */
const O_PATH = 0o10000000;

/**
 * A directory that stays the one that was checked, even if someone swaps a part of its path for a symlink meanwhile. On
 * Linux names are looked up through an open handle; elsewhere the path is only checked again when it is pinned.
 */
export class PinnedDirectory {
  readonly #path: string;
  readonly #handle: FileHandle | undefined;

  private constructor(path: string, handle: FileHandle | undefined) {
    this.#path = path;
    this.#handle = handle;
  }

  /** `real` is a real path. Throws `FileProblem` ("changed") if it is no longer one. */
  static async open(real: string): Promise<PinnedDirectory> {
    if (process.platform === 'linux') {
      const handle = await open(real, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      const path = `/proc/self/fd/${handle.fd}`;
      const actual = await readlink(path).catch(() => undefined);
      if (actual === real) return new PinnedDirectory(path, handle);
      await handle.close();
      if (actual !== undefined) throw changed();
      // No /proc here: as on other systems.
    }
    if ((await realpath(real)) !== real) throw changed();
    return new PinnedDirectory(real, undefined);
  }

  /** Path of an entry, good until `close()`. */
  entry(name: string): string {
    return join(this.#path, name);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

/**
 * Pins the directory of a real path, making the missing ones on the way if asked; each step is taken inside the directory
 * before it. Throws ENOENT if it is missing and not to be made.
 */
export async function pinParent(real: string, { create }: { create: boolean }): Promise<PinnedDirectory> {
  const parent = dirname(real);
  try {
    return await PinnedDirectory.open(parent);
  } catch (error) {
    if (!create || systemCode(error) !== 'ENOENT' || parent === real) throw error;
  }
  const above = await pinParent(parent, { create });
  try {
    await mkdir(above.entry(basename(parent)));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await above.close();
  }
  return PinnedDirectory.open(parent);
}

function changed(): FileProblem {
  return new FileProblem('changed', 'a folder on the path was replaced while it was being used; nothing was done');
}
