import { sizeText } from './size-text.ts';

/** What became of one path while a call ran. */
export type PathChange = 'made' | 'changed' | 'deleted' | 'renamed' | 'mode';

export interface ChangedPath {
  /** The real path. */
  readonly path: string;
  readonly change: PathChange;
  /** Its real path before it was renamed. */
  readonly from?: string;
  /** Absent for a file. */
  readonly is?: 'folder' | 'link' | 'other';
  /** Bytes; of something deleted: before. */
  readonly size: number;
  /** Lines of a text that came and went. Absent if they were not counted. */
  readonly added?: number;
  readonly removed?: number;
  /** What was there before is not kept, so this can't be undone. */
  readonly isLost?: true;
}

/** What was not kept before a call ran, so that its changes there can't be undone. */
export interface NotKept {
  /** The real path of a file or folder. */
  readonly path: string;
  readonly why: NotKeptReason;
}

/** A code with parameters; the text is made here, for every surface. To add one, add a member and its text below. */
export type NotKeptReason =
  /** A folder that programs make again. `from` is what they make it from. */
  | { readonly code: 'made_again'; readonly from: string }
  | { readonly code: 'too_large'; readonly bytes: number }
  /** A pipe, a socket or a device. */
  | { readonly code: 'special' }
  | { readonly code: 'unreadable' }
  /** Its name is not valid UTF-8. */
  | { readonly code: 'name' }
  /** The disk, or the space for earlier versions, is full. */
  | { readonly code: 'no_space' }
  /** The call began before everything in the folder was kept. */
  | { readonly code: 'unfinished' };

/**
 * All that changed in the roots while a call ran; other programs may have changed some of it. A later event of the same
 * call replaces an earlier one.
 */
export interface FileChanges {
  /** The id of the call. */
  readonly id: string;
  /** In the order of their paths; no more than `MAX_LISTED_CHANGES`. */
  readonly files: readonly ChangedPath[];
  /** How many paths changed in each way, also those that are not listed. */
  readonly counts: Readonly<Record<PathChange, number>>;
  readonly notKept: readonly NotKept[];
  /** How many deleted files nothing else holds, if they are so many that it may be a mistake. */
  readonly massDeleted?: number;
  /** It still runs, or changed something after this list was made. */
  readonly isRunning?: true;
  /** Steward ended before it could make this list, and made it when it was started again. */
  readonly isFoundLater?: true;
}

export const MAX_LISTED_CHANGES = 1_000;

export const NO_CHANGES: FileChanges['counts'] = { made: 0, changed: 0, deleted: 0, renamed: 0, mode: 0 };

type Code = NotKeptReason['code'];
type ReasonOf<C extends Code> = Extract<NotKeptReason, { code: C }>;

const TEXTS: { readonly [C in Code]: string | ((reason: ReasonOf<C>) => string) } = {
  made_again: ({ from }) => `it can be made again from ${from}`,
  too_large: ({ bytes }) => `at ${sizeText(bytes)} it is too large`,
  special: 'it is a pipe, a socket or a device',
  unreadable: 'it can’t be read',
  name: 'its name is not valid UTF-8',
  no_space: 'there was no space left for it',
  unfinished: 'the command began before everything in it was kept',
};

/** A clause: completes "{path} was not kept: …". */
export function notKeptText(reason: NotKeptReason): string {
  const text = TEXTS[reason.code] as string | ((reason: NotKeptReason) => string);
  return typeof text === 'string' ? text : text(reason);
}
