import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileProblem, isMissing } from '../../base/file-problem.ts';
import { openRegularFile } from './regular-file.ts';

/** A file before the change. */
export interface FileBefore {
  /** The bytes. They are null, like the hash, if the file is too large for the recorder. */
  readonly bytes: Buffer | null;
  /** The SHA-256 (hex) of the bytes. */
  readonly hash: string | null;
  readonly size: number;
  /** The permission bits. */
  readonly mode: number;
}

/** One change to one file, recorded before it is made. */
export interface FileChange {
  /** The path as given to the tool. */
  readonly given: string;
  /** The real path. */
  readonly path: string;
  /** Null if there is no file yet. */
  readonly before: FileBefore | null;
  /** The SHA-256 (hex) of the new content, or null if it is too large to know. */
  readonly afterHash: string | null;
  /** The real paths of the folders created for it, outermost first. */
  readonly madeFolders: readonly string[];
}

/** Saves files before they change, so that the change can be undone. */
export interface ChangeRecorder {
  /** For larger files only the change is recorded, without their bytes. */
  readonly maxBytes: number;
  /** The original has been saved when this returns. If it throws, the change is not made. */
  record(change: FileChange): RecordedChange;
}

export interface RecordedChange {
  made(): void;
  /** Call it if the change failed, and the file is unchanged. */
  notMade(): void;
  /**
   * The change failed, and the file is neither the old nor the new one. `hash` is the SHA-256 (hex) of its content, or
   * null if not known.
   */
  halfMade(hash: string | null): void;
}

/** A recorder for read-only access: nothing may be changed without one. */
export const readOnly: ChangeRecorder = {
  maxBytes: 0,
  record: ({ given }) => {
    throw new Error(`${given} cannot be changed here: its earlier version could not be kept`);
  },
};

/** Resolves with null if there is no such file. Rejects with a `FileProblem` or a system error. */
async function fileBefore(real: string, maxBytes: number): Promise<FileBefore | null> {
  try {
    const { handle, stats } = await openRegularFile(real, constants.O_RDONLY);
    try {
      const mode = stats.mode & 0o7777;
      if (stats.size > maxBytes) return { bytes: null, hash: null, size: stats.size, mode };
      const bytes = await handle.readFile();
      return { bytes, hash: sha256(bytes), size: bytes.length, mode };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Resolves with null if the file cannot be read, or is too large. */
async function hashOf(real: string, maxBytes: number): Promise<string | null> {
  return fileBefore(real, maxBytes).then(
    (file) => file?.hash ?? null,
    () => null,
  );
}

/** Resolves with the missing folders above a path, outermost first. */
export async function missingFolders(real: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(real); !(await isThere(folder)); folder = dirname(folder)) {
    missing.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return missing;
}

export function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Called right before the file is changed. */
export type Announce = (change: {
  /**
   * Receives the bytes before the change (`null` if there is no file, or it is too large) and returns the SHA-256 of
   * those after it, if known.
   */
  readonly hashAfter: (before: FileBefore | null) => string | null;
  readonly madeFolders?: readonly string[];
}) => Promise<void>;

/** Makes a change that can be undone. */
export async function recorded(
  recorder: ChangeRecorder,
  { given, real }: { readonly given: string; readonly real: string },
  make: (announce: Announce) => Promise<void>,
): Promise<void> {
  const changes: RecordedChange[] = [];
  try {
    await make(async ({ hashAfter, madeFolders = [] }) => {
      const before = await fileBefore(real, recorder.maxBytes);
      changes.push(recorder.record({ given, path: real, before, afterHash: hashAfter(before), madeFolders }));
    });
  } catch (error) {
    const isHalfMade = error instanceof FileProblem && error.code === 'half-changed';
    const hash = isHalfMade ? await hashOf(real, recorder.maxBytes) : null;
    for (const change of changes) isHalfMade ? change.halfMade(hash) : change.notMade();
    throw error;
  }
  for (const change of changes) change.made();
}
