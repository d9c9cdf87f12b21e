import { errorMessage, systemCode } from '../../base/errors.ts';
import { extendedCode, isSqliteFailure, SQLITE, type SqliteFailure } from '../../base/sqlite-failure.ts';

export type StorageErrorCode =
  | 'profile_not_a_folder'
  | 'profile_not_writable'
  | 'disk_full'
  | 'io_error'
  | 'database_busy'
  | 'database_in_use'
  | 'database_too_new'
  | 'database_too_old'
  | 'database_damaged'
  | 'database_error'
  | 'migration_failed'
  | 'copy_failed'
  | 'copy_unknown'
  | 'copy_too_new'
  | 'copy_too_old'
  | 'conversation_unknown'
  | 'conversation_in_use'
  | 'too_large'
  | 'storage_closed';

/** What went wrong with the profile's database, for people: names the folder and says what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export interface SchemaVersions {
  /** The schema version of the database. */
  readonly found: number;
  /** The newest that this program reads, or the oldest. */
  readonly known: number;
}

/** A newer version wrote the profile. Nothing in it was changed. */
export class NewerProfileError extends StorageError {
  readonly versions: SchemaVersions;

  constructor(directory: string, versions: SchemaVersions) {
    super(
      'database_too_new',
      `The profile ${directory} was written by a newer version of Steward (its database has version ${versions.found}, this version knows ${versions.known}). Install the newer version, or choose another profile with --profile. Nothing was changed.`,
    );
    this.versions = versions;
  }
}

/** A version from before the first release wrote the profile. Nothing in it was changed. */
export class OlderProfileError extends StorageError {
  readonly versions: SchemaVersions;

  constructor(directory: string, versions: SchemaVersions) {
    super(
      'database_too_old',
      `The profile ${directory} was written by an early version of Steward (its database has version ${versions.found}, this version reads ${versions.known} and newer). Open it once with a Steward from the end of November 2026, which upgrades it, or choose another profile with --profile. Nothing was changed.`,
    );
    this.versions = versions;
  }
}

/**
 * Writes that fail for lack of space, other than with ENOSPC: a quota, a file size limit, a full shared-memory file
 * system.
 */
const IOERR_FOR_WANT_OF_ROOM = new Set([(3 << 8) | SQLITE.IOERR, (19 << 8) | SQLITE.IOERR]);

const IOERR_SHORT_READ = (2 << 8) | SQLITE.IOERR;

/** Whether SQLite found the file's pages, header or schema inconsistent, or part of it missing. */
export function isDamagedFile(error: unknown): boolean {
  if (!isSqliteFailure(error)) return false;
  return [SQLITE.CORRUPT, SQLITE.NOTADB].includes(error.errcode & 0xff) || extendedCode(error) === IOERR_SHORT_READ;
}

/** SQLite's messages for correct statements when the schema in the file is damaged. */
const SCHEMA_FAULT =
  /no such (table|column|index|function|tokenizer|collation)|has no column|mismatch|malformed|vtable constructor failed|invalid fts5/;

/** Whether the database is at fault. This holds for statements that match the schema of its version number. */
export function isDamage(error: unknown): boolean {
  if (isDamagedFile(error)) return true;
  return isSqliteFailure(error) && (error.errcode & 0xff) === SQLITE.ERROR && SCHEMA_FAULT.test(error.message);
}

/** Whether a statement that is valid in every Steward database was rejected, whatever the message. */
export function isRefusedStatement(error: unknown): boolean {
  return isSqliteFailure(error) && (error.errcode & 0xff) === SQLITE.ERROR && !/no such module/.test(error.message);
}

/** What is damaged, if the error reports damage. */
export function damageIn(error: unknown): string | undefined {
  if (error instanceof StorageError) return error.code === 'database_damaged' ? error.message : undefined;
  return isDamage(error) && error instanceof Error ? error.message : undefined;
}

/** Whether a row was rejected because of its content: a wrong type, a missing value, a duplicate number. */
export function isRefusedRow(error: unknown): boolean {
  return isSqliteFailure(error) && [SQLITE.CONSTRAINT, SQLITE.MISMATCH].includes(error.errcode & 0xff);
}

/** Turns whatever SQLite or the file system threw into a `StorageError` that names the folder. */
export function toStorageError(error: unknown, directory: string): StorageError {
  if (error instanceof StorageError) return error;
  if (isSqliteFailure(error)) return fromSqlite(error, directory);
  const code = systemCode(error);
  const reason = errorMessage(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return diskFull(directory, reason, error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return notWritable(directory, reason, error);
    case 'ENOTDIR':
    case 'EEXIST':
      return new StorageError(
        'profile_not_a_folder',
        `The profile ${directory} is not a folder. Choose another one with --profile, or move the file away.`,
        error,
      );
    case 'ERR_STRING_TOO_LONG':
      return tooLarge(directory, reason, error);
    default:
      if (error instanceof RangeError) return tooLarge(directory, reason, error);
      return new StorageError('io_error', `The database in ${directory} could not be used: ${reason}.`, error);
  }
}

function fromSqlite(error: SqliteFailure, directory: string): StorageError {
  const reason = error.message;
  if (isDamage(error)) {
    return new StorageError('database_damaged', `The database in ${directory} is damaged (${reason}).`, error);
  }
  if (IOERR_FOR_WANT_OF_ROOM.has(extendedCode(error))) return diskFull(directory, reason, error);
  switch (error.errcode & 0xff) {
    case SQLITE.FULL:
      return diskFull(directory, reason, error);
    case SQLITE.PERM:
    case SQLITE.READONLY:
    case SQLITE.CANTOPEN:
      return notWritable(directory, reason, error);
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return new StorageError(
        'database_busy',
        `Another process has locked the database in ${directory} for too long. Try again, or close the other Steward.`,
        error,
      );
    case SQLITE.TOOBIG:
      return tooLarge(directory, reason, error);
    case SQLITE.IOERR:
      return new StorageError(
        'io_error',
        `The disk that holds ${directory} reported an error (${reason}). Check the disk. Everything saved before is kept.`,
        error,
      );
    default:
      return new StorageError('database_error', `The database in ${directory} refused a statement: ${reason}.`, error);
  }
}

function diskFull(directory: string, reason: string, cause: unknown): StorageError {
  return new StorageError(
    'disk_full',
    `There is no space left in ${directory} (${reason}). Free some on that disk and try again. Everything saved before is kept.`,
    cause,
  );
}

function notWritable(directory: string, reason: string, cause: unknown): StorageError {
  return new StorageError(
    'profile_not_writable',
    `The profile folder ${directory} cannot be written to (${reason}). Give yourself write access to it, or choose another one with --profile.`,
    cause,
  );
}

function tooLarge(directory: string, reason: string, cause: unknown): StorageError {
  return new StorageError('too_large', `This entry is too large to be stored in ${directory} (${reason}).`, cause);
}
