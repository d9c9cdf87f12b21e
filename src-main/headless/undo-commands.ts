import { decisionReasonText } from '../../src-preload/contract/decision-reason.ts';
import { filesText } from '../../src-preload/contract/files-text.ts';
import { calledTool, undoRefusalText } from '../../src-preload/contract/undo-refusal.ts';
import { NothingToUndo, type UndoOutcome } from '../assistant/undo/undo.ts';
import { grouped, pathOnOneLine } from '../base/text.ts';
import type { TurnsPart } from '../services.ts';

/** With `failed`, nothing was done. */
interface Answer {
  readonly text: string;
  readonly failed: boolean;
}

/** `done` and `restored` are the words for what was done: `undone`, `Restored`. */
interface Wording {
  readonly done: string;
  readonly restored: (files: string) => string;
}

const UNDO: Wording = { done: 'undone', restored: (files) => `Restored ${files}` };
const REDO: Wording = { done: 'redone', restored: (files) => `Changed ${files} again` };

/** Undoes what a turn or call changed. */
export async function runUndo(
  { callId }: { readonly callId: string | undefined },
  conversationId: string,
  services: TurnsPart,
  signal: AbortSignal,
): Promise<Answer> {
  return orNothing(UNDO, async () => {
    const outcome = await services.undo.run(
      { conversationId, turnId: null, callId: callId ?? null },
      { signal, listener: () => undefined },
    );
    if (outcome.kind === 'declined' || outcome.undone.length > 0) return { text: textOf(outcome, UNDO), failed: false };
    const refused = new Set(outcome.refused.map(({ path }) => path));
    const others = callId === undefined ? otherCalls(services, conversationId, refused) : [];
    return { text: [textOf(outcome, UNDO), ...others].join('\n'), failed: true };
  });
}

/** Makes undone changes again. */
export async function runRedo(
  { callId }: { readonly callId: string | undefined },
  conversationId: string,
  services: TurnsPart,
  signal: AbortSignal,
): Promise<Answer> {
  return orNothing(REDO, async () => {
    const outcome = await services.undo.redo(
      { conversationId, callId: callId ?? null },
      { signal, listener: () => undefined },
    );
    return { text: textOf(outcome, REDO), failed: outcome.kind === 'settled' && outcome.undone.length === 0 };
  });
}

async function orNothing({ done }: Wording, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof NothingToUndo) return { text: `Nothing was ${done}. ${error.message}`, failed: true };
    throw error;
  }
}

const MAX_LISTED = 10;
/** More than this nobody reads. */
const MAX_RESTORED_LISTED = 100;

/**
 * What can be undone instead if the last turn can't: single calls, without those that only changed what was just
 * refused.
 */
function otherCalls({ undo }: TurnsPart, conversationId: string, refused: ReadonlySet<string>): string[] {
  const open = undo.open(conversationId).filter(({ paths }) => paths.some((path) => !refused.has(path)));
  const calls = open.slice(0, MAX_LISTED);
  if (calls.length === 0) return [];
  return [
    'To undo a single call, /undo CALL_ID:',
    ...calls.map(({ callId, tool, paths }) => `  ${callId}: ${calledTool(tool)} ${paths.join(', ')}`),
  ];
}

function textOf(outcome: UndoOutcome, { done, restored }: Wording): string {
  if (outcome.kind === 'declined') return `Nothing was ${done}. ${decisionReasonText(outcome.reason)}`;
  const { undone, counts = { files: undone.length, folders: 0 }, refused } = outcome;
  const listed = undone.slice(0, MAX_RESTORED_LISTED);
  const more = counts.files + counts.folders - listed.length;
  return [
    undone.length === 0 ? `Nothing was ${done}.` : `${restored(filesText(counts))}:`,
    ...listed.map((path) => `  ${pathOnOneLine(path)}`),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    ...(refused.length === 0 ? [] : ['Left as it is:']),
    ...refused.map(({ path, reason }) => `  ${pathOnOneLine(path)}: ${undoRefusalText(reason)}`),
  ].join('\n');
}
