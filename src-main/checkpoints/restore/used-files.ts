import { basename, dirname } from 'node:path';
import type { UndoRefusalReason } from '../../../src-preload/contract/undo-refusal.ts';
import type { Transition } from '../entry-state.ts';
import { isOnlyRelabelled } from './entry-writes.ts';
import { openFiles } from './open-files.ts';

/** What SQLite has beside a database (https://sqlite.org/tempfiles.html). */
const BESIDE_A_DATABASE = ['-wal', '-shm', '-journal'];
/** SQLite makes it again from the log, so that an unchanged one may stay. */
const MADE_AGAIN = '-shm';

export interface Surroundings {
  /** Whether the path is one of those to be restored, and whether something stands against it. */
  fateOf(path: string): 'restored' | 'refused' | 'untouched';
  /** The names in a folder. Empty if there is none. */
  namesIn(folder: string): ReadonlySet<string>;
}

/**
 * The steps that would harm a program that is running: it has the file open for writing, or the file is one of a
 * database. Of a database, a part of its files would be read as a damaged one, so they are only restored together, and
 * not while any process has one of them open.
 */
export function usedFiles(
  steps: readonly Transition[],
  { fateOf, namesIn }: Surroundings,
): ReadonlyMap<string, UndoRefusalReason> {
  const replaced = steps.filter(
    ({ from, to }) => (from.kind === 'file' || to.kind === 'file') && !isOnlyRelabelled(from, to),
  );
  const isThere = (path: string) => namesIn(dirname(path)).has(basename(path));
  const setOf = new Map(
    replaced.map(({ path }): [string, readonly string[]] => {
      const all = filesOfDatabase(path);
      return [path, all.slice(1).some((each) => fateOf(each) !== 'untouched' || isThere(each)) ? all : [path]];
    }),
  );
  const open = openFiles(new Set([...setOf.values()].flat()));
  const isLeftBehind = (path: string) =>
    fateOf(path) === 'refused' || (fateOf(path) === 'untouched' && isThere(path) && !path.endsWith(MADE_AGAIN));

  const refused = new Map<string, UndoRefusalReason>();
  for (const [path, files] of setOf) {
    const isDatabase = files.length > 1;
    const isInUse = files.some((file) => (isDatabase ? open.has(file) : open.get(file) === 'write'));
    if (isInUse) refused.set(path, { code: 'in_use' });
    else if (isDatabase && files.some(isLeftBehind)) refused.set(path, { code: 'part_of_database' });
  }
  return refused;
}

/** The database and what may be beside it, for any of these files. */
function filesOfDatabase(path: string): readonly string[] {
  const suffix = BESIDE_A_DATABASE.find((each) => path.endsWith(each)) ?? '';
  const database = path.slice(0, path.length - suffix.length);
  return [database, ...BESIDE_A_DATABASE.map((each) => database + each)];
}
