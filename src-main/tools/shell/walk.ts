import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { systemCode } from '../../base/errors.ts';
import { isObeyedName } from '../../policy/obeyed-files.ts';
import { isInSecretFolder } from '../../policy/secret-file-names.ts';
import { isSecretLike } from '../../policy/secret-like-names.ts';

export interface Walk {
  /** A real path. */
  readonly folder: string;
  /** Also files with several names. That takes a look at each file, three times as long as all else. */
  readonly withLinked: boolean;
}

/** What is below a folder. The characters of all paths stand for their bytes: names needn’t be UTF-8. */
export interface Below {
  /** Folders that can’t be listed, but in which a file could be opened by its name. */
  readonly closed: string[];
  /**
   * Files whose names, or those of folders around them, say that they may be secret. Not those of installed packages,
   * some of which bring keys for their own tests.
   */
  readonly secretLike: string[];
  /** Links of such names, wherever they lead. */
  readonly secretLinks: string[];
  /** What programs obey by its name, but not what is inside of it or in `node_modules`. */
  readonly obeyed: Obeyed[];
  /** Everything called `.git`, in any case, wherever it is. */
  readonly repositories: string[];
  /** Files with several names, but for those in a `.git`. */
  readonly linked: Linked[];
  /** Why something is missing, as an error code. */
  lack?: string;
}

export interface Obeyed {
  readonly path: string;
  /** What is there. It is the same only if nothing else is there now. */
  readonly identity: string;
  readonly isLink: boolean;
}

export interface Linked {
  readonly path: string;
  readonly identity: string;
  readonly names: number;
}

interface Folder {
  readonly path: string;
  readonly isInstalled: boolean;
  readonly isSecretLike: boolean;
  readonly isObeyed: boolean;
  readonly isOfGit: boolean;
}

/** A folder may have been filled with any number of them. */
const MOST_FOUND = 200_000;
/** What an entry adds to the size of its folder, at least and roughly. Most file systems tell. */
const BYTES_FOR_ENTRY = 20;
/** The part of a mode that says what an entry is. */
const KIND = 0o170000n;
const BEYOND_ASCII = /[\u0080-\u00ff]/;

/** Looks at everything below a folder. Undefined if it is certainly or probably more than `most` entries. */
export function walk(job: Walk, most = Number.POSITIVE_INFINITY): Below | undefined {
  const { noAsar } = process;
  // Electron takes an archive `x.asar` for a folder otherwise, and a folder of that name for an archive.
  process.noAsar = true;
  try {
    return walked(job, most);
  } finally {
    process.noAsar = noAsar;
  }
}

function walked({ folder, withLinked }: Walk, most: number): Below | undefined {
  const below: Below = { closed: [], secretLike: [], secretLinks: [], obeyed: [], repositories: [], linked: [] };
  const { closed, secretLike, secretLinks, obeyed, repositories, linked } = below;
  const inside = { isInstalled: false, isSecretLike: false, isObeyed: false, isOfGit: false };
  const folders: Folder[] = [{ ...inside, path: asText(folder) }];

  let seen = 0;

  const lookIn = (around: Folder) => {
    const bytes = bytesOf(around.path);
    // All entries of a folder are read at once.
    if (Number.isFinite(most) && lstatSync(bytes).size / BYTES_FOR_ENTRY > most) {
      seen = Number.POSITIVE_INFINITY;
      return;
    }
    const entries = readdirSync(bytes, { withFileTypes: true, encoding: 'latin1' });
    seen += entries.length;
    for (const entry of entries) {
      const path = `${around.path}/${entry.name}`;
      const name = entry.name.toLowerCase();
      const isLike = around.isSecretLike || isSecretLike(name);
      const isOfGit = around.isOfGit || entry.name === '.git';
      const isObeyed = around.isObeyed || (!around.isInstalled && isObeyedName(name));
      if (name === '.git') repositories.push(path);
      if (isObeyed && !around.isObeyed) orLack(path, () => obeyed.push(obeyedAt(path)));
      if (entry.isDirectory()) {
        const isInstalled = around.isInstalled || entry.name === 'node_modules';
        folders.push({ path, isInstalled, isSecretLike: isLike || isInSecretFolder(path), isObeyed, isOfGit });
      } else if (entry.isFile()) {
        if (isLike && !around.isInstalled) secretLike.push(path);
        if (withLinked && !isOfGit) orLack(path, () => linked.push(...linkedAt(path)));
      } else if (entry.isSymbolicLink() && (isLike || isInSecretFolder(path)) && !around.isInstalled) {
        secretLinks.push(path);
      }
    }
  };
  /** What is gone meanwhile is not missing. */
  const orLack = (path: string, look: () => void) => {
    try {
      look();
    } catch (error) {
      const lack = lackAt(path, error);
      if (lack === 'closed') closed.push(path);
      else if (lack !== undefined) below.lack ??= lack;
    }
  };

  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const around = next;
    orLack(around.path, () => lookIn(around));
    if (seen > most) return undefined;
    const lists = [closed, secretLike, secretLinks, obeyed, repositories, linked];
    if (lists.reduce((sum, { length }) => sum + length, 0) > MOST_FOUND) return { ...below, lack: 'too many' };
  }
  return below;
}

/** Undefined if nothing is there any more. */
function lackAt(path: string, error: unknown): string | undefined {
  try {
    const there = lstatSync(bytesOf(path), { throwIfNoEntry: false });
    if (there === undefined) return undefined;
    const code = systemCode(error);
    return code === 'EACCES' && there.isDirectory() ? 'closed' : code;
  } catch (further) {
    return systemCode(further);
  }
}

function obeyedAt(path: string): Obeyed {
  const bytes = bytesOf(path);
  const stats = lstatSync(bytes, { bigint: true });
  const isLink = stats.isSymbolicLink();
  const target = isLink ? readlinkSync(bytes, 'latin1') : '';
  return { path, isLink, identity: `${stats.mode & KIND}:${stats.dev}:${stats.ino}:${target}` };
}

function linkedAt(path: string): readonly Linked[] {
  const bytes = bytesOf(path);
  const { nlink } = lstatSync(bytes);
  if (nlink < 2) return [];
  const { dev, ino } = lstatSync(bytes, { bigint: true });
  return [{ path, identity: `${dev}:${ino}`, names: nlink }];
}

/** A path whose characters stand for its bytes. */
export function asText(path: string): string {
  return Buffer.from(path).toString('latin1');
}

/** The paths that such texts stand for, or undefined if one is not UTF-8. */
export function pathsOf(texts: readonly string[]): readonly string[] | undefined {
  const paths = texts.map((text) => Buffer.from(text, 'latin1').toString());
  return paths.every((path, at) => asText(path) === texts[at]) ? paths : undefined;
}

/** Such a path for functions of `node:fs`. */
export function bytesOf(path: string): string | Buffer {
  return BEYOND_ASCII.test(path) ? Buffer.from(path, 'latin1') : path;
}
