import type { DiffLine } from '../../src-preload/contract/consent.ts';
import { withStandIns } from '../ui/unseen-characters.ts';

/**
 * `number` is that of the line in the new file, or in the old file for a removed line. It is null if this is not a line
 * of a file.
 */
export interface NumberedLine extends DiffLine {
  readonly number: number | null;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The lines of the hunks of a unified diff. Everything before the first hunk is left out. */
export function diffLines(patch: string): readonly NumberedLine[] {
  const written = patch.replace(/\n$/, '').split('\n');
  const content = written.filter((line) => /^[ +-]/.test(line));
  // If all lines end this way, it is the file's style and not worth showing.
  const hasCarriageReturns = content.length > 0 && content.every((line) => line.endsWith('\r'));
  const lines: NumberedLine[] = [];
  let next: { before: number; after: number } | null = null;
  for (const line of written) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      next = { before: Number(hunk[1]), after: Number(hunk[2]) };
      if (lines.length > 0) lines.push({ kind: 'hunk', text: '⋯', number: null });
    } else if (next !== null) {
      const text = withStandIns(hasCarriageReturns ? line.slice(1).replace(/\r$/, '') : line.slice(1));
      if (line.startsWith('+')) lines.push({ kind: 'added', text, number: next.after++ });
      else if (line.startsWith('-')) lines.push({ kind: 'removed', text, number: next.before++ });
      else if (line.startsWith('\\')) lines.push({ kind: 'hunk', text: text.trim(), number: null });
      else {
        lines.push({ kind: 'same', text, number: next.after });
        next = { before: next.before + 1, after: next.after + 1 };
      }
    }
  }
  return lines;
}
