import type { DiffCard } from '../../../src-preload/contract/tool-card.ts';
import { grouped } from '../../base/text.ts';
import type { PlannedChange } from './workspace-file.ts';

const MAX_PATCH_CHARACTERS = 60_000;
/** A slower diff is of little use to a reader. */
const DIFF_TIMEOUT_MS = 250;

/** Like `diffCard`, for a file that usually holds secrets: the log stores cards, and exports contain them. */
export function secretDiffCard(path: string): DiffCard {
  const note = 'The file usually contains secrets, so the change is not shown here.';
  return { kind: 'diff', path, isNew: false, added: 0, removed: 0, patch: '', note };
}

/** What the allowed change did to a file. `path` is as given to the tool. */
export async function diffCard(path: string, change: PlannedChange): Promise<DiffCard> {
  const card = await comparisonCard(path, change.preview);
  return change.encoding === 'utf-8' ? card : { ...card, encoding: change.encoding };
}

async function comparisonCard(path: string, preview: PlannedChange['preview']): Promise<DiffCard> {
  const { before, after, note } = preview;
  const isNew = before === null && note === undefined;
  if (note !== undefined) return { kind: 'diff', path, isNew, added: 0, removed: 0, patch: '', note };
  if (before === null) {
    const lines = linesOf(after);
    const header = lines.length === 0 ? [] : [`@@ -0,0 +1,${lines.length} @@`];
    return withPatch({ kind: 'diff', path, isNew, added: lines.length, removed: 0 }, [
      ...header,
      ...lines.map((line) => `+${line}`),
    ]);
  }
  const hunks = await preview.hunks(DIFF_TIMEOUT_MS);
  if (hunks === undefined) {
    const counts = { added: linesOf(after).length, removed: linesOf(before).length };
    return { kind: 'diff', path, isNew, ...counts, patch: '', note: 'The change is too large to compare.' };
  }
  const changed = hunks.flatMap(({ lines }) => lines);
  const counts = {
    added: changed.filter((line) => line.startsWith('+')).length,
    removed: changed.filter((line) => line.startsWith('-')).length,
  };
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: hunk }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    // "\ No newline at end of file" refers to the line before it.
    ...hunk.filter((line) => !line.startsWith('\\')),
  ]);
  return withPatch({ kind: 'diff', path, isNew, ...counts }, lines);
}

function withPatch(card: Omit<DiffCard, 'patch' | 'note'>, lines: readonly string[]): DiffCard {
  const patch = lines.join('\n');
  if (patch.length <= MAX_PATCH_CHARACTERS) return { ...card, patch };
  const note = `Only the start of the change is shown: it has ${grouped(patch.length)} characters.`;
  return { ...card, patch: patch.slice(0, Math.max(0, patch.lastIndexOf('\n', MAX_PATCH_CHARACTERS))), note };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
