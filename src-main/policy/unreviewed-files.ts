import type { DiffPreview } from './diff-preview.ts';

/**
 * The files that tools changed after text from outside was read, until the user has reviewed them. Without this, a page
 * could have the model edit `Makefile`, and an allowed `make` would run it.
 */
export interface UnreviewedFiles {
  /**
   * The real paths of those files that a command started in `folder` could run or read: in any root, above one, or
   * above `folder`, which is a real path. With `leavesRoots`, the command names a place outside the roots and could
   * reach any file.
   */
  inReachOf(folder: string, leavesRoots: boolean): readonly string[];
  /** Shows how these files have changed since text from outside was read. */
  review(paths: readonly string[]): Promise<Review>;
}

export interface Review {
  /** Each file before its first unreviewed change, and as it is now. */
  readonly changes: readonly DiffPreview[];
  /**
   * Covers what `changes` show, and what they leave out because of its size. The user's confirmation applies to exactly
   * this.
   */
  readonly hash: string;
  /** Records that the user has reviewed the files. */
  finish(): void;
}
