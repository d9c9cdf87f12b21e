import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import { FileLockHeld } from '../../base/file-lock.ts';
import type { Transition } from '../entry-state.ts';
import { Journal, type OperationOrigin } from './journal.ts';
import { finish, type RestorePorts, takeBack, type Work } from './journaled-work.ts';
import { reasonOf } from './not-restored.ts';
import { OpenedFolders } from './opened-folders.ts';
import { recoverAll } from './recover.ts';
import { holdingRestoreLock } from './restore-lock.ts';
import { RestorePlanner } from './restore-plan.ts';

const OTHERS_MAY_TAKE_MS = 60_000;

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
  /** The system refused something halfway, and then also to take it back. The next operation or start tries again. */
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
  // Otherwise the next start would finish an older operation over this one.
  recoverAll(restoration);
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
