import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import type { WritableDatabase } from '../../storage/database/connection.ts';
import type { ContentStore } from '../content-store.ts';
import { type Journal, reversed } from './journal.ts';
import type { OpenedFolders } from './opened-folders.ts';
import { StepMaker } from './step-maker.ts';

export interface RestorePorts {
  readonly contents: ContentStore;
  readonly store: WritableDatabase;
  /** The file that is locked while a process restores something. */
  readonly lock: string;
}

/** An operation whose steps are in the journal. */
export interface Work {
  readonly operation: number;
  readonly journal: Journal;
  readonly contents: ContentStore;
  readonly opened: OpenedFolders;
}

/** Makes the steps that are not made yet. Returns what others changed meanwhile. */
export function finish(work: Work): readonly UndoRefusal[] {
  const { operation, journal } = work;
  const left = new StepMaker(journal.steps(operation), work).make();
  for (const { path } of left) journal.dropStep(operation, path);
  journal.end(operation, 'done');
  return left;
}

/** Undoes the steps that are made. Returns false if the system refuses that too. */
export function takeBack(work: Work): boolean {
  const { operation, journal } = work;
  try {
    new StepMaker(journal.steps(operation).map(reversed).reverse(), work).make();
  } catch {
    // The first error is the one to report; the operation stays as interrupted as it is.
    return false;
  }
  journal.end(operation, 'taken_back');
  return true;
}
