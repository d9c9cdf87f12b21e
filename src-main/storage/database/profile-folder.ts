import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, toStorageError } from './storage-error.ts';

/** Names of storage's files in a profile. Only this file knows where they are. */
export interface ProfileFiles {
  readonly directory: string;
  readonly database: string;
  /** A complete database that is about to replace `database`; exists only during the replacement. */
  readonly replacement: string;
  readonly backups: string;
  readonly locks: string;
}

/** SQLite's companion files of a database, which are useless when it is gone. */
export const COMPANIONS = ['-wal', '-shm'] as const;

export function databaseIn(directory: string): string {
  return join(directory, 'steward.db');
}

/**
 * Ensures that the profile is a writable folder; only newly created folders get a mode. Throws `StorageError`
 * (`profile_not_a_folder`, `profile_not_writable`, `disk_full`).
 */
export function openProfileFolder(directory: string): ProfileFiles {
  const files: ProfileFiles = {
    directory,
    database: databaseIn(directory),
    replacement: join(directory, 'steward.db.replacement'),
    backups: join(directory, 'backups'),
    locks: join(directory, 'locks'),
  };
  try {
    for (const folder of [directory, files.backups, files.locks]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!statSync(folder).isDirectory()) throw new StorageError('profile_not_a_folder', `${folder} is not a folder.`);
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    throw toStorageError(error, directory);
  }
  return files;
}

/** Makes a database inaccessible to other users of the machine; its companion files get the same mode. */
export function keepPrivate(file: string): void {
  const { mode, uid } = statSync(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600);
}

export type AsideWord = 'damaged' | 'before-restore';

/** The first free name `steward.db.WORD-N`; N is larger than any existing one, so that it also tells the order. */
export function asideName(files: ProfileFiles, word: AsideWord): string {
  return `steward.db.${word}-${lastAsideNumber(files, word) + 1}`;
}

/** The last name that was assigned, or undefined if there is none yet. */
export function lastAsideName(files: ProfileFiles, word: AsideWord): string | undefined {
  const number = lastAsideNumber(files, word);
  return number === 0 ? undefined : `steward.db.${word}-${number}`;
}

function lastAsideNumber(files: ProfileFiles, word: AsideWord): number {
  const pattern = new RegExp(`^steward\\.db\\.${word}-(\\d+)`);
  return Math.max(0, ...readdirSync(files.directory).map((name) => Number(pattern.exec(name)?.[1] ?? 0)));
}
