import { grouped } from '../../base/text.ts';
import type { Preview } from '../../policy/access.ts';
import { DiffPreview } from '../../policy/diff-preview.ts';
import { decodeText, looksBinary } from '../../tools/files/text-encoding.ts';
import type { UndoStep } from './undo-plan.ts';

/** Larger texts are not compared line by line, nor are more than so many in one question: nobody reads them. */
const MAX_COMPARED_BYTES = 1024 * 1024;
const MAX_COMPARED_BYTES_IN_ALL = 4 * MAX_COMPARED_BYTES;

/** What is there now against what it becomes, of each file. `bytesBefore`: of the file as it was; `null`: there was none. */
export function undoPreviews(
  steps: readonly UndoStep[],
  bytesBefore: (step: UndoStep) => Uint8Array | null,
): readonly Preview[] {
  let leftBytes = MAX_COMPARED_BYTES_IN_ALL;
  return steps.map((step) => {
    const bytes = bytesBefore(step);
    const size = step.present.size + (bytes?.length ?? 0);
    const why = whyNotCompared(step.present, bytes) ?? (size > leftBytes ? tooMuch(step.present, bytes) : undefined);
    if (why === undefined) leftBytes -= size;
    return undoPreview(step, bytes, why);
  });
}

function undoPreview({ path, present, target }: UndoStep, bytes: Uint8Array | null, why: string | undefined): Preview {
  const notes = [why, ...consequences(present, target)].filter((note) => note !== undefined);
  const isCompared = why === undefined;
  const before = isCompared && present.bytes !== null ? decodeText(present.bytes) : null;
  const after = isCompared && bytes !== null ? decodeText(bytes) : '';
  if (isCompared && bytes !== null && before === after) notes.push('The text stays as it is; its encoding changes.');
  return new DiffPreview({ path, before, after, note: notes.length === 0 ? undefined : notes.join(' ') });
}

function whyNotCompared(present: UndoStep['present'], bytes: Uint8Array | null): string | undefined {
  if (present.bytes === null || (bytes?.length ?? 0) > MAX_COMPARED_BYTES)
    return `Not compared for its size: ${sizesOf(present, bytes)}.`;
  const isText = !looksBinary(present.bytes) && (bytes === null || !looksBinary(Buffer.from(bytes)));
  return isText ? undefined : `Not compared, since it is not text: ${sizesOf(present, bytes)}.`;
}

function tooMuch(present: UndoStep['present'], bytes: Uint8Array | null): string {
  return `Not compared, since there is so much to show: ${sizesOf(present, bytes)}.`;
}

function sizesOf(present: UndoStep['present'], bytes: Uint8Array | null): string {
  return `${grouped(present.size)} bytes now${bytes === null ? '' : `, ${grouped(bytes.length)} before`}`;
}

function consequences(present: UndoStep['present'], { before, madeFolders }: UndoStep['target']): string[] {
  if (before !== null)
    return before.mode === present.mode ? [] : [`Its permissions become ${before.mode.toString(8)} again.`];
  const folders =
    madeFolders.length === 0 ? '' : ` So are these folders, if nothing else is in them: ${madeFolders.join(', ')}.`;
  return [`There was no such file before: it is deleted.${folders}`];
}
