import type { ReadableDatabase, WritableDatabase } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { StorageError } from '../database/storage-error.ts';

/** A file's version before one call changed it. */
export interface BeforeImage {
  /** Ascending in the order of the changes. */
  readonly num: number;
  readonly turnId: string;
  readonly callId: string;
  /** The real path. */
  readonly path: string;
  /** Null if there was no file. */
  readonly before: {
    /** SHA-256 (hex), or null if the file is too large to know it. */
    readonly hash: string | null;
    readonly size: number;
    /** The permission bits. */
    readonly mode: number;
  } | null;
  /** The hash of what the call was about to write, or null if not known. The file itself shows whether it did. */
  readonly afterHash: string | null;
  /** Real paths of folders that the call created, outermost first. */
  readonly madeFolders: readonly string[];
  /** The bytes are missing: the file was too large, or they were deleted to save space. */
  readonly isDropped: boolean;
  readonly isUndone: boolean;
}

export interface NewBeforeImage extends Omit<BeforeImage, 'num' | 'isDropped' | 'isUndone'> {
  /** Null if there was no file, or if it is too large to keep. */
  readonly bytes: Uint8Array | null;
}

/** An image whose bytes were deleted to make room for a newer one. */
export interface DroppedImage {
  readonly path: string;
  readonly conversationId: string;
}

/** File versions from before tools changed them, for undo. All methods throw `StorageError`. */
export interface BeforeImages {
  /** Committed when it returns; the oldest are deleted to make room. */
  add(conversationId: string, image: NewBeforeImage): { readonly num: number; readonly dropped: DroppedImage[] };
  /** The change turned out different from the plan. */
  setAfterHash(num: number, hash: string | null): void;
  /** The change was not made after all. */
  remove(num: number): void;
  /** The images of one conversation, oldest first, without their bytes. */
  list(conversationId: string): BeforeImage[];
  /** Undefined if they were not kept. */
  bytes(num: number): Uint8Array | undefined;
  markUndone(nums: readonly number[]): void;
  /** They were made again, and can be undone again. */
  markRedone(nums: readonly number[]): void;
  /** The bytes of all conversations, and the calls that they would undo. */
  amount(): { readonly bytes: number; readonly calls: number };
  /** Deletes the bytes of all conversations, and overwrites them in the database. */
  clear(): Promise<void>;
}

/** Maximum number of bytes kept for undo. */
export interface BeforeImageLimits {
  readonly perConversation: number;
  readonly perProfile: number;
}

/** A larger single file is not kept at all: 20 MB. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** The limits are 100 MB and 500 MB. */
const LIMITS: BeforeImageLimits = { perConversation: 100 * 1024 * 1024, perProfile: 500 * 1024 * 1024 };

interface ImageRow {
  readonly num: number;
  readonly turn_id: string;
  readonly call_id: string;
  readonly path: string;
  readonly existed: number;
  readonly before_hash: string | null;
  readonly after_hash: string | null;
  readonly mode: number | null;
  readonly made_folders: string;
  readonly size: number;
  readonly dropped: number;
  readonly undone: number;
}

interface OldestRow extends DroppedImage {
  readonly num: number;
  readonly size: number;
  readonly undone: number;
}

const CLEARED_AT_ONCE = 5;

