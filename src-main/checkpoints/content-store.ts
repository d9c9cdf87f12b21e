import { createHash, hash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { canSignal } from '../base/can-signal.ts';
import { NEVER_A_LINK_NOR_A_WAIT } from '../base/open-flags.ts';
import type { WritableDatabase } from '../storage/database/connection.ts';

/** Up to this size contents are in the database; many small files would each cost a block of the disk. */
const MAX_IN_DATABASE_BYTES = 256 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** A disk is never filled further than this: 1 GB. */
const MIN_FREE_BYTES = 1024 ** 3;
/** Ends the name of a file that is being copied. */
const PART = '.part';

/** A content that is kept: its bytes, or the file that has them. */
export type KeptContent = { readonly bytes: Uint8Array } | { readonly file: string };

interface ContentRow {
  readonly size: number;
  readonly bytes: Uint8Array | null;
}

/**
 * What files contained, each content once. A content is found by its SHA-256 (hex), and given out only if it still has
 * it.
 */
export class ContentStore {
  readonly #database: WritableDatabase;
  readonly #folder: string;
  /** More is not kept. */
  maxBytes: number;
  /** Bytes of all contents; undefined if it must be counted. */
  #total: number | undefined;

  constructor(database: WritableDatabase, folder: string, maxBytes: number) {
    this.#database = database;
    this.#folder = folder;
    this.maxBytes = maxBytes;
  }

  has(digest: string): boolean {
    const row = this.#database
      .statement<{ is_large: number }>('SELECT bytes IS NULL AND size > 0 AS is_large FROM contents WHERE digest = ?')
      .get(digest);
    return row !== undefined && (row.is_large === 0 || existsSync(join(this.#folder, digest)));
  }

  /** Of all contents. */
  get bytes(): number {
    this.#total ??=
      this.#database.statement<{ total: number | null }>('SELECT sum(size) AS total FROM contents').get()?.total ?? 0;
    return this.#total;
  }

  /** Whether so many more bytes leave both the store and the disk enough room. */
  hasRoomFor(bytes: number): boolean {
    if (this.bytes + bytes > this.maxBytes) return false;
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize - bytes > MIN_FREE_BYTES;
  }

  /** Deletes everything but these contents, within a transaction of the caller. Their files stay: `removeUnlisted`. */
  keepOnly(digests: ReadonlySet<string>): void {
    const all = this.#database.statement<{ digest: string }>('SELECT digest FROM contents').all();
    for (const { digest } of all.filter((each) => !digests.has(each.digest)))
      this.#database.statement('DELETE FROM contents WHERE digest = ?').run(digest);
    this.#total = undefined;
  }

  /**
   * Removes the files of contents that were deleted, and what an ended process left half copied. To be called after the
   * commit: a transaction that fails brings the contents back, but not their files.
   */
  removeUnlisted(): void {
    // Another process may keep the same content again.
    this.#database.transaction(() => {
      for (const name of readdirSync(this.#folder))
        if (!this.#isListed(name) && !isBeingCopied(name)) rmSync(join(this.#folder, name), { force: true });
    });
  }

  /**
   * Keeps the content of the regular file at a pinned path, and returns its digest and size. Returns undefined if there
   * is no longer a regular file. Throws the system's errors.
   */
  keep(path: string): { readonly digest: string; readonly size: number } | undefined {
    const file = openSync(path, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return undefined;
      if (stats.size > MAX_IN_DATABASE_BYTES) return this.#keepCopy(openedPath(file, path));
      const bytes = readFileSync(file);
      return { digest: this.keepBytes(bytes), size: bytes.length };
    } finally {
      closeSync(file);
    }
  }

  /** The digest of the file at a pinned path if its content is kept already. */
  find(path: string): string | undefined {
    const digest = digestOfFile(path);
    return this.has(digest) ? digest : undefined;
  }

  /** Keeps bytes and returns their digest. */
  keepBytes(bytes: Uint8Array): string {
    const digest = hash('sha256', bytes, 'hex');
    if (!this.has(digest)) this.#add(digest, bytes.length, bytes);
    return digest;
  }

  /** Undefined if it is not kept, or is damaged. */
  get(digest: string): KeptContent | undefined {
    const row = this.#row(digest);
    if (row === undefined) return undefined;
    if (row.bytes !== null || row.size === 0) {
      // Some SQLite bindings do not distinguish an empty value from none.
      const bytes = row.bytes ?? new Uint8Array();
      return hash('sha256', bytes, 'hex') === digest ? { bytes } : undefined;
    }
    const file = join(this.#folder, digest);
    return existsSync(file) && digestOfFile(file) === digest ? { file } : undefined;
  }

  #isListed(digest: string): boolean {
    return this.#database.statement('SELECT 1 FROM contents WHERE digest = ?').get(digest) !== undefined;
  }

  #row(digest: string): ContentRow | undefined {
    return this.#database.statement<ContentRow>('SELECT size, bytes FROM contents WHERE digest = ?').get(digest);
  }

  /** The copy is what is hashed: the file may change meanwhile. */
  #keepCopy(path: string): { readonly digest: string; readonly size: number } {
    const temporary = join(this.#folder, `${process.pid}-${process.hrtime.bigint()}${PART}`);
    try {
      copyFileSync(path, temporary, constants.COPYFILE_FICLONE);
      const digest = digestOfFile(temporary);
      const { size } = statSync(temporary);
      if (!this.has(digest)) {
        chmodSync(temporary, 0o600);
        // Listed first: another process removes the files that are not.
        this.#add(digest, size, null);
        renameSync(temporary, join(this.#folder, digest));
      }
      return { digest, size };
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #add(digest: string, size: number, bytes: Uint8Array | null): void {
    this.#database
      .statement('INSERT OR REPLACE INTO contents (digest, size, bytes, kept_at) VALUES (?, ?, ?, ?)')
      .run(digest, size, bytes, new Date().toISOString());
    if (this.#total !== undefined) this.#total += size;
  }
}

/** Named after the pid of who copies it. */
function isBeingCopied(name: string): boolean {
  return name.endsWith(PART) && canSignal(Number.parseInt(name, 10));
}

/** A path that leads to the open file, whatever becomes of its name. */
function openedPath(file: number, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${file}` : path;
}

/** The SHA-256 (hex) of a file's content. */
export function digestOfFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT);
  try {
    return digestOfOpenFile(file);
  } finally {
    closeSync(file);
  }
}

/** The same of a file that was opened and not yet read. */
export function digestOfOpenFile(file: number): string {
  const sum = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const length = readSync(file, chunk);
    if (length === 0) return sum.digest('hex');
    sum.update(chunk.subarray(0, length));
  }
}
