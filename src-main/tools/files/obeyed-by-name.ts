import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { FileAccess } from '../../policy/access.ts';
import { isObeyed } from '../../policy/obeyed-files.ts';
import type { WorkspaceFile } from './workspace-file.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** Settings of Git that name a file or folder which it runs or obeys, such as other settings. */
const SETTINGS: ReadonlySet<string> = new Set(['hookspath', 'fsmonitor', 'path']);
/** What a `.git` is that is no folder. */
const GIT_FOLDER = 'gitdir:';

/** The accesses of a tool to a file. A write says if programs obey the file although its name doesn't tell. */
export async function withObeyed(
  access: readonly FileAccess[],
  file: WorkspaceFile,
  files: Pick<WorkspaceFiles, 'realRoots'>,
): Promise<readonly FileAccess[]> {
  if (!(await isNamed(file, files.realRoots))) return access;
  return access.map((each) => (each.class === 'write' ? { ...each, isObeyed: true } : each));
}

async function isNamed({ real, absolute }: WorkspaceFile, roots: readonly string[]): Promise<boolean> {
  const root = roots.find((each) => isInside(each, real));
  if (root === undefined) return false;
  // A link on the path as it was written.
  if (real !== absolute && isObeyed(absolute)) return true;
  for (let folder = dirname(real); isInside(root, folder); folder = dirname(folder)) {
    const obeyed = await obeyedFrom(join(folder, '.git'), root);
    const there = await Promise.all(obeyed.map((each) => realpath(each).catch(() => each)));
    if ([...obeyed, ...there].some((each) => isInside(each, real))) return true;
  }
  return false;
}

/** Paths in the root that are obeyed because this is, whatever their names. Some of them may not exist. */
export async function obeyedFrom(path: string, root: string): Promise<readonly string[]> {
  const ofGit = path.toLowerCase().endsWith('/.git') ? await obeyedByGit(path) : [];
  const links = await Promise.all([path, ...ofGit].map(linksIn));
  return [...ofGit, ...links.flat()].filter((each) => each !== root && isInside(root, each));
}

async function obeyedByGit(path: string): Promise<readonly string[]> {
  const tree = dirname(path);
  const text = await textOf(path);
  const own = text.startsWith(GIT_FOLDER) ? resolve(tree, text.slice(GIT_FOLDER.length).trim()) : path;
  // Working trees of the same repository have folders of their own, with settings in a common one.
  const common = resolve(own, (await textOf(join(own, 'commondir'))).trim());
  const folders = [...new Set([own, common])];
  const settings = folders.flatMap((folder) => [join(folder, 'config'), join(folder, 'config.worktree')]);
  const named = await Promise.all(settings.map((file) => namedBy(file, [tree, own])));
  return [...folders.filter((folder) => folder !== path), join(common, 'hooks'), ...named.flat()];
}

/** What settings name, and what those name that they include. Git takes some paths from one place, some from another. */
async function namedBy(file: string, places: readonly string[], seen = new Set<string>()): Promise<readonly string[]> {
  if (seen.has(file)) return [];
  seen.add(file);
  const values = namedIn(await textOf(file));
  const named = values.flatMap((value) => [dirname(file), ...places].map((place) => resolve(place, value)));
  const further = await Promise.all(named.map((each) => namedBy(each, places, seen)));
  return [...named, ...further.flat()];
}

/** The files, folders and programs that settings of Git name. */
function namedIn(settings: string): readonly string[] {
  return settings.split('\n').flatMap((line) => {
    const equals = line.indexOf('=');
    const key = line.slice(line.lastIndexOf(']', equals) + 1, Math.max(0, equals));
    if (!SETTINGS.has(key.trim().toLowerCase())) return [];
    const value = line
      .slice(equals + 1)
      .replaceAll('"', '')
      .trim();
    // A program may have arguments.
    return value === 'true' || value === 'false' ? [] : [value, value.split(' ')[0] ?? ''];
  });
}

/** A hook may be a link to a script of the project. */
async function linksIn(folder: string): Promise<readonly string[]> {
  const within = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return within.flatMap((each) => (each.isSymbolicLink() ? [join(folder, each.name)] : []));
}

/** Empty if it is no file that can be read. */
async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
