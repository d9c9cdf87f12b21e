import type { DiffPreview } from './diff-preview.ts';

/** Files that tools changed after text from outside had been read, until a person has looked at them. */
export interface UnreviewedFiles {
  /** Real paths of those in the roots that `folder` (a real path) lies in, and in the folders above it. */
  inRootsOf(folder: string): readonly string[];
  /** What became of these files since text from outside was read, as they are now. */
  review(paths: readonly string[]): Promise<Review>;
}

export interface Review {
  /** Each file as it was before the first change that nobody looked at, and as it is now. */
  readonly changes: readonly DiffPreview[];
  /** Of what `changes` show, and of what they leave out for its size: a person's word holds for exactly this. */
  readonly hash: string;
  /** A person has looked at them. */
  finish(): void;
}
