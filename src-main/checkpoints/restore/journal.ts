import type { WritableDatabase } from '../../storage/database/connection.ts';
import type { FolderState, Transition } from '../entry-state.ts';
import { type TransitionRow, transitionOf } from '../stored-changes.ts';

export interface OperationOrigin {
  readonly kind: 'undo' | 'redo';
  readonly conversation: string;
  readonly calls: readonly string[];
  /** The numbers of the tools' changes that it undoes. */
  readonly tools?: readonly number[];
}

/** `running`: it was begun; unless its process is at work, it was interrupted. */
export type OperationState = 'running' | 'done' | 'taken_back' | 'given_up' | 'redone';

/**
 * What an undo or redo is going to do, written before it does it. A folder that is only opened for the time of the work,
 * or whose time is to stay, has a step that leads from its state to the same.
 */
export class Journal {
  readonly #store: WritableDatabase;

  constructor(store: WritableDatabase) {
    this.#store = store;
  }

  begin({ kind, conversation, calls, tools = [] }: OperationOrigin): number {
    const { lastInsertRowid } = this.#store
      .statement(
        "INSERT INTO operations (kind, conversation, calls, tools, state, at) VALUES (?, ?, ?, ?, 'running', ?)",
      )
      .run(kind, conversation, JSON.stringify(calls), JSON.stringify(tools), new Date().toISOString());
    return Number(lastInsertRowid);
  }

  addSteps(operation: number, steps: readonly Transition[]): void {
    const insert = this.#store.statement(
      'INSERT OR REPLACE INTO steps (operation, path, before, after) VALUES (?, ?, ?, ?)',
    );
    this.#store.transaction(() => {
      for (const { path, from, to } of steps) insert.run(operation, path, JSON.stringify(from), JSON.stringify(to));
    });
  }

  addOpenedFolder(operation: number, path: string, state: FolderState): void {
    this.addSteps(operation, [{ path, from: state, to: state }]);
  }

  dropStep(operation: number, path: string): void {
    this.#store.statement('DELETE FROM steps WHERE operation = ? AND path = ?').run(operation, path);
  }

  /** By path. */
  steps(operation: number): Transition[] {
    return this.#store
      .statement<TransitionRow>('SELECT path, before, after FROM steps WHERE operation = ? ORDER BY path')
      .all(operation)
      .map(transitionOf);
  }

  end(operation: number, state: OperationState): void {
    this.#store.statement('UPDATE operations SET state = ? WHERE num = ?').run(state, operation);
  }

  running(): number[] {
    return this.#store
      .statement<{ num: number }>("SELECT num FROM operations WHERE state = 'running' ORDER BY num DESC")
      .all()
      .map(({ num }) => num);
  }

  isDone(operation: number): boolean {
    const row = this.#store.statement<{ state: string }>('SELECT state FROM operations WHERE num = ?').get(operation);
    return row?.state === 'done';
  }
}

export const reversed = ({ path, from, to }: Transition): Transition => ({ path, from: to, to: from });

/** What undoes an operation that is done. Empty for any other. */
export function reverse(store: WritableDatabase, operation: number): Transition[] {
  const journal = new Journal(store);
  if (!journal.isDone(operation)) return [];
  return journal.steps(operation).filter(changesSomething).map(reversed);
}

/** Whether it is more than a folder that stays as it is. */
export function changesSomething({ from, to }: Transition): boolean {
  return JSON.stringify(from) !== JSON.stringify(to);
}
