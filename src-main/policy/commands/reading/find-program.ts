import { basename, delimiter, dirname, isAbsolute, resolve } from 'node:path';
import { realPathOf } from '../../../base/real-path.ts';
import { findExecutable } from '../../../processes/find-executable.ts';
import type { ReadingPlace } from './reading-place.ts';

export interface FoundProgram {
  /** As it was found: what it is called decides what some programs do. */
  readonly path: string;
  /** Tools may write to it, or to the folder that it was found in. */
  readonly isInsideRoots: boolean;
  /** One program that is many, by its name, with options of its own. */
  readonly isMultiCall: boolean;
}

/**
 * The program that a name means for a command in this folder; `undefined`: there is none. A part of PATH that is empty or
 * relative counts from that folder, as it does for a shell.
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
    // It is there, but how one gets to it cannot be looked at.
    return { path, isInsideRoots: true, isMultiCall: false };
  }
}

/** PATH without folders that tools may write to: what a script starts by its name is found in the others. */
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
