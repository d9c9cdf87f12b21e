import { closeSync, constants, open as openDescriptor, openSync, readlinkSync, realpathSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemCode } from './errors.ts';
import { FileProblem } from './file-problem.ts';
import { HANDLE_ONLY } from './open-flags.ts';

const ONLY_A_DIRECTORY = HANDLE_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const open = promisify(openDescriptor);

/**
 * A directory that stays the one that was checked, even if part of its path is swapped for a symlink meanwhile. On
 * Linux names are looked up through an open handle; elsewhere the path is only checked again when it is pinned. These
 * calls on the handle never wait for a disk, so they are synchronous and skip Node's thread pool: every call makes
 * them.
 */
export class PinnedDirectory {
  readonly #path: string;
  readonly #descriptor: number | undefined;

  private constructor(path: string, descriptor: number | undefined) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  /** `real` is a real path. Throws `FileProblem` ("changed") if it is no longer one. */
  static async open(real: string): Promise<PinnedDirectory> {
    if (process.platform === 'linux') {
      const pinned = PinnedDirectory.#ifAt(real, await open(real, ONLY_A_DIRECTORY));
      if (pinned !== undefined) return pinned;
    }
    if ((await realpath(real)) !== real) throw changed();
    return new PinnedDirectory(real, undefined);
  }

  /** The same for a thread that may wait. */
  static openSync(real: string): PinnedDirectory {
    if (process.platform === 'linux') {
      const pinned = PinnedDirectory.#ifAt(real, openSync(real, ONLY_A_DIRECTORY));
      if (pinned !== undefined) return pinned;
    }
    if (realpathSync.native(real) !== real) throw changed();
    return new PinnedDirectory(real, undefined);
  }

  /** Undefined on a system without /proc, which is treated like the others. */
  static #ifAt(real: string, descriptor: number): PinnedDirectory | undefined {
    const path = `/proc/self/fd/${descriptor}`;
    const actual = targetOf(path);
    if (actual === real) return new PinnedDirectory(path, descriptor);
    closeSync(descriptor);
    if (actual !== undefined) throw changed();
    return undefined;
  }

  /** Runs `work` with a path to the directory that is valid until it returns. */
  static async during<T>(real: string, work: (path: string) => Promise<T>): Promise<T> {
    const pinned = await PinnedDirectory.open(real);
    try {
      return await work(pinned.#path);
    } finally {
      pinned.close();
    }
  }

  /** The path of the directory itself, valid until `close()`. */
  get path(): string {
    return this.#path;
  }

  /** The path of an entry, valid until `close()`. */
  entry(name: string): string {
    return join(this.#path, name);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/**
 * Pins the directory of a real path, creating missing ones if requested; each step is taken relative to the pinned
 * directory before it. Throws ENOENT if it is missing and not to be created.
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
    above.close();
  }
  return PinnedDirectory.open(parent);
}

/** Returns undefined if the link cannot be read. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function changed(): FileProblem {
  return new FileProblem('changed', 'a folder on the path was replaced while it was being used; nothing was done');
}
