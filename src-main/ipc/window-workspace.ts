import { mkdirSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { isInside } from '../base/paths.ts';

export interface WindowPlaces {
  readonly launchDirectory: string;
  readonly homeFolder: string;
  readonly profileDirectory: string;
  /** The running program. */
  readonly executable: string;
}

/**
 * Where a window works that nobody gave a folder: the folder it was launched from, if that is one that a person works in. From
 * a dock or a start menu it is the root, the home folder or the program's own; then it is `Steward` in the home folder,
 * because everything in the workspace may be read without asking.
 */
export function windowWorkspace(places: WindowPlaces): string {
  const { launchDirectory, homeFolder } = places;
  if (isPlaceToWork(places)) return launchDirectory;
  const own = join(homeFolder, 'Steward');
  mkdirSync(own, { recursive: true });
  return own;
}

function isPlaceToWork({ launchDirectory, homeFolder, profileDirectory, executable }: WindowPlaces): boolean {
  const launched = resolve(launchDirectory);
  if (launched === parse(launched).root || launched === dirname(executable)) return false;
  // The home folder and what holds it are too much, the profile is never open to tools.
  return !isInside(launched, homeFolder) && !isInside(profileDirectory, launched);
}
