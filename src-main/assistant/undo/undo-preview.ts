import { decodeText } from '../../base/encoding/text-encoding.ts';
import type { Preview } from '../../policy/access.ts';
import { DiffPreview } from '../../policy/diff-preview.ts';
import { FileComparisons } from '../file-comparison.ts';
import type { UndoStep } from './undo-plan.ts';

/**
 * The current and the restored version of each file. `bytesBefore` reads the earlier version, and returns null if there
 * was none.
 */
export function undoPreviews(
  steps: readonly UndoStep[],
  bytesBefore: (step: UndoStep) => Uint8Array | null,
): Promise<readonly Preview[]> {
  const comparisons = new FileComparisons();
  return Promise.all(
    steps.map((step) => {
      const bytes = bytesBefore(step);
      return undoPreview(step, bytes, comparisons.whyNot(step.present, bytes));
    }),
  );
}

async function undoPreview(
  { path, present, target }: UndoStep,
  bytes: Uint8Array | null,
  why: string | undefined,
): Promise<Preview> {
  const notes = [why, ...consequences(present, target)].filter((note) => note !== undefined);
  const isCompared = why === undefined;
  const before = isCompared && present.bytes !== null ? (await decodeText(present.bytes)).text : null;
  const after = isCompared && bytes !== null ? (await decodeText(bytes)).text : '';
  if (isCompared && bytes !== null && before === after) notes.push('The text stays the same; its encoding changes.');
  return new DiffPreview({ path, before, after, note: notes.length === 0 ? undefined : notes.join(' ') });
}

function consequences(present: UndoStep['present'], { before, madeFolders }: UndoStep['target']): string[] {
  if (before !== null)
    return before.mode === present.mode ? [] : [`Its permissions are set back to ${before.mode.toString(8)}.`];
  const folders =
    madeFolders.length === 0 ? '' : ` So are these folders, if nothing else is in them: ${madeFolders.join(', ')}.`;
  return [`This file did not exist before, so it is deleted.${folders}`];
}
