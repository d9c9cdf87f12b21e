import { NothingToUndo, type UndoOutcome } from '../assistant/undo.ts';
import type { Services } from '../services.ts';

/** Puts back what a turn or call changed. `failed`: nothing could be put back. */
export async function runUndo(
  { callId }: { readonly callId: string | undefined },
  conversationId: string,
  services: Services,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly failed: boolean }> {
  try {
    const outcome = await services.undo.run(
      { conversationId, turnId: null, callId: callId ?? null },
      { signal, listener: () => undefined },
    );
    const failed = outcome.kind === 'settled' && outcome.undone.length === 0;
    const others = failed && callId === undefined ? otherCalls(services, conversationId) : [];
    return { text: [textOf(outcome), ...others].join('\n'), failed };
  } catch (error) {
    if (error instanceof NothingToUndo) return { text: `Nothing was undone. ${error.message}`, failed: true };
    throw error;
  }
}

const MOST_LISTED = 10;

/** The last turn cannot be undone: what else there is. */
function otherCalls({ undo }: Services, conversationId: string): string[] {
  const calls = undo.open(conversationId).slice(0, MOST_LISTED);
  if (calls.length < 2) return [];
  return [
    'One call by itself can be undone with /undo CALL_ID:',
    ...calls.map(({ callId, tool, paths }) => `  ${callId}: ${tool} ${paths.join(', ')}`),
  ];
}

function textOf(outcome: UndoOutcome): string {
  if (outcome.kind === 'declined') return `Nothing was undone. ${outcome.reason}`;
  const { undone, refused } = outcome;
  return [
    undone.length === 0 ? 'Nothing was undone.' : 'As it was before:',
    ...undone.map((path) => `  ${path}`),
    ...(refused.length === 0 ? [] : ['Not undone:']),
    ...refused.map(({ path, reason }) => `  ${path}: ${reason}`),
  ].join('\n');
}
