import type { EntryState, Transition } from '../entry-state.ts';
import { ABSENT } from '../entry-state.ts';
import { Journal } from '../restore/journal.ts';
import { presentEntry } from '../restore/present-entry.ts';
import type { UndoPlace } from './undo-work.ts';

export interface ToolUndoAsked {
  readonly conversationId: string;
  readonly calls: readonly string[];
  /** The numbers of the changes that are undone. */
  readonly tools: readonly number[];
  /** Real paths. */
  readonly paths: readonly string[];
}

/**
 * Before something else undoes changes of tools: keeps what is there, so that it can be redone. Returns the number of
 * the operation.
 */
export function keepForRedo({ store, contents }: UndoPlace, asked: ToolUndoAsked): number {
  const { conversationId: conversation, calls, tools, paths } = asked;
  const steps = paths.map((path): Transition => {
    const from = keptEntry(path, contents);
    return { path, from, to: from };
  });
  const journal = new Journal(store);
  const operation = journal.begin({ kind: 'undo', conversation, calls, tools });
  journal.addSteps(operation, steps);
  // Nothing of it is recovered: whoever restores the files does that.
  journal.end(operation, 'taken_back');
  return operation;
}

/** After it: what is there now is what the undo made. */
export function noteUndone({ store }: UndoPlace, operation: number): null {
  const journal = new Journal(store);
  const steps = journal.steps(operation).map(({ path, from }): Transition => ({ path, from, to: presentEntry(path) }));
  journal.addSteps(operation, steps);
  journal.end(operation, 'done');
  return null;
}

/** A file that can't be kept counts as none, so that its redo refuses. */
function keptEntry(path: string, contents: UndoPlace['contents']): EntryState {
  const present = presentEntry(path);
  if (present.kind !== 'file') return present;
  const kept = contents.keep(path);
  return kept?.digest === present.digest ? present : ABSENT;
}
