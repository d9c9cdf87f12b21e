import { closeSync, constants, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compileGlob } from '../base/glob.ts';
import { namesIn } from '../base/names-in.ts';

/**
 * Files that usually hold secrets: reading one asks, and searches exclude it. One table, by name; case never matters,
 * because the file systems of macOS and Windows, and some on Linux, do not distinguish `.ENV` from `.env`. Source:
 * issue 9, item 4.
 */
interface SecretName {
  /** Lower-case, in ripgrep's syntax. */
  readonly globs: readonly string[];
  /** Matching names that are meant to be public. */
  readonly except?: RegExp;
  /** The content that makes it secret; absent: the name alone does. */
  readonly holding?: RegExp;
}

const PRIVATE_KEY = /PRIVATE KEY/;

const SECRET_NAMES: readonly SecretName[] = [
  // Also editor backups (`.env~`, `.env.swp`).
  { globs: ['.env', '.env~', '.env.*'], except: /\.(?:example|sample|template)$/ },
  { globs: ['id_{rsa,dsa,ecdsa,ed25519}', 'id_{ecdsa,ed25519}_sk'] },
  // With a longer name (`id_rsa.bak`, `id_rsa_work`), which public keys and programs may also have.
  { globs: ['id_{rsa,dsa,ecdsa,ed25519}*'], holding: PRIVATE_KEY },
  { globs: ['*.pem', '*.key'], holding: PRIVATE_KEY },
  // A reference to a variable (`${NPM_TOKEN}`) is not a token.
  {
    globs: ['.npmrc'],
    holding: /(?:_authToken|_auth|_password)\s*=\s*(?!\s|"?\$\{[^{}\n]*\}"?\s*(?:\n|$))\S|:\/\/(?!\$\{)[^\s/@]+@/i,
  },
  { globs: ['.netrc', '_netrc'], holding: /\b(?:password|passwd|account)\s+\S/i },
  { globs: ['.pypirc'], holding: /\bpassword\s*[:=]\s*\S/i },
  // Also keys bundled with their certificate, or in PuTTY's format.
  { globs: ['.git-credentials', '.pgpass', '.envrc', '*.{p12,pfx,ppk}'] },
  { globs: ['credentials', 'credentials.{json,ini,toml,yml,yaml}'] },
];
const MATCHERS = SECRET_NAMES.map((secret) => ({ ...secret, matchers: secret.globs.map(compileGlob) }));
const FOLDERS = ['.aws', '.ssh', '.gnupg'] as const;
/** What a search leaves to `isSecretFile`: all secret files, and some others. Lower-case. */
export const secretNameGlobs: readonly string[] = [...SECRET_NAMES.flatMap(({ globs }) => globs), ...FOLDERS];
/** Everything in them, whatever its name. */
const SECRET_FOLDER = new RegExp(`(?:^|[/\\\\])(?:${FOLDERS.map((name) => `\\${name}`).join('|')})(?:[/\\\\]|$)`, 'i');

/** How much of a file is searched for a token or a key. */
const LOOKED_THROUGH_BYTES = 1024 * 1024;
/** Windows has neither. */
const NEVER_A_LINK_NOR_A_WAIT = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Whether a file of this name may be secret; `isSecretFile` decides. */
export function hasSecretName(name: string): boolean {
  return namedLike(name).length > 0;
}

function namedLike(name: string): readonly SecretName[] {
  const lowerCase = name.toLowerCase();
  return MATCHERS.filter(
    ({ matchers, except }) => matchers.some((matches) => matches(lowerCase)) && except?.test(lowerCase) !== true,
  );
}

/** Whether everything in this folder (any path) counts as secret. */
export function isInSecretFolder(path: string): boolean {
  return SECRET_FOLDER.test(path);
}

/**
 * Whether the file at a real path usually holds secrets, by its name or by another name of the same file (a hard link
 * nearby). A missing file does not; one that can't be read counts by its name alone. `given`: absolute path by which it
 * was reached, which counts as well: a link named `.env` leads to what a program takes for one.
 */
export function isSecretFile(real: string, given = real): boolean {
  return secretFileTest()(real, given);
}

/** Like `isSecretFile`, for many files: each folder is read once. */
export function secretFileTest(): (real: string, given?: string) => boolean {
  const inodesOf = new Map<string, ReadonlySet<string>>();
  return (real, given = real) => {
    let stats: Stats | undefined;
    try {
      stats = lstatSync(real, { throwIfNoEntry: false });
    } catch {
      return [real, given].some((path) => isInSecretFolder(dirname(path)) || hasSecretName(basename(path)));
    }
    if (stats === undefined || stats.isDirectory()) return false;
    if (isSecretByName(real, stats) || (given !== real && isSecretByName(given, stats, real))) return true;
    return stats.isFile() && stats.nlink > 1 && isLinkOfSecret(real, stats, inodesOf);
  };
}

/** Whether a text without a path (an attached file) would be secret in a file of this name. */
export function isSecretText(name: string, text: string): boolean {
  return namedLike(name).some(({ holding }) => holding?.test(text) ?? true);
}

/** `real`: where its content is. */
function isSecretByName(path: string, stats: Stats, real = path): boolean {
  if (isInSecretFolder(dirname(path))) return true;
  const named = namedLike(basename(path));
  if (named.length === 0) return false;
  if (named.some(({ holding }) => holding === undefined)) return true;
  if (!stats.isFile()) return false;
  const text = beginningOf(real);
  return text === undefined || named.some(({ holding }) => holding?.test(text));
}

/** `undefined`: it can't be read. NUL bytes are removed, so that UTF-16 reads like ASCII. */
function beginningOf(real: string): string | undefined {
  try {
    const file = openSync(real, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT);
    try {
      const bytes = Buffer.alloc(LOOKED_THROUGH_BYTES);
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

/** The location of its other names is unknown; this file's folder, its parents, and the `.ssh` of each are searched. */
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
  const names = namesIn(folder);
  const inSecretFolders = names
    .filter(isInSecretFolder)
    .flatMap((name) => namesIn(join(folder, name)).map((inside) => join(name, inside)));
  for (const path of [...names.filter(hasSecretName), ...inSecretFolders].map((name) => join(folder, name))) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && isSecretByName(path, stats)) inodes.add(`${stats.dev}:${stats.ino}`);
  }
  return inodes;
}