const INSERT = `
  INSERT INTO before_images
    (conversation, turn_id, call_id, path, existed, before_hash, after_hash, mode, made_folders, size, dropped, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const SELECT = `
  SELECT num, turn_id, call_id, path, existed, before_hash, after_hash, mode, made_folders, size, dropped, undone
  FROM before_images WHERE conversation = (SELECT num FROM conversations WHERE id = ?) ORDER BY num`;
const OLDEST = `
  SELECT before_images.num, path, size, undone, conversations.id AS conversationId
  FROM before_images JOIN conversations ON conversations.num = conversation
  WHERE before IS NOT NULL AND size > 0 AND conversation BETWEEN ? AND ?
  ORDER BY undone DESC, before_images.num LIMIT 100`;

/**
 * `onGrowth` is called for every addition with the approximate number of bytes by which the write-ahead log has grown.
 */
export function createBeforeImages(
  database: Database,
  onGrowth: (bytes: number) => void = () => undefined,
  limits: BeforeImageLimits = LIMITS,
): BeforeImages {
  function mark(nums: readonly number[], undone: 0 | 1): void {
    database.write((connection) =>
      connection.transaction(() => {
        for (const num of nums)
          connection.statement('UPDATE before_images SET undone = ? WHERE num = ?').run(undone, num);
      }),
    );
  }

  return {
    add: (conversationId, { turnId, callId, path, before, afterHash, madeFolders, bytes }) => {
      const added = database.write((connection) =>
        connection.transaction(() => {
          const conversation = numberOf(connection, conversationId, database.files.directory);
          const isDropped = before !== null && bytes === null;
          const { lastInsertRowid } = connection
            .statement(INSERT)
            .run(
              conversation,
              turnId,
              callId,
              path,
              before === null ? 0 : 1,
              before?.hash ?? null,
              afterHash,
              before?.mode ?? null,
              JSON.stringify(madeFolders),
              before?.size ?? 0,
              isDropped ? 1 : 0,
              bytes,
            );
          const dropped = [
            ...makeRoom(connection, conversation, conversation, limits.perConversation),
            ...makeRoom(connection, 0, Number.MAX_SAFE_INTEGER, limits.perProfile),
          ];
          return { num: Number(lastInsertRowid), dropped };
        }),
      );
      onGrowth(1 + (bytes?.length ?? 0));
      return added;
    },

    setAfterHash: (num, hash) => {
      database.write((connection) =>
        connection.statement('UPDATE before_images SET after_hash = ? WHERE num = ?').run(hash, num),
      );
    },

    remove: (num) => {
      database.write((connection) => connection.statement('DELETE FROM before_images WHERE num = ?').run(num));
    },

    list: (conversationId) =>
      database.read((connection) => {
        const rows = connection.statement<ImageRow>(SELECT).all(conversationId);
        return rows.map(imageOf);
      }),

    bytes: (num) =>
      database.read((connection) => {
        const row = connection
          .statement('SELECT existed, dropped, undone, before FROM before_images WHERE num = ?')
          .get(num) as { existed: number; dropped: number; undone: number; before: Uint8Array | null } | undefined;
        if (row === undefined || row.existed === 0 || row.dropped === 1) return undefined;
        // Some SQLite bindings do not distinguish an empty value from none.
        return row.before ?? new Uint8Array();
      }),

    markUndone: (nums) => mark(nums, 1),
    markRedone: (nums) => mark(nums, 0),

    amount: () =>
      database.read((connection) => {
        const row = connection
          .statement<{ bytes: number | null; calls: number }>(
            'SELECT sum(size) AS bytes, count(DISTINCT call_id) AS calls FROM before_images WHERE before IS NOT NULL',
          )
          .get();
        return { bytes: row?.bytes ?? 0, calls: row?.calls ?? 0 };
      }),

    clear: async () => {
      for (let hasMore = true; hasMore; ) {
        hasMore = database.write((connection) => connection.overwriting(() => clearSome(connection)));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function numberOf(connection: ReadableDatabase, id: string, directory: string): number {
  const row = connection
    .statement<{ num: number }>('SELECT num FROM conversations WHERE id = ? AND erased_at IS NULL')
    .get(id);
  if (row !== undefined) return row.num;
  throw new StorageError('conversation_unknown', `There is no conversation ${id} in ${directory}.`);
}

function imageOf(row: ImageRow): BeforeImage {
  return {
    num: row.num,
    turnId: row.turn_id,
    callId: row.call_id,
    path: row.path,
    before: row.existed === 0 ? null : { hash: row.before_hash, size: row.size, mode: row.mode ?? DEFAULT_MODE },
    afterHash: row.after_hash,
    madeFolders: foldersOf(row.made_folders),
    isDropped: row.dropped === 1,
    isUndone: row.undone === 1,
  };
}

/** The mode for a row that was salvaged in part. */
const DEFAULT_MODE = 0o600;

function foldersOf(json: string): string[] {
  const folders: unknown = JSON.parse(json);
  return Array.isArray(folders) ? folders.filter((folder) => typeof folder === 'string') : [];
}

/** So few at once that nothing else waits long for the database. Returns whether there may be more. */
function clearSome(connection: WritableDatabase): boolean {
  const { changes } = connection
    .statement(
      `UPDATE before_images SET before = NULL, dropped = 1
       WHERE num IN (SELECT num FROM before_images WHERE before IS NOT NULL LIMIT ${CLEARED_AT_ONCE})`,
    )
    .run();
  return Number(changes) === CLEARED_AT_ONCE;
}

/** Deletes the oldest images of conversations `from` to `to` until their total size fits. */
function makeRoom(connection: WritableDatabase, from: number, to: number, limit: number): DroppedImage[] {
  const { kept } = connection
    .statement('SELECT sum(size) AS kept FROM before_images WHERE before IS NOT NULL AND conversation BETWEEN ? AND ?')
    .get(from, to) as { kept: number | null };
  let excess = (kept ?? 0) - limit;
  if (excess <= 0) return [];
  const dropped: DroppedImage[] = [];
  while (excess > 0) {
    const oldest = connection.statement<OldestRow>(OLDEST).all(from, to);
    if (oldest.length === 0) break;
    for (const { num, path, size, undone, conversationId } of oldest) {
      if (excess <= 0) break;
      connection.statement('UPDATE before_images SET before = NULL, dropped = 1 WHERE num = ?').run(num);
      // What is undone is kept only so that it can be undone again after a redo.
      if (undone === 0) dropped.push({ path, conversationId });
      excess -= size;
    }
  }
  return dropped;
}
