import { lstat, mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'steward-run-';
/** No limited call takes that long: its Steward was killed before it could remove the folder. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;
const BLOCK_BYTES = 512;
/** The part of an open file's flags that says whether it is open for writing. */
const ACCESS_MODE = 0o3;

let hasLookedForAbandoned = false;

/**
 * Makes a folder for one call, which no other user can enter, and begins to remove what earlier ones could not.
 * Undefined if none can be made: on a full disk, what needs no temporary file still works.
 */
export async function makeTemporaryFolder(): Promise<string | undefined> {
  if (!hasLookedForAbandoned) void removeAbandoned();
  hasLookedForAbandoned = true;
  return mkdtemp(join(tmpdir(), PREFIX)).catch(() => undefined);
}

/** What can't be removed belongs to another user, or is in use by what outlived SIGKILL. */
export async function removeTemporaryFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

async function removeAbandoned(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const paths = names.filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name));
  for (const path of paths) if (await isAbandoned(path)) await removeTemporaryFolder(path);
}

/** Anyone may put a link or a folder of that name there, and root could remove those of others. */
async function isAbandoned(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined);
  if (!entry?.isDirectory() || entry.uid !== process.getuid?.()) return false;
  return entry.mtimeMs < Date.now() - ABANDONED_AFTER_MS;
}

/** The bytes that the files in a folder take on the disk. Links aren't followed. */
export async function bytesBelow(folder: string): Promise<number> {
  // What was removed meanwhile takes nothing.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return bytesBelow(path);
    const file = await lstat(path).catch(() => undefined);
    return (file?.blocks ?? 0) * BLOCK_BYTES;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * What processes have in files that they write and that no longer have a name, as `tac` keeps its input. A file that is
 * only read, as a log that was replaced meanwhile, is not theirs. Only Linux tells of them.
 */
export async function bytesWithoutName(pids: readonly number[]): Promise<number> {
  const found = await Promise.all(pids.map(filesWithoutName));
  const blocks = new Map(found.flat());
  return [...blocks.values()].reduce((sum, each) => sum + each, 0) * BLOCK_BYTES;
}

/** Device and inode of each such file, with its blocks. */
async function filesWithoutName(pid: number): Promise<(readonly [file: string, blocks: number])[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const files = names.map(async (name) => {
    try {
      const path = `/proc/${pid}/fd/${name}`;
      // Asked first, because to look at a file on a server that has gone would wait.
      if (!(await readlink(path)).endsWith(' (deleted)') || !(await isWritten(pid, name))) return [];
      const file = await stat(path);
      return file.isFile() ? [[`${file.dev}:${file.ino}`, file.blocks] as const] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
  return (await Promise.all(files)).flat();
}

async function isWritten(pid: number, descriptor: string): Promise<boolean> {
  const [, flags = '0'] =
    /^flags:\s*([0-7]+)$/m.exec(await readFile(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1')) ?? [];
  return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
}
