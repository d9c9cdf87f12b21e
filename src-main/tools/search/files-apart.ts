import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compileGlob } from '../../base/glob.ts';
import { PathGlob } from '../../base/path-glob.ts';
import { isInSecretFolder, secretNameGlobs } from '../../policy/secret-file-names.ts';
import { secretFileTest } from '../../policy/secret-files.ts';
import { walk } from '../files/walker.ts';
import type { WorkspaceFiles } from '../files/workspace-files.ts';
import type { SearchScope } from './ripgrep.ts';

/**
 * The files below a directory that ripgrep's own walk excludes. Their paths are relative to the directory, with `/`.
 */
export interface FilesApart {
  /**
   * Links to files (ripgrep follows either all links or none), and files that hold no secrets although their name
   * suggests it.
   */
  readonly searchable: readonly string[];
  /** These files are never searched. */
  readonly secret: readonly string[];
  /** False if the deadline passed before every folder was read. */
  readonly isComplete: boolean;
}

export async function findFilesApart(
  scope: SearchScope,
  files: WorkspaceFiles,
  { signal, deadline }: { readonly signal: AbortSignal; readonly deadline: AbortSignal },
): Promise<FilesApart> {
  const found: string[] = [];
  const isSkipped = scope.skippedNames.map(compileGlob);
  const isSkippedName = (name: string) => isSkipped.some((matches) => matches(name.toLowerCase()));
  const isWanted = pathMatcher(scope.namePattern);
  const isSecret = secretFileTest();
  await walk({
    directory: scope.directory,
    recursive: scope.isRecursive,
    signal,
    deadline,
    enters: (directory) => files.contains(directory) && !isSkippedName(baseName(directory)),
    wantsIn: (folder) => {
      const isSecretFolder = isInSecretFolder(join(scope.directory, folder));
      return (name, kind) => kind === 'symlink' || isSecretFolder || isLeftToTest(name);
    },
    onEntry: ({ path }) => found.push(path),
  });
  const isComplete = !deadline.aborted;
  const wanted = found.filter((path) => isWanted(path) && !isSkippedName(baseName(path)));
  const kinds = await Promise.all(wanted.map((path) => kindOf(join(scope.directory, path), files, isSecret)));
  const ofKind = (kind: FileKind) => wanted.filter((_path, index) => kinds[index] === kind);
  return { searchable: ofKind('searchable'), secret: ofKind('secret'), isComplete };
}

type FileKind = 'searchable' | 'secret';

const SECRET_NAMES = secretNameGlobs.map(compileGlob);

/** Whether ripgrep excludes a file of this name. */
function isLeftToTest(name: string): boolean {
  const lowerCase = name.toLowerCase();
  return SECRET_NAMES.some((matches) => matches(lowerCase));
}

/** Matches the name, or the whole path if the pattern contains a `/`, as ripgrep does. */
function pathMatcher(pattern: string): (path: string) => boolean {
  if (pattern.includes('/')) {
    const glob = new PathGlob(pattern, { hidden: true });
    return (path) => glob.matches(path);
  }
  const matches = compileGlob(pattern);
  return (path) => matches(baseName(path));
}

/** Undefined if it leads nowhere, or outside the allowed places. */
async function kindOf(
  path: string,
  files: WorkspaceFiles,
  isSecret: (real: string, given: string) => boolean,
): Promise<FileKind | undefined> {
  try {
    const real = await realpath(path);
    if (!files.contains(real) || !(await stat(real)).isFile()) return undefined;
    return isSecret(real, path) ? 'secret' : 'searchable';
  } catch {
    return undefined;
  }
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
