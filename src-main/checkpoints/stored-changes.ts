import type { WritableDatabase } from '../storage/database/connection.ts';
import type { EntryState, Transition } from './entry-state.ts';

/** A transition as the store has it: the states are JSON. */
export interface TransitionRow {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export function transitionOf({ path, before, after }: TransitionRow): Transition {
  return { path, from: JSON.parse(before) as EntryState, to: JSON.parse(after) as EntryState };
}

export interface ChangeOfCommand extends Transition {
  /** The number of the command. */
  readonly command: number;
}

/** What the commands of a call changed and is not undone, by path. */
export function standingChanges(
  store: WritableDatabase,
  { conversationId, callId }: { readonly conversationId: string; readonly callId: string },
): ChangeOfCommand[] {
  return store
    .statement<TransitionRow & { readonly command: number }>(
      `SELECT command, changes.path, before, after FROM changes JOIN commands ON commands.num = command
       WHERE conversation = ? AND call = ? AND is_undone = 0 ORDER BY changes.path`,
    )
    .all(conversationId, callId)
    .map((row) => ({ command: row.command, ...transitionOf(row) }));
}
