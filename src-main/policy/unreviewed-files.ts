import type { DiffPreview } from './diff-preview.ts';

/** Files that tools changed after text from outside was read, until the user has reviewed them. */
export interface UnreviewedFiles {
  /** Real paths of those in the roots that contain `folder` (a real path), and in the folders above it. */
  inRootsOf(folder: string): readonly string[];
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
