import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../base/paths.ts';
import { realPathOf, UnresolvablePath } from '../base/real-path.ts';

export interface UpwardSearch {
  /** The relative path that is looked for, without `..`. */
  readonly given: string;
  /** The real path of the folder whose parents are searched. */
  readonly from: string;
  /** The real path of the home folder. The search never looks into it or above it. */
  readonly home: string;
}

/**
 * Looks for a file in the parents of a folder, up to and including the root of the repository around it, which is the
 * nearest folder with a `.git`. Returns its path as found and its real path, which lies inside that repository: a link
 * from there to `~/.ssh/id_rsa` is not followed. Null without a repository or such a file. Source: tool catalogue B.1,
 * read_file ("Relative lookup").
 */
export async function searchUpwards(search: UpwardSearch): Promise<{ absolute: string; real: string } | null> {
  const repository = await repositoryAround(search.from);
  if (repository === null) return null;
  let folder = search.from;
  while (folder !== repository) {
    folder = dirname(folder);
    if (isInside(folder, search.home)) return null;
    const absolute = join(folder, search.given);
    const real = await realFile(absolute);
    if (real !== null && isInside(repository, real)) return { absolute, real };
  }
  return null;
}

async function repositoryAround(start: string): Promise<string | null> {
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function realFile(path: string): Promise<string | null> {
  try {
    const real = await realPathOf(path);
    if (!real.exists) return null;
    return (await stat(real.path)).isFile() ? real.path : null;
  } catch (error) {
    // A parent that can't be read is skipped, and the search continues above it.
    if (error instanceof UnresolvablePath || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}
