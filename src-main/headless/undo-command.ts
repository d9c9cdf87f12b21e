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
    return { text: textOf(outcome), failed: outcome.kind === 'settled' && outcome.undone.length === 0 };
  } catch (error) {
    if (error instanceof NothingToUndo) return { text: `Nothing was undone. ${error.message}`, failed: true };
    throw error;
  }
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
