import type { StructuredPatchHunk } from 'diff';
import { comparedLines } from './diff-threads.ts';

export interface FileChange {
  /** The real path of the file. */
  readonly path: string;
  /** The text before the change. Null if the file does not exist or is not text, and `note` says which. */
  readonly before: string | null;
  readonly after: string;
  readonly note?: string | undefined;
}

/**
 * A planned change to a file. The question and the card draw the same hunks, so that the card shows what was approved.
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

  /** Whether there is no file yet, so that nothing is changed. */
  get isNewFile(): boolean {
    return this.before === null && this.note === undefined;
  }

  /**
   * The differences between the two texts; a missing file counts as empty. They are compared on first use, within the
   * given time. Undefined if it took longer.
   */
  hunks(timeoutMs: number): Promise<readonly StructuredPatchHunk[] | undefined> {
    this.#hunks ??= comparedLines({ before: this.before ?? '', after: this.after, timeoutMs });
    return this.#hunks;
  }
}
