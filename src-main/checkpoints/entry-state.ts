import type { BigIntStats } from 'node:fs';

/**
 * What is at a path. Times are nanoseconds since 1970, in decimal. `mode` is the permission bits. A change is two of
 * these: before and after.
 */
export type EntryState =
  | { readonly kind: 'absent' }
  | FileState
  | FolderState
  | { readonly kind: 'link'; readonly target: string }
  /** A pipe, a socket or a device: nothing of it is kept. */
  | { readonly kind: 'other'; readonly mode: number };

export interface FileState {
  readonly kind: 'file';
  readonly size: number;
  readonly mode: number;
  readonly modified: string;
  /** The SHA-256 (hex) of the content, or null if the content was not read: nothing of it is kept. */
  readonly digest: string | null;
}

export interface FolderState {
  readonly kind: 'folder';
  readonly mode: number;
  readonly modified: string;
  /** What programs make it again from: nothing in it is kept. */
  readonly madeAgain?: string;
}

export const ABSENT: EntryState = { kind: 'absent' };

/** What happens to one path: from what is there now to what shall be there. */
export interface Transition {
  /** The real path. */
  readonly path: string;
  readonly from: EntryState;
  readonly to: EntryState;
}

/** Contents that are not known count as the same if size and time are. */
export function hasSameContent(one: FileState, other: FileState): boolean {
  if (one.size !== other.size) return false;
  return one.digest === null || other.digest === null ? one.modified === other.modified : one.digest === other.digest;
}

export function permissionsOf({ mode }: Pick<BigIntStats, 'mode'>): number {
  return Number(mode & 0o7777n);
}

/**
 * Whether both are the same for a user: kind, content and permissions. Times don't count, because a file that was
 * written again with the same content is as it was. A file whose content is not known equals only one with the same
 * time and size.
 */
export function isSameEntry(one: EntryState, other: EntryState): boolean {
  if (one.kind === 'file' && other.kind === 'file') {
    return one.mode === other.mode && hasSameContent(one, other);
  }
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind === 'absent' || other.kind === 'absent') return one.kind === other.kind;
  return one.kind === other.kind && 'mode' in one && 'mode' in other && one.mode === other.mode;
}
