import type { StructuredPatchHunk } from 'diff';
import type { DiffLine } from '../../src-preload/contract/consent.ts';
import type { DiffPreview } from './diff-preview.ts';

/**
 * Comparing blocks everything else, and a reader can't use a diff that takes longer than this. Both texts are then
 * shown in full.
 */
const DIFF_TIMEOUT_MS = 2_000;

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** Compares texts for one question, within one time limit for all of them. */
export class LineDiffs {
  #leftMs = DIFF_TIMEOUT_MS;

  /** A unified diff without the file names. */
  async of(change: DiffPreview): Promise<DiffLine[]> {
    const { before, after } = change;
    if (before === after) return [{ kind: 'same', text: '(no change)' }];
    if (before === null) return linesOf('added', after);
    const startedAt = performance.now();
    const hunks = await change.hunks(this.#leftMs);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - startedAt));
    return hunks === undefined ? [...linesOf('removed', before), ...linesOf('added', after)] : hunkLines(hunks);
  }
}

function hunkLines(hunks: readonly StructuredPatchHunk[]): DiffLine[] {
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    { kind: 'hunk', text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@` } as const,
    ...lines.map((line): DiffLine => {
      const kind = KINDS[line[0] ?? ''];
      // "\ No newline at end of file" refers to the line before it.
      return kind === undefined ? { kind: 'hunk', text: line } : { kind, text: line.slice(1) };
    }),
  ]);
}

function linesOf(kind: DiffLine['kind'], text: string): DiffLine[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => ({ kind, text: line }));
}
