import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, posix, win32 } from 'node:path';
import type { FileProblem } from '../../../src-preload/contract/servers.ts';
import { errorMessage, systemCode } from '../../base/errors.ts';
import { type PastedServers, serversInFile } from './pasted-servers.ts';
import { PROGRAMS, type ProgramPlaces } from './program-places.ts';

/** Claude Code keeps more than its servers in one file. */
const MAX_BYTES = 8 * 1024 * 1024;
/** A folder that is read for `*` has fewer files in practice. */
const MAX_MATCHES = 100;

export interface Home {
  readonly platform: NodeJS.Platform;
  readonly homeFolder: string;
  /** The project files of this folder are read as well. */
  readonly workspace: string | undefined;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** A file, or several by a pattern, and what they belong to. */
export interface Place {
  readonly program: string;
  /** The folder as it is written, because only the pattern may contain `*`. */
  readonly folder: string;
  readonly pattern: string;
  /** The file comes with the workspace, and whoever wrote that chose its servers. */
  readonly isProject: boolean;
}

export interface OtherServers {
  readonly program: string;
  readonly path: string;
  readonly isProject: boolean;
  readonly result: PastedServers | { readonly problem: FileProblem };
}

/** Every place of every program on this system. Nothing is read. */
export function allPlaces(home: Home, programs: readonly ProgramPlaces[] = PROGRAMS): readonly Place[] {
  const { workspace } = home;
  return programs.flatMap(({ name, files, project = [] }) => [
    ...files.map((file) => {
      const written = typeof file === 'string' ? file : home.platform === 'win32' ? file.win32 : file.unix;
      return { program: name, ...placeOn(home, written), isProject: false };
    }),
    ...(workspace === undefined
      ? []
      : project.map((pattern) => ({ program: name, folder: workspace, pattern, isProject: true }))),
  ]);
}

/**
 * `~` is the home folder; `{support}` where the system keeps an application's data; `{config}` the folder that
 * command-line programs use, also on macOS; `{NAME:default}` a variable of the environment, if it is an absolute path.
 */
function placeOn(home: Home, written: string): Pick<Place, 'folder' | 'pattern'> {
  const [, start = '', pattern = ''] = /^(\{[^}]*\}|~)\/(.*)$/.exec(written) ?? [];
  const [, name, otherwise = '~'] = /^\{(\w+)(?::([^}]*))?\}$/.exec(start) ?? [];
  if (name === undefined) return { folder: home.homeFolder, pattern };
  if (name === 'support') return { folder: supportFolder(home), pattern };
  if (name === 'config') return { folder: configFolder(home), pattern };
  const named = absolute(home, home.env[name]);
  if (named !== undefined) return { folder: named, pattern };
  return { folder: pathsOf(home).join(home.homeFolder, otherwise.replace(/^~\/?/, '')), pattern };
}

function supportFolder(home: Home): string {
  const { join } = pathsOf(home);
  if (home.platform === 'win32') return absolute(home, home.env.APPDATA) ?? join(home.homeFolder, 'AppData', 'Roaming');
  return home.platform === 'darwin' ? join(home.homeFolder, 'Library', 'Application Support') : configFolder(home);
}

function configFolder(home: Home): string {
  const { join } = pathsOf(home);
  const named = home.platform === 'linux' ? absolute(home, home.env.XDG_CONFIG_HOME) : undefined;
  return named ?? join(home.homeFolder, '.config');
}

/**
 * An absolute path. On Windows, network paths are refused: opening `\\evil.example\x` sends the user's credentials
 * there.
 */
function absolute({ platform }: Home, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return platform === 'win32' ? (/^[a-z]:[\\/]/i.test(path) ? path : undefined) : isAbsolute(path) ? path : undefined;
}

function pathsOf({ platform }: Home): Pick<typeof posix, 'join'> {
  return platform === 'win32' ? win32 : posix;
}

/**
 * The servers found, file by file. A file without servers is left out; one that can't be read is there with its
 * problem. Nothing is started, and nothing but these files is read.
 */
export async function serversOfOtherPrograms(home: Home): Promise<readonly OtherServers[]> {
  const found: OtherServers[] = [];
  const seen = new Set<string>();
  for (const { program, isProject, ...place } of allPlaces(home)) {
    for (const path of await pathsAt(place, home)) {
      if (seen.has(path)) continue;
      seen.add(path);
      const result = await serversIn(path);
      if (result !== undefined) found.push({ program, path, isProject, result });
    }
  }
  return found;
}

async function pathsAt({ folder, pattern }: Pick<Place, 'folder' | 'pattern'>, home: Home): Promise<readonly string[]> {
  const { join } = pathsOf(home);
  let paths = [folder];
  for (const part of pattern.split('/')) {
    const [start, end] = part.split('*');
    if (start === undefined || end === undefined) {
      paths = paths.map((path) => join(path, part));
      continue;
    }
    const inside = await Promise.all(
      paths.map(async (path) => {
        // If there is no such folder, there is nothing to find.
        const names = await readdir(path).catch(() => []);
        return names.filter((name) => name.startsWith(start) && name.endsWith(end)).map((name) => join(path, name));
      }),
    );
    paths = inside.flat().sort().slice(0, MAX_MATCHES);
  }
  return paths;
}

async function serversIn(path: string): Promise<OtherServers['result'] | undefined> {
  try {
    const status = await stat(path);
    if (!status.isFile()) return undefined;
    if (status.size > MAX_BYTES) return { problem: { code: 'file_too_large', bytes: status.size, most: MAX_BYTES } };
    const result = serversInFile((await readFile(path, 'utf8')).replace(/^\ufeff/, ''), syntaxOf(path));
    const isEmpty = 'problem' in result && (result.problem.code === 'no_servers' || result.problem.code === 'empty');
    return isEmpty ? undefined : result;
  } catch (error) {
    if (ABSENT.has(systemCode(error) ?? '')) return undefined;
    return { problem: { code: 'unreadable', reason: errorMessage(error) } };
  }
}

/** `ENOTDIR` means that what should be a folder of it is a file. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR']);

function syntaxOf(path: string): Parameters<typeof serversInFile>[1] {
  if (/\.toml$/i.test(path)) return 'toml';
  return /\.ya?ml$/i.test(path) ? 'yaml' : 'json';
}
