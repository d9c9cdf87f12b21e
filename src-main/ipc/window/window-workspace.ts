import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { isInside } from '../../base/paths.ts';

export interface WindowPlaces {
  readonly launchDirectory: string;
  readonly homeFolder: string;
  readonly profileDirectory: string;
  /** The running program. */
  readonly executable: string;
}

/**
 * The default workspace of a window: the folder it was launched from, if people would work in it. From a dock or start
 * menu that is the root, the home folder or the program's folder; `Steward` in the home folder is then used instead,
 * because everything in the workspace may be read without asking.
 */
export function windowWorkspace(places: WindowPlaces): string {
  const { launchDirectory, homeFolder } = places;
  if (isPlaceToWork(places)) return launchDirectory;
  const own = join(homeFolder, 'Steward');
  try {
    mkdirSync(own, { recursive: true });
  } catch {
    // The window says what is wrong with it.
  }
  return own;
}

function isPlaceToWork({ launchDirectory, homeFolder, profileDirectory, executable }: WindowPlaces): boolean {
  const launched = resolve(launchDirectory);
  if (launched === parse(launched).root || launched === dirname(executable)) return false;
  if (!canBeRead(launched)) return false;
  // The home folder and its parents are too broad, and tools may never use the profile.
  return !isInside(launched, homeFolder) && !isInside(profileDirectory, launched);
}

function canBeRead(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
