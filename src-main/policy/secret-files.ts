import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../base/names-in.ts';
import { NEVER_A_LINK_NOR_A_WAIT } from '../base/open-flags.ts';
import { holdsCredential } from './secret-content.ts';
import { hasSecretName, isInSecretFolder, isStoreOfGit, namedLike } from './secret-file-names.ts';

/** If the name of a file says what to look for, this much of it is searched for a token or a key. */
const NAMED_BYTES = 1024 * 1024;
/** Of any other file, this much is searched. */
const UNNAMED_BYTES = 64 * 1024;

/**
 * Whether the file at a real path usually holds secrets. Reading one asks, and searches leave it out. It is recognised
 * by its name, by another name of the same file (`ln .env notes.txt`, `ln -s notes.txt .env`), or by a credential at its
 * beginning. A missing file holds none, and one that can't be read counts by its name alone. `given` is the absolute path
 * by which it was reached. It counts as well, because a program takes what a link named `.env` leads to for a secret.
 */
export function isSecretFile(real: string, given = real): boolean {
  return secretFileTest()(real, given);
}

/** Judges many files like `isSecretFile`, and reads each folder once. */
export function secretFileTest(): (real: string, given?: string) => boolean {
  const inodesOf = new Map<string, ReadonlySet<string>>();
  return (real, given = real) => {
    let stats: Stats | undefined;
    try {
      stats = lstatSync(real, { throwIfNoEntry: false });
    } catch {
      return [real, given].some(
        (path) => isInSecretFolder(dirname(path)) || isStoreOfGit(path) || hasSecretName(basename(path)),
      );
    }
    if (stats === undefined || stats.isDirectory()) return false;
    if (
      isSecretByName(real, stats) ||
      (given !== real && isSecretByName(given, stats, real)) ||
      (stats.isFile() && isLinkOfSecret(real, stats, inodesOf))
    ) {
      if (stats.nlink > 1) remember(linked, lastingIdentity(stats), true, MAX_LOOKED);
      return true;
    }
    return stats.isFile() && (linked.has(lastingIdentity(stats)) || beginsWithCredential(real, stats));
  };
}

/** Whether a text without a path (an attached file) would be secret in a file of this name. */
export function isSecretText(name: string, text: string): boolean {
  return (
    namedLike(name).some(({ holding }) => holding?.test(text) ?? true) || holdsCredential(text.slice(0, UNNAMED_BYTES))
  );
}

/**
 * Whether what a file at this real path contained is secret, also if the file is gone. `text` is as much of it as is
 * known, or null if it was no text.
 */
export function wasSecretFile(real: string, text: string | null): boolean {
  if (isInSecretFolder(dirname(real)) || isStoreOfGit(real) || hasSecretName(basename(real))) return true;
  return text !== null && isSecretText(basename(real), text);
}

/** Whether the path is that of a secret file. `real` is where its content is. */
function isSecretByName(path: string, stats: Stats, real = path): boolean {
  if (isInSecretFolder(dirname(path)) || isStoreOfGit(path)) return true;
  const named = namedLike(basename(path));
  if (named.length === 0) return false;
  if (named.some(({ holding }) => holding === undefined)) return true;
  if (!stats.isFile()) return false;
  const text = beginningOf(real, NAMED_BYTES);
  return text === undefined || named.some(({ holding }) => holding?.test(text));
}

/**
 * The beginning of a file, or undefined if it can't be read. NUL bytes are removed, so that UTF-16 reads like ASCII.
 */
function beginningOf(real: string, most: number): string | undefined {
  try {
    const file = openSync(real, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT);
    try {
      const bytes = Buffer.allocUnsafe(most);
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null);
      return bytes.toString('latin1', 0, length).replaceAll('\0', '');
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/**
 * The secret files that had several names. An allowed edit replaces such a file, and its other name, which may be an
 * ordinary one, keeps what was in it.
 */
const linked = new Map<string, true>();

/** It stays when a file is changed or renamed. */
function lastingIdentity({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`;
}

/** What was found, by a file's identity, which changes with its content. The oldest entries are forgotten first. */
const looked = new Map<string, boolean>();
const MAX_LOOKED = 200_000;

function beginsWithCredential(real: string, { dev, ino, size, mtimeMs, ctimeMs }: Stats): boolean {
  if (size === 0) return false;
  const identity = `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  const known = looked.get(identity);
  if (known !== undefined) return known;
  const holds = holdsCredential(beginningOf(real, Math.min(size, UNNAMED_BYTES)) ?? '');
  remember(looked, identity, holds, MAX_LOOKED);
  return holds;
}

function remember<Value>(cache: Map<string, Value>, key: string, value: Value, most: number): void {
  const oldest = cache.size >= most ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(key, value);
}

/**
 * Whether the file has a secret file as another name, or a link of such a name leads to it. Where those are isn't known,
 * so its folder, its parents, and the `.ssh` and the like of each are searched.
 */
function isLinkOfSecret(real: string, { dev, ino }: Stats, inodesOf: Map<string, ReadonlySet<string>>): boolean {
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    let inodes = inodesOf.get(folder);
    if (inodes === undefined) {
      inodes = secretInodes(folder);
      inodesOf.set(folder, inodes);
    }
    if (inodes.has(`${dev}:${ino}`)) return true;
    if (folder === dirname(folder)) return false;
  }
}

function secretInodes(folder: string): ReadonlySet<string> {
  const inodes = new Set<string>();
  for (const name of secretNamesIn(folder)) {
    const path = join(folder, name);
    const inside = isInSecretFolder(path) ? namesIn(path).map((each) => join(path, each)) : [];
    for (const each of [path, ...inside]) {
      const inode = secretInode(each);
      if (inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
}

/** Undefined if the path, or what a link there leads to, is no secret file by its name. */
function secretInode(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    return isSecretByName(path, stats, realpathSync(path)) ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}

interface Listed {
  readonly identity: string;
  readonly names: readonly string[];
}

/** The names that may be secret in folders, by the path. The oldest entries are forgotten first. */
const listed = new Map<string, Listed>();
const MAX_LISTED = 20_000;
/** A folder that has changed within this time may change again without another time stamp. */
const MAY_CHANGE_UNSEEN_MS = 2_000;

/** The names in a folder that may be those of secret files or of folders of such. */
function secretNamesIn(folder: string): readonly string[] {
  let stats: BigIntStats | undefined;
  try {
    stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  } catch {
    return [];
  }
  if (stats === undefined) return [];
  const { dev, ino, mtimeNs, ctimeNs, ctimeMs } = stats;
  const identity = `${dev}:${ino}:${mtimeNs}:${ctimeNs}`;
  const known = listed.get(folder);
  if (known?.identity === identity) return known.names;
  const names = namesIn(folder).filter((name) => isInSecretFolder(join(folder, name)) || namedLike(name).length > 0);
  listed.delete(folder);
  if (Date.now() - Number(ctimeMs) >= MAY_CHANGE_UNSEEN_MS) remember(listed, folder, { identity, names }, MAX_LISTED);
  return names;
}
