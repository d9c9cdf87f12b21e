import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { rmdir, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { type UndoRefusalReason, undoRefusalText } from '../../../src-preload/contract/undo-refusal.ts';
import { systemCode } from '../../base/errors.ts';
import { FileProblem, fileErrorText, isMissing } from '../../base/file-problem.ts';
import { pinParent } from '../../base/pinned-directory.ts';
import { AccessDenied } from '../../policy/roots.ts';
import { writeAtomically } from './atomic-write.ts';
import { openRegularFile } from './regular-file.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** Larger files are not kept in memory for the preview. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/** Returns real paths, or throws if access is denied. */
export interface FileResolver {
  resolve(path: string): Promise<{ readonly real: string }>;
}

/** What a path currently leads to. */
export type PresentState =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      /** The SHA-256 (hex) of the content. */
      readonly hash: string;
      readonly size: number;
      /** The permission bits. */
      readonly mode: number;
      /** Null if it is too large to be shown. */
      readonly bytes: Buffer | null;
    }
  | { readonly kind: 'unusable'; readonly reason: UndoRefusalReason };

export interface PutBack {
  /** The real path. */
  readonly path: string;
  /** The SHA-256 (hex) of what must still be there. */
  readonly expectedHash: string;
  /** Null if there was no file, so that putting back means to delete it. */
  readonly before: { readonly bytes: Uint8Array; readonly mode: number } | null;
  /** These are removed after a deletion if they are empty, innermost first. They are listed outermost first. */
  readonly madeFolders: readonly string[];
}

/** Returns what is at a real path now. Never throws because of the file's state. */
export async function presentState(files: FileResolver, path: string): Promise<PresentState> {
  try {
    const { real } = await files.resolve(path);
    if (real !== path) return { kind: 'unusable', reason: { code: 'leads_elsewhere' } };
    const { handle, stats } = await openRegularFile(path, constants.O_RDONLY);
    try {
      const hash = createHash('sha256');
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of handle.createReadStream({ autoClose: false })) {
        hash.update(chunk);
        size += chunk.length;
        if (size <= MAX_SHOWN_BYTES) chunks.push(chunk);
      }
      const bytes = size <= MAX_SHOWN_BYTES ? Buffer.concat(chunks) : null;
      return { kind: 'file', hash: hash.digest('hex'), size, mode: stats.mode & 0o7777, bytes };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return { kind: 'absent' };
    return { kind: 'unusable', reason: whyUnusable(error, path) };
  }
}

/** A file can't be restored. */
export class NotPutBack extends Error {
  override readonly name = 'NotPutBack';
  readonly reason: UndoRefusalReason;

  constructor(reason: UndoRefusalReason) {
    super(undoRefusalText(reason));
    this.reason = reason;
  }
}

export function whyUnusable(error: unknown, path: string): UndoRefusalReason {
  if (error instanceof NotPutBack) return error.reason;
  if (error instanceof AccessDenied) return { code: 'outside_roots' };
  if (error instanceof FileProblem && error.code === 'directory') return { code: 'folder_in_its_place' };
  const message = error instanceof FileProblem ? error.message : fileErrorText(error, path);
  return { code: 'file_problem', message };
}

/** Restores one file, completely or not at all. Throws `NotPutBack` if it has changed in the meantime. */
export async function putBack(
  files: WorkspaceFiles,
  { path, expectedHash, before, madeFolders }: PutBack,
): Promise<void> {
  const stillExpected = async () => {
    const now = await presentState(files, path);
    if (now.kind === 'unusable') throw new NotPutBack(now.reason);
    if (now.kind === 'absent') throw new NotPutBack({ code: 'deleted' });
    if (now.hash !== expectedHash) throw new NotPutBack({ code: 'changed_elsewhere' });
  };
  if (before !== null) {
    const { bytes, mode } = before;
    await writeAtomically({ real: path, bytes, mode, createDirectories: false, beforeReplacing: stillExpected });
    return;
  }
  const parent = await pinParent(path, { create: false });
  try {
    await stillExpected();
    await unlink(parent.entry(basename(path)));
  } finally {
    parent.close();
  }
  for (const folder of [...madeFolders].reverse()) if (!(await removeIfEmpty(folder))) break;
}

/** Returns false if the folder is not empty, or no longer exists as a folder. */
async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    const parent = await pinParent(folder, { create: false });
    try {
      await rmdir(parent.entry(basename(folder)));
      return true;
    } finally {
      parent.close();
    }
  } catch (error) {
    if (error instanceof FileProblem || KEEPS_FOLDER.has(systemCode(error))) return false;
    throw error;
  }
}

const KEEPS_FOLDER = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'EROFS']);
