import type { StructuredPatch } from 'diff';
import { grouped } from '../base/text.ts';

/** A line of a unified diff, without the sign that says its kind. */
export interface ChangedLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
}

/** More than anybody looks through. Where an argument holds the text, that is shown whole beside. */
const MOST_LINES = 20_000;

/** Comparing holds up its thread. What takes longer is of no use to a reader either; then both texts are shown whole. */
const DIFF_TIMEOUT_MS = 2_000;

const KINDS: Readonly<Record<string, ChangedLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** Comparisons of one question, however many files it is about: they share the time. */
export class LineDiffs {
  #leftMs = DIFF_TIMEOUT_MS;

  /** Unified, without file names; what is left out is said. `before` null: there is no file yet. */
  async of(before: string | null, after: string): Promise<ChangedLine[]> {
    const lines = await this.#compared(before, after);
    const more = lines.length - MOST_LINES;
    if (more <= 0) return lines;
    return [...lines.slice(0, MOST_LINES), { kind: 'hunk', text: `(${grouped(more)} more lines are not shown)` }];
  }

  async #compared(before: string | null, after: string): Promise<ChangedLine[]> {
    if (before === after) return [{ kind: 'same', text: '(no change)' }];
    if (before === null) return linesOf('added', after);
    const { structuredPatch } = await import('diff');
    const options = { context: 3, timeout: this.#leftMs };
    const startedAt = performance.now();
    const patch = structuredPatch('', '', before, after, undefined, undefined, options);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - startedAt));
    return patch === undefined ? [...linesOf('removed', before), ...linesOf('added', after)] : patchLines(patch);
  }
}

function patchLines(patch: StructuredPatch): ChangedLine[] {
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    { kind: 'hunk', text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@` } as const,
    ...lines.map((line): ChangedLine => {
      const kind = KINDS[line[0] ?? ''];
      // "\ No newline at end of file" is said of the line before it.
      return kind === undefined ? { kind: 'hunk', text: line } : { kind, text: line.slice(1) };
    }),
  ]);
}

function linesOf(kind: ChangedLine['kind'], text: string): ChangedLine[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => ({ kind, text: line }));
}
