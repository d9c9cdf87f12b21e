import { Journal } from './journal.ts';
import { finish, type RestorePorts, takeBack, type Work } from './journaled-work.ts';
import { OpenedFolders } from './opened-folders.ts';
import { holdingRestoreLock } from './restore-lock.ts';
import { StepMaker } from './step-maker.ts';

export interface Recovered {
  readonly operation: number;
  /** `given_up`: neither was possible. What was replaced or deleted is kept in the store. */
  readonly outcome: 'finished' | 'taken_back' | 'given_up';
}

/**
 * Finishes the undos and redos whose process died, or takes them back if that is impossible. What was changed since is
 * left alone. Nothing is done while another process restores something: it may be the one that looks interrupted.
 */
export function recoverOperations(ports: RestorePorts): readonly Recovered[] {
  return holdingRestoreLock(ports.lock, 0, () => recoverAll(ports)) ?? [];
}

/** The same for whoever holds the lock. */
export function recoverAll({ store, contents }: Pick<RestorePorts, 'store' | 'contents'>): readonly Recovered[] {
  const journal = new Journal(store);
  return journal.running().map((operation) => {
    const paths = new Set(journal.steps(operation).map(({ path }) => path));
    const opened = new OpenedFolders({
      // What the operation may change was decided when it was begun.
      allows: (path) => paths.has(path),
      note: (path, state) => journal.addOpenedFolder(operation, path, state),
    });
    return { operation, outcome: recoverOne({ operation, journal, contents, opened }) };
  });
}

function recoverOne(work: Work): Recovered['outcome'] {
  const { operation, journal } = work;
  try {
    new StepMaker(journal.steps(operation), work).removeTemporaries();
    finish(work);
    return 'finished';
  } catch {
    // Whatever stood in the way, what was there before the operation is kept.
    if (takeBack(work)) return 'taken_back';
    // Later the files may have been changed to what looks like the state before it.
    journal.end(operation, 'given_up');
    return 'given_up';
  }
}
