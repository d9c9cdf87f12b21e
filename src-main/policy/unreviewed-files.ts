import type { DiffPreview } from './diff-preview.ts';

/** Files that tools changed after text from outside was read, until the user has reviewed them. */
export interface UnreviewedFiles {
  /**
   * Real paths of those that a command started in `folder` (a real path) could run or read: in any root, above one, or
   * above `folder`. `leavesRoots`: it names a place outside the roots, and could reach any of them.
   */
  inReachOf(folder: string, leavesRoots: boolean): readonly string[];
  /** The changes of these files since text from outside was read. */
  review(paths: readonly string[]): Promise<Review>;
}

export interface Review {
  /** Each file before its first unreviewed change, and now. */
  readonly changes: readonly DiffPreview[];
  /**
   * Covers what `changes` show and what they leave out for its size: the user's confirmation applies to exactly this.
   */
  readonly hash: string;
  /** The user has reviewed them. */
  finish(): void;
}
