import type { StructuredPatchHunk } from 'diff';
import { grouped } from '../base/text.ts';
import type { Preview } from './access.ts';
import type { ConsentRequest, GrantConsentRequest, ToolConsentRequest, UndoConsentRequest } from './consent.ts';
import type { DiffPreview } from './diff-preview.ts';

/** A line of a unified diff, without the sign that says its kind. */
export interface ChangedLine {
  readonly kind: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
}

/** More than anybody looks through. Where an argument holds the text, that is shown whole beside. */
const MOST_LINES = 20_000;

/** What takes longer is of no use to a reader either; then both texts are shown whole. */
const DIFF_TIMEOUT_MS = 2_000;

const KINDS: Readonly<Record<string, ChangedLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** A preview that nothing is left to be found out of. */
export type ComparedPreview =
  | Exclude<Preview, DiffPreview>
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly note: string | undefined;
      readonly lines: readonly ChangedLine[];
    };

/** A question with its changes compared: plain data, that can be laid out anywhere. */
export type ComparedQuestion =
  | GrantConsentRequest
  | (Omit<ToolConsentRequest, 'previews'> & { readonly previews: readonly ComparedPreview[] })
  | (Omit<UndoConsentRequest, 'previews'> & { readonly previews: readonly ComparedPreview[] });

export async function comparedQuestion(request: ConsentRequest): Promise<ComparedQuestion> {
  if (request.kind === 'grant') return request;
  const diffs = new LineDiffs();
  const previews: ComparedPreview[] = [];
  for (const preview of request.previews) {
    if (preview.kind !== 'diff') previews.push(preview);
    else previews.push({ kind: 'diff', path: preview.path, note: preview.note, lines: await diffs.of(preview) });
  }
  return { ...request, previews };
}

/** Comparisons of one question, however many files it is about: they share the time. */
export class LineDiffs {
  #leftMs = DIFF_TIMEOUT_MS;

  /** Unified, without file names; what is left out is said. */
  async of(change: DiffPreview): Promise<ChangedLine[]> {
    const lines = await this.#compared(change);
    const more = lines.length - MOST_LINES;
    if (more <= 0) return lines;
    return [...lines.slice(0, MOST_LINES), { kind: 'hunk', text: `(${grouped(more)} more lines are not shown)` }];
  }

  async #compared(change: DiffPreview): Promise<ChangedLine[]> {
    const { before, after } = change;
    if (before === after) return [{ kind: 'same', text: '(no change)' }];
    if (before === null) return linesOf('added', after);
    const startedAt = performance.now();
    const hunks = await change.hunks(this.#leftMs);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - startedAt));
    return hunks === undefined ? [...linesOf('removed', before), ...linesOf('added', after)] : hunkLines(hunks);
  }
}

function hunkLines(hunks: readonly StructuredPatchHunk[]): ChangedLine[] {
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
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
