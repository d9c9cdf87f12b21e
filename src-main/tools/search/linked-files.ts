import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { walk } from '../files/walker.ts';
import type { WorkspaceFiles } from '../files/workspace-files.ts';
import { compileGlob } from '../glob.ts';
import { type SearchScope, SKIPPED_NAMES } from './ripgrep.ts';

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
  const isGit = compileGlob('.git');
  const isSkipped = SKIPPED_NAMES.map(compileGlob);
  const isWanted = compileGlob(scope.namePattern);
  await walk({
    directory: scope.directory,
    recursive: scope.isRecursive,
    signal,
    enters: (directory) => files.contains(directory) && !isGit(baseName(directory).toLowerCase()),
    onEntry: ({ path, kind }) => {
      if (kind === 'symlink') links.push(path);
    },
  });
  const wanted = links.filter((link) => {
    const name = baseName(link);
    return isWanted(name) && !isSkipped.some((matches) => matches(name.toLowerCase()));
  });
  const leads = await Promise.all(wanted.map((link) => leadsInside(join(scope.directory, link), files)));
  return wanted.filter((_link, index) => leads[index]);
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
