import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { BASE_SCHEMA } from './migrations/base-schema.ts';
import { databaseIn } from './profile-folder.ts';
import { APPLICATION_ID, MIGRATIONS, newestSchema } from './schema.ts';
import { NewerProfileError, OlderProfileError } from './storage-error.ts';

/** The positions in a database's header. Source: https://sqlite.org/fileformat.html#the_database_header */
const HEADER = { bytes: 100, userVersion: 60, applicationId: 68 };
const MAGIC = 'SQLite format 3\0';

/** The positions in the header of a write-ahead log. Source: https://sqlite.org/fileformat.html#the_write_ahead_log */
const LOG = { headerBytes: 32, pageSize: 8, salts: 16, saltBytes: 8, checksum: 24 };
const FRAME = { headerBytes: 24, pagesAfterCommit: 4, salts: 8, checksum: 16 };
const PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];
const LOG_MAGIC = 0x377f0682;
/** Set in the magic number if checksums are over big-endian words. */
const BIG_ENDIAN = 1;

/**
 * Throws `NewerProfileError` or `OlderProfileError` if this version can't read the database of this profile. It may be
 * in use by a version that can. Nothing is touched: SQLite would make files beside the database to read it, and would
 * empty its write-ahead log afterwards. So this reads the bytes itself, and must run before this process opens the
 * database (POSIX would drop its locks). What is missing, unreadable or damaged is not refused.
 */
export function refuseOtherVersions(directory: string): void {
  const found = schemaVersionOf(databaseIn(resolve(directory)));
  if (found !== undefined) refuseSchema(resolve(directory), found, newestSchema(MIGRATIONS));
}

/**
 * Refuses a schema version in the same way, once it was found. No version of Steward wrote one below 1, so that is
 * damage.
 */
export function refuseSchema(directory: string, found: number, known: number): void {
  if (found > known) throw new NewerProfileError(directory, { found, known });
  if (found > 0 && found < BASE_SCHEMA) throw new OlderProfileError(directory, { found, known: BASE_SCHEMA });
}

/** The number of the last migration that was committed. Undefined if this is not a readable Steward database. */
export function schemaVersionOf(database: string): number | undefined {
  // First: its content may be moved to the database at any time, never back.
  const inLog = whileOpen(`${database}-wal`, versionInLog);
  const inFile = whileOpen(database, versionInFile);
  return inFile === undefined ? undefined : (inLog ?? inFile);
}

function whileOpen<T>(path: string, read: (file: number) => T | undefined): T | undefined {
  let file: number | undefined;
  try {
    // Opening a pipe would wait for a writer.
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, 'r');
    return read(file);
  } catch (error) {
    // Whoever opens the profile next says what is wrong with it.
    if (systemCode(error) === '') throw error;
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function versionInFile(file: number): number | undefined {
  const header = bytesAt(file, 0, HEADER.bytes);
  return header === undefined ? undefined : versionInPage(header);
}

function versionInPage(page: Buffer): number | undefined {
  if (page.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  if (page.readUInt32BE(HEADER.applicationId) !== APPLICATION_ID) return undefined;
  return page.readUInt32BE(HEADER.userVersion);
}

/** The version in the first page that was committed last. Undefined if there is none in the log. */
function versionInLog(file: number): number | undefined {
  const header = bytesAt(file, 0, LOG.headerBytes);
  if (header === undefined) return undefined;
  const magic = header.readUInt32BE(0);
  if ((magic & ~BIG_ENDIAN) !== LOG_MAGIC) return undefined;
  const checksum = new Checksum((magic & BIG_ENDIAN) === BIG_ENDIAN);
  checksum.add(header.subarray(0, LOG.checksum));
  if (!checksum.isAt(header, LOG.checksum)) return undefined;
  const salts = header.subarray(LOG.salts, LOG.salts + LOG.saltBytes);
  const pageSize = header.readUInt32BE(LOG.pageSize);

  let committed: number | undefined;
  let written: number | undefined;
  if (!PAGE_SIZES.includes(pageSize)) return undefined;
  const frameBytes = Buffer.alloc(FRAME.headerBytes + pageSize);
  for (let at = LOG.headerBytes; ; at += frameBytes.length) {
    const frame = filledFrom(file, at, frameBytes);
    // After the last frame of the log follow frames of an earlier use, which have other salts.
    if (frame === undefined || !frame.subarray(FRAME.salts, FRAME.salts + LOG.saltBytes).equals(salts))
      return committed;
    const page = frame.subarray(FRAME.headerBytes);
    checksum.add(frame.subarray(0, FRAME.salts));
    checksum.add(page);
    if (!checksum.isAt(frame, FRAME.checksum)) return committed;
    if (frame.readUInt32BE(0) === 1) written = versionInPage(page);
    if (frame.readUInt32BE(FRAME.pagesAfterCommit) > 0) committed = written;
  }
}

/** The checksum of the log. Source: https://sqlite.org/fileformat.html#checksum_algorithm */
class Checksum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  /** The length of `bytes` is a multiple of eight. */
  add(bytes: Buffer): void {
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let [first, second] = [this.#first, this.#second];
    for (let at = 0; at < bytes.length; at += 8) {
      first = (first + words.getUint32(at, !this.#isBigEndian) + second) | 0;
      second = (second + words.getUint32(at + 4, !this.#isBigEndian) + first) | 0;
    }
    this.#first = first >>> 0;
    this.#second = second >>> 0;
  }

  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second;
  }
}

function bytesAt(file: number, position: number, length: number): Buffer | undefined {
  return filledFrom(file, position, Buffer.alloc(length));
}

/** Undefined if the file has fewer bytes there. */
function filledFrom(file: number, position: number, bytes: Buffer): Buffer | undefined {
  return readSync(file, bytes, 0, bytes.length, position) === bytes.length ? bytes : undefined;
}
