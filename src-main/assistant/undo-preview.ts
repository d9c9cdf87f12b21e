import type { Preview } from '../policy/access.ts';
import { decodeText, looksBinary } from '../tools/files/text-encoding.ts';
import { grouped } from '../tools/result-cap.ts';
import type { UndoStep } from './undo-plan.ts';

/** What is there now against what it becomes. `bytes`: of the file as it was; `null`: there was none. */
export function undoPreview({ path, present, target }: UndoStep, bytes: Uint8Array | null): Preview {
  const notes = [whyNotCompared(present, bytes), ...consequences(present, target)].filter((note) => note !== undefined);
  const isCompared = whyNotCompared(present, bytes) === undefined;
  const before = isCompared && present.bytes !== null ? decodeText(present.bytes) : null;
  const after = isCompared && bytes !== null ? decodeText(bytes) : '';
  if (isCompared && bytes !== null && before === after) notes.push('The text stays as it is; its encoding changes.');
  return { kind: 'diff', path, before, after, ...(notes.length === 0 ? {} : { note: notes.join(' ') }) };
}

/** Larger texts are not compared line by line. */
const MAX_COMPARED_BYTES = 1024 * 1024;

function whyNotCompared(present: UndoStep['present'], bytes: Uint8Array | null): string | undefined {
  const sizes = `${grouped(present.size)} bytes now${bytes === null ? '' : `, ${grouped(bytes.length)} before`}`;
  if (present.bytes === null || (bytes?.length ?? 0) > MAX_COMPARED_BYTES)
    return `Not compared for its size: ${sizes}.`;
  const isText = !looksBinary(present.bytes) && (bytes === null || !looksBinary(Buffer.from(bytes)));
  return isText ? undefined : `Not compared, since it is not text: ${sizes}.`;
}

function consequences(present: UndoStep['present'], { before, madeFolders }: UndoStep['target']): string[] {
  if (before !== null)
    return before.mode === present.mode ? [] : [`Its permissions become ${before.mode.toString(8)} again.`];
  const folders =
    madeFolders.length === 0 ? '' : ` So are these folders, if nothing else is in them: ${madeFolders.join(', ')}.`;
  return [`There was no such file before: it is deleted.${folders}`];
}
