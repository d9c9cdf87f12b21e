import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compileGlob } from '../../base/glob.ts';
import { PathGlob } from '../../base/path-glob.ts';
import { walk } from '../files/walker.ts';
import type { WorkspaceFiles } from '../files/workspace-files.ts';
import type { SearchScope } from './ripgrep.ts';

/**
 * Symlinks below a directory that lead to files inside the roots: ripgrep follows either all symlinks or none. Relative to
 * the directory, with `/`.
 */
export async function findLinkedFiles(
  scope: SearchScope,
  files: WorkspaceFiles,
  signal: AbortSignal,
): Promise<string[]> {
  const links: string[] = [];
  const isSkipped = scope.skippedNames.map(compileGlob);
  const isSkippedName = (name: string) => isSkipped.some((matches) => matches(name.toLowerCase()));
  const isWanted = pathMatcher(scope.namePattern);
  await walk({
    directory: scope.directory,
    recursive: scope.isRecursive,
    signal,
    enters: (directory) => files.contains(directory) && !isSkippedName(baseName(directory)),
    wantsIn: () => (_name, kind) => kind === 'symlink',
    onEntry: ({ path }) => links.push(path),
  });
  const wanted = links.filter((link) => isWanted(link) && !isSkippedName(baseName(link)));
  const leads = await Promise.all(wanted.map((link) => leadsInside(join(scope.directory, link), files)));
  return wanted.filter((_link, index) => leads[index]);
}

/** On the name, or on the whole path if the pattern has a `/` in it: as ripgrep does it. */
function pathMatcher(pattern: string): (path: string) => boolean {
  if (pattern.includes('/')) {
    const glob = new PathGlob(pattern, { hidden: true });
    return (path) => glob.matches(path);
  }
  const matches = compileGlob(pattern);
  return (path) => matches(baseName(path));
}

async function leadsInside(link: string, files: WorkspaceFiles): Promise<boolean> {
  try {
    const real = await realpath(link);
    return files.contains(real) && (await stat(real)).isFile();
  } catch {
    // Leads nowhere, or where we may not look.
    return false;
  }
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
