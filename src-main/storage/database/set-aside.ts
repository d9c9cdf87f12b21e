import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from './connection.ts';
import { type AsideWord, asideName, COMPANIONS, lastAsideName, type ProfileFiles } from './profile-folder.ts';

/**
 * Puts `files.replacement` (complete, on disk, without companions) in the place of the database, which is set aside under a
 * new name first. Killed in between, `finishReplacement` completes it at the next start. Neither may be open anywhere.
 * Returns the name of what was set aside; `undefined` if there was no database.
 */
export function replaceDatabase(files: ProfileFiles, word: AsideWord): string | undefined {
  const aside = setAside(files, word);
  putInPlace(files);
  return aside;
}

/**
 * Completes, or forgets, a replacement that was cut off: once the database is out of the way the replacement is the only
 * one; as long as it stands, it counts and the replacement was derived from it or from a copy. Also moves write-ahead logs
 * without a database out of the way: SQLite would play them into the next database of that name.
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
  renameSync(files.replacement, files.database);
  // The write-ahead log is switched on here, because that needs exclusive access for a moment.
  const connection = new Connection(files.database);
  connection.prepareForWriting();
  connection.close();
}

function setAside(files: ProfileFiles, word: AsideWord): string | undefined {
  const present = ['', ...COMPANIONS].filter((suffix) => existsSync(files.database + suffix));
  if (present.length === 0) return undefined;
  const name = present[0] === '' ? asideName(files, word) : strayName(files, word, present);
  // The database goes first: a log left behind is recognised as a stray, a database without its log would look whole.
  for (const suffix of present) renameSync(files.database + suffix, join(files.directory, name + suffix));
  return name;
}

/** A log without its database belongs to the one that was set aside last, if that one has none. */
function strayName(files: ProfileFiles, word: AsideWord, suffixes: readonly string[]): string {
  const last = lastAsideName(files, word);
  const isTaken = last === undefined || suffixes.some((suffix) => existsSync(join(files.directory, last + suffix)));
  return isTaken ? asideName(files, word) : last;
}
