import { statSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesIn } from '../base/names-in.ts';

const PREFIX = 'steward-run-';
/** No limited call takes that long: its Steward was killed before it could remove the folder. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;
const BLOCK_BYTES = 512;

let removingAbandoned: Promise<void> | undefined;

/** Makes a folder for one call, which no other user can enter, and removes what earlier ones could not. */
export async function makeTemporaryFolder(): Promise<string> {
  removingAbandoned ??= removeAbandoned();
  await removingAbandoned;
  return mkdtemp(join(tmpdir(), PREFIX));
}

/** What can't be removed belongs to another user, or is in use by what outlived SIGKILL. */
export async function removeTemporaryFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

async function removeAbandoned(): Promise<void> {
  const since = Date.now() - ABANDONED_AFTER_MS;
  for (const name of namesIn(tmpdir())) {
    const path = join(tmpdir(), name);
    if (name.startsWith(PREFIX) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? since) < since)
      await removeTemporaryFolder(path);
  }
}

/** The bytes that the files in a folder take on the disk. */
export async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.allSettled(names.map(async (name) => (await stat(join(folder, name))).blocks));
  // A file that was removed meanwhile takes nothing.
  return sizes.reduce((sum, size) => sum + (size.status === 'fulfilled' ? size.value : 0), 0) * BLOCK_BYTES;
}

/** What processes have in open files that no longer have a name, as `tac` keeps its input. Only Linux tells of them. */
export function bytesWithoutName(pids: readonly number[]): number {
  const blocks = new Map<string, number>();
  for (const path of pids.flatMap((pid) => namesIn(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`))) {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file?.isFile() && file.nlink === 0) blocks.set(`${file.dev}:${file.ino}`, file.blocks);
  }
  return [...blocks.values()].reduce((sum, each) => sum + each, 0) * BLOCK_BYTES;
}
