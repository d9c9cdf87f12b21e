import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import type { Preview } from '../../policy/access.ts';

/** What an undo or redo did. */
export interface Undone {
  /** Real paths, the first thousand of them. */
  readonly paths: readonly string[];
  readonly count: number;
  /** How many of these are folders. */
  readonly folders: number;
  readonly refused: readonly UndoRefusal[];
  readonly calls: readonly string[];
  /** Those of the calls of which something is left to be undone. */
  readonly partly: readonly string[];
  /** The numbers of the before-images that are now undone, or redone. */
  readonly images: readonly number[];
  /** What no longer needs a review. */
  readonly changes: readonly { readonly callId: string; readonly path: string }[];
}

/** An undo or redo that the user can be asked about. */
export interface PreparedUndo {
  /** How many files it changes. */
  readonly count: number;
  /** Real paths, the first thousand of them. */
  readonly paths: readonly string[];
  readonly refused: readonly UndoRefusal[];
  /** The names of the tools whose calls it is about. Null stands for a tool that is no longer known. */
  readonly tools: readonly (string | null)[];
  /** The hash of the current files and of what is done with them. A yes counts for exactly this. */
  readonly boundTo: string;
  /** All it would do is take back, file by file, a change that the user saw whole and allowed in this session. */
  readonly wasShown: boolean;
  previews(): Promise<readonly Preview[]>;
  /** Resolves with undefined if what is there has changed since it was prepared. */
  carryOut(): Promise<Undone | undefined>;
}
