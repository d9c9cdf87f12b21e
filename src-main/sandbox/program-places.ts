import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** What is beside a folder `bin` and what its programs load. `share` is not: it is full of other things. */
const BESIDE_PROGRAMS = ['lib', 'lib64', 'libexec', 'include', 'pyvenv.cfg'];
/** Folders of the system are there as a whole. */
const OF_SYSTEM = /^\/(?:usr|bin|sbin|opt|snap|nix)(?:\/|$)/;
const MOST_PROGRAMS = 500;

/**
 * The folders of PATH, with what the programs there need, and the programs that are elsewhere and have only a link
 * there. Relative ones would mean another folder in each call. A folder for which `isLeftOut` (a real path) holds more
 * than programs, or is in a root: what somebody put there must not show more than the root.
 */
export async function programPlaces(path: string, isLeftOut: (real: string) => boolean): Promise<readonly string[]> {
  const given = [
    ...new Set(
      path
        .split(':')
        .filter((folder) => isAbsolute(folder))
        .map((folder) => resolve(folder)),
    ),
  ];
  const real = await Promise.all(given.map((folder) => realpath(folder).catch(() => undefined)));
  const folders = given.filter((_, index) => {
    const there = real[index];
    return there !== undefined && !isLeftOut(there);
  });
  const linked = await Promise.all(folders.filter((folder) => !OF_SYSTEM.test(folder)).map(linkedFrom));
  return [...folders.flatMap(withWhatTheyLoad), ...linked.flat().filter((place) => !isLeftOut(place))];
}

function withWhatTheyLoad(folder: string): readonly string[] {
  const around = dirname(folder);
  if (basename(folder) === '.bin' && basename(around) === 'node_modules') return [around];
  return basename(folder) === 'bin' ? [folder, ...BESIDE_PROGRAMS.map((name) => join(around, name))] : [folder];
}

/** What the links in a folder lead to, if that is a program: the folder `bin` of a package, or one file. */
async function linkedFrom(folder: string): Promise<readonly string[]> {
  // A folder of PATH that doesn't exist is common.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).slice(0, MOST_PROGRAMS);
  const targets = await Promise.all(links.map(({ name }) => programAt(join(folder, name))));
  const elsewhere = targets.flatMap((target) => (target === undefined || OF_SYSTEM.test(target) ? [] : target));
  const places = elsewhere.flatMap((target) => {
    const around = dirname(target);
    return basename(around) === 'bin' ? withWhatTheyLoad(around) : [target];
  });
  return [...new Set(places)];
}

/** The real path of a program, or undefined if there is none. */
async function programAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    await access(real, constants.X_OK);
    return (await stat(real)).isFile() ? real : undefined;
  } catch {
    // The link leads nowhere, or to what this user can't start.
    return undefined;
  }
}
