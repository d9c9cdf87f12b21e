import type { StructuredPatchHunk } from 'diff';
import { comparedLines } from './diff-threads.ts';

export interface FileChange {
  /** Real path. */
  readonly path: string;
  /** `null`: the file does not exist (or is not text; then `note` says so). */
  readonly before: string | null;
  readonly after: string;
  readonly note?: string | undefined;
}

/**
 * A change of a file that is not made yet. The question that shows it and the card that records it draw the same hunks, so that
 * what was approved is what is kept.
 */
export class DiffPreview {
  readonly kind = 'diff';
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly note: string | undefined;
  #hunks: Promise<readonly StructuredPatchHunk[] | undefined> | undefined;

  constructor({ path, before, after, note }: FileChange) {
    this.path = path;
    this.before = before;
    this.after = after;
    this.note = note;
  }

  /** Nothing is there that could be changed. */
  get isNewFile(): boolean {
    return this.before === null && this.note === undefined;
  }

  /**
   * Where the two texts differ; a file that does not exist counts as empty. Compared when somebody first wants to see it, in the
   * time that they give it. `undefined`: it took longer.
   */
  hunks(timeoutMs: number): Promise<readonly StructuredPatchHunk[] | undefined> {
    this.#hunks ??= comparedLines({ before: this.before ?? '', after: this.after, timeoutMs });
    return this.#hunks;
  }
}
