import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import { FileLockHeld } from '../../base/file-lock.ts';
import type { WritableDatabase } from '../../storage/database/connection.ts';
import type { ContentStore } from '../content-store.ts';
import type { Transition } from '../entry-state.ts';
import { Journal, type OperationOrigin, reversed } from './journal.ts';
import { reasonOf } from './not-restored.ts';
import { OpenedFolders } from './opened-folders.ts';
import { holdingRestoreLock } from './restore-lock.ts';
import { RestorePlanner } from './restore-plan.ts';
import { StepMaker } from './step-maker.ts';

const OTHERS_MAY_TAKE_MS = 60_000;

export interface RestorePorts {
  readonly contents: ContentStore;
  readonly store: WritableDatabase;
  /** The file that is locked while a process restores something. */
  readonly lock: string;
}

export interface Restoration extends RestorePorts {
  readonly operation: OperationOrigin;
  /** Whether something at this real path may be changed. */
  allows(path: string): boolean;
}

export interface Restored {
  /** The number with which it can be reversed. */
  readonly operation: number;
  /** The real paths that are now as wanted. */
  readonly done: readonly string[];
  readonly refused: readonly UndoRefusal[];
  /** The system refused something halfway, and then what would have taken the rest back. The next start tries again. */
  readonly isInterrupted: boolean;
}

/**
 * Brings paths from one state to another: all that can be, or nothing if the system refuses something halfway. What
 * others changed is left alone. Contents, modes, link targets and empty folders are exact; owners (except of files that
 * are replaced), extended attributes and ACLs are not kept, and a pipe or socket that was removed isn't made again.
 * Throws `FileLockHeld` if another process restores something for longer than a minute.
 */
export function carryOut(transitions: readonly Transition[], restoration: Restoration): Restored {
  const restored = holdingRestoreLock(restoration.lock, OTHERS_MAY_TAKE_MS, () =>
    carryOutAlone(transitions, restoration),
  );
  if (restored === undefined) throw new FileLockHeld('Another process is restoring files.');
  return restored;
}

function carryOutAlone(transitions: readonly Transition[], restoration: Restoration): Restored {
  const { store, contents } = restoration;
  const allows = (path: string) => restoration.allows(path);
  const journal = new Journal(store);
  const operation = journal.begin(restoration.operation);
  const opened = new OpenedFolders({ allows, note: (path, state) => journal.addOpenedFolder(operation, path, state) });
  const work: Work = { operation, journal, contents, opened };
  try {
    const plan = new RestorePlanner({ contents, opened, allows }).plan(transitions);
    // Before the first step, the contents that it replaces and all steps are on the disk.
    store.durably(() => journal.addSteps(operation, plan.steps));
    const refused = [...plan.refused, ...finish(work)];
    const isRefused = new Set(refused.map(({ path }) => path));
    const done = transitions.map(({ path }) => path).filter((path) => !isRefused.has(path));
    return { operation, done, refused, isInterrupted: false };
  } catch (error) {
    const refused = transitions.map(({ path }) => ({ path, reason: reasonOf(error, path) }));
    return { operation, done: [], refused, isInterrupted: !takeBack(work) };
  }
}

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
