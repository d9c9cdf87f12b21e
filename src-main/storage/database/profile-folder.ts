import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, toStorageError } from './storage-error.ts';

/** Names of what storage keeps in a profile. Only this file knows where things lie. */
export interface ProfileFiles {
  readonly directory: string;
  readonly database: string;
  /** A complete database that is about to take the place of `database`; only there while one replaces the other. */
  readonly replacement: string;
  readonly backups: string;
  readonly locks: string;
}

/** SQLite's companions of a database file: they only make sense beside it. */
export const COMPANIONS = ['-wal', '-shm'] as const;

/**
 * Makes sure that the profile is a folder we can write to; only folders that are created get a mode.
 * Throws `StorageError` (`profile_not_a_folder`, `profile_not_writable`, `disk_full`).
 */
export function openProfileFolder(directory: string): ProfileFiles {
  const files: ProfileFiles = {
    directory,
    database: join(directory, 'steward.db'),
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

/** Takes a database away from other users of the machine; the companions follow the mode of the database. */
export function keepPrivate(file: string): void {
  const { mode, uid } = statSync(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600);
}

export type AsideWord = 'damaged' | 'before-restore';

/** The first free name `steward.db.WORD-N`; N is larger than any that is there, so that it also tells the order. */
export function asideName(files: ProfileFiles, word: AsideWord): string {
  return `steward.db.${word}-${lastAsideNumber(files, word) + 1}`;
}

/** The name that was given last; `undefined`: none yet. */
export function lastAsideName(files: ProfileFiles, word: AsideWord): string | undefined {
  const number = lastAsideNumber(files, word);
  return number === 0 ? undefined : `steward.db.${word}-${number}`;
}

function lastAsideNumber(files: ProfileFiles, word: AsideWord): number {
  const pattern = new RegExp(`^steward\\.db\\.${word}-(\\d+)`);
  return Math.max(0, ...readdirSync(files.directory).map((name) => Number(pattern.exec(name)?.[1] ?? 0)));
}
