import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileProblem, isMissing } from './file-problem.ts';
import { openRegularFile } from './regular-file.ts';

/** A file before it is changed. */
export interface FileBefore {
  /** `null`, like the hash: more than the recorder keeps. */
  readonly bytes: Buffer | null;
  /** SHA-256 (hex). */
  readonly hash: string | null;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

/** One change of one file, complete before it is made. */
export interface FileChange {
  /** The path as the tool was given it. */
  readonly given: string;
  /** Real path. */
  readonly path: string;
  /** `null`: there is no file yet. */
  readonly before: FileBefore | null;
  /** SHA-256 (hex) of what will be there; `null`: not known, for its size. */
  readonly afterHash: string | null;
  /** Real paths of the folders that are made for it, outermost first. */
  readonly madeFolders: readonly string[];
}

/** Keeps files as they were, so that a change can be undone. */
export interface ChangeRecorder {
  /** Larger files are recorded without their bytes. */
  readonly maxBytes: number;
  /** When this returns, the original is saved. If it throws, the change is not made. */
  record(change: FileChange): RecordedChange;
}

export interface RecordedChange {
  made(): void;
  /** It failed, and the file is unchanged. */
  notMade(): void;
  /** It failed, and the file is neither. `hash`: SHA-256 (hex) of what is there; `null`: not known. */
  halfMade(hash: string | null): void;
}

/** For read-only access: without a recorder, nothing may be changed. */
export const readOnly: ChangeRecorder = {
  maxBytes: 0,
  record: ({ given }) => {
    throw new Error(`${given} cannot be changed here: its earlier version could not be kept`);
  },
};

/** `null`: there is no file. Throws `FileProblem` or a system error. */
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

/** `null`: it cannot be read, or is too large. */
async function hashOf(real: string, maxBytes: number): Promise<string | null> {
  return fileBefore(real, maxBytes).then(
    (file) => file?.hash ?? null,
    () => null,
  );
}

/** The folders above a path that are not there, outermost first. */
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
  /** Given the bytes before (`null`: no file, or too large): the SHA-256 of those after, as far as that is known. */
  readonly hashAfter: (before: FileBefore | null) => string | null;
  readonly madeFolders?: readonly string[];
}) => Promise<void>;

/** Makes a change in such a way that it can be undone. */
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
