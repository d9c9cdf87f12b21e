import { basename, delimiter, dirname, isAbsolute, resolve } from 'node:path';
import { realPathOf } from '../../../base/real-path.ts';
import { findExecutable } from '../../../processes/find-executable.ts';
import type { ReadingPlace } from './reading-place.ts';

export interface FoundProgram {
  /** The path as it was found, which is not resolved, because some programs behave according to their name. */
  readonly path: string;
  /**
   * Tools may write to the program, or to the folder in which it was found. A model could have put it there itself, as
   * in `./bin/ls`.
   */
  readonly isInsideRoots: boolean;
  /** The program has many names, each with its own options. */
  readonly isMultiCall: boolean;
}

/**
 * The program that a name refers to for a command in this folder, or undefined if there is none. An empty or relative
 * entry of PATH is resolved against that folder, as a shell does.
 */
export async function findProgram(
  name: string,
  folder: string,
  { contains, environment }: Pick<ReadingPlace, 'contains' | 'environment'>,
): Promise<FoundProgram | undefined> {
  const folders = pathFolders(environment).map((each) => resolve(folder, each));
  const path = await findExecutable(name, folder, { ...environment, PATH: folders.join(delimiter) });
  if (path === undefined) return undefined;
  try {
    const { path: real } = await realPathOf(path);
    const { path: realFolder } = await realPathOf(dirname(path));
    const isMultiCall = /^(?:busybox|toybox)/.test(basename(real));
    return { path, isInsideRoots: contains(real) || contains(realFolder), isMultiCall };
  } catch {
    // The program exists, but the path to it can't be checked.
    return { path, isInsideRoots: true, isMultiCall: false };
  }
}

/** PATH without folders that tools may write to: programs that a script starts by name are found in the others. */
export async function safePath({
  contains,
  environment,
}: Pick<ReadingPlace, 'contains' | 'environment'>): Promise<string> {
  const folders = pathFolders(environment).filter((folder) => isAbsolute(folder));
  const real = await Promise.all(folders.map((folder) => realPathOf(folder).catch(() => undefined)));
  return folders
    .filter((_, at) => {
      const found = real[at];
      return found !== undefined && !contains(found.path);
    })
    .join(delimiter);
}

function pathFolders({ PATH, Path }: Readonly<NodeJS.ProcessEnv>): string[] {
  const path = PATH ?? Path ?? '';
  return path === '' ? [] : path.split(delimiter);
}
