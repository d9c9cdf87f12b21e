import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { renameOverSync } from '../../base/rename-over.ts';
import { openWritable } from './connection.ts';
import { type AsideWord, asideName, COMPANIONS, lastAsideName, type ProfileFiles } from './profile-folder.ts';

/**
 * Replaces the database with `files.replacement` (complete, on disk, without companion files), after renaming the old
 * one. If this is killed in between, `finishReplacement` completes it at the next start. Neither may be open anywhere.
 * Returns the new name of the old database, or undefined if there was none.
 */
export function replaceDatabase(files: ProfileFiles, word: AsideWord): string | undefined {
  const aside = setAside(files, word);
  putInPlace(files);
  return aside;
}

/**
 * Completes, or discards, an interrupted replacement: if the database was already moved, the replacement is the only
 * one; if it is still in place, it counts, and the replacement was derived from it or from a backup. Also moves
 * write-ahead logs without a database out of the way: SQLite would apply them to the next database of that name.
 */
export function finishReplacement(files: ProfileFiles): void {
  for (const name of readdirSync(files.directory)) {
    if (name.startsWith('steward.db.new')) rmSync(join(files.directory, name), { force: true });
  }
  if (existsSync(files.database)) {
    rmSync(files.replacement, { force: true });
    return;
  }
  setAside(files, 'damaged');
  if (existsSync(files.replacement)) putInPlace(files);
}

function putInPlace(files: ProfileFiles): void {
  renameOverSync(files.replacement, files.database);
  // The write-ahead log is enabled here, because that needs exclusive access for a moment.
  const connection = openWritable(files.database);
  connection.prepareForWriting();
  connection.close();
}

function setAside(files: ProfileFiles, word: AsideWord): string | undefined {
  const present = ['', ...COMPANIONS].filter((suffix) => existsSync(files.database + suffix));
  if (present.length === 0) return undefined;
  const name = present[0] === '' ? asideName(files, word) : strayName(files, word, present);
  // The database goes first: a log left behind is recognised as a stray, a database without its log would look whole.
  for (const suffix of present) renameOverSync(files.database + suffix, join(files.directory, name + suffix));
  return name;
}

/** A log without its database belongs to the last database that was set aside, if that has none. */
function strayName(files: ProfileFiles, word: AsideWord, suffixes: readonly string[]): string {
  const last = lastAsideName(files, word);
  const isTaken = last === undefined || suffixes.some((suffix) => existsSync(join(files.directory, last + suffix)));
  return isTaken ? asideName(files, word) : last;
}
