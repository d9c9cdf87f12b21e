import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NotReading, type ReadingPlace } from '../reading/reading-place.ts';
import { isHarmless, type RepositorySetting, settingsIn } from './repository-settings.ts';

export interface FoundRepository {
  /** The real path of its working tree, which contains `.git`. */
  readonly root: string;
  readonly settings: readonly RepositorySetting[];
}

const MAX_CONFIG_BYTES = 100_000;
/** The folders that every repository has. */
const FOLDERS = ['objects', 'refs'];
const FILES = ['HEAD', 'config'];
/** Each of these makes another folder part of the repository. */
const LEADING_AWAY = ['commondir', 'objects/info/alternates', 'objects/info/http-alternates'];
/** These may be missing, but must not be links. */
const NO_LINKS = ['index', 'packed-refs', 'info', 'logs', 'objects/info', 'objects/pack', 'shallow'];

/**
 * Finds the repository around a real folder, without running git. Throws `NotReading` if there is none inside the
 * roots, or if its layout is not that of `git init` and `git clone`: linked worktrees, submodules, bare repositories,
 * borrowed objects, settings that are not known to be harmless. Source: gitrepository-layout(5).
 */
export async function findRepository(
  folder: string,
  { contains }: Pick<ReadingPlace, 'contains'>,
): Promise<FoundRepository> {
  for (let root = folder; contains(root); root = dirname(root)) {
    const gitDirectory = join(root, '.git');
    if ((await kindOf(gitDirectory)) === 'missing') continue;
    await requirePlain(gitDirectory);
    return { root, settings: await harmlessSettings(join(gitDirectory, 'config')) };
  }
  throw new NotReading('no repository inside the roots');
}

async function requirePlain(gitDirectory: string): Promise<void> {
  for (const folder of ['', ...FOLDERS])
    if ((await kindOf(join(gitDirectory, folder))) !== 'folder') throw new NotReading('no plain repository');
  for (const file of FILES)
    if ((await kindOf(join(gitDirectory, file))) !== 'file') throw new NotReading('no plain repository');
  for (const path of LEADING_AWAY)
    if ((await kindOf(join(gitDirectory, path))) !== 'missing') throw new NotReading('parts of it are elsewhere');
  for (const path of NO_LINKS)
    if ((await kindOf(join(gitDirectory, path))) === 'other') throw new NotReading('a link in a repository');
}

async function harmlessSettings(path: string): Promise<readonly RepositorySetting[]> {
  if ((await lstat(path)).size > MAX_CONFIG_BYTES) throw new NotReading('too large a configuration');
  const settings = settingsIn(await readFile(path, 'utf8'));
  if (!settings?.every(isHarmless)) throw new NotReading('a setting that is not known');
  return settings;
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'other' | 'missing'> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 'missing';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'other';
}
