import { finish, type RestorePorts, takeBack, type Work } from './carry-out.ts';
import { Journal } from './journal.ts';
import { OpenedFolders } from './opened-folders.ts';
import { holdingRestoreLock } from './restore-lock.ts';
import { StepMaker } from './step-maker.ts';

export interface Recovered {
  readonly operation: number;
  readonly outcome: 'finished' | 'taken_back' | 'still_interrupted';
}

/**
 * Finishes the undos and redos whose process died, or takes them back if that is impossible. What was changed since is
 * left alone. Nothing is done while another process restores something: it may be the one that looks interrupted.
 */
export function recoverOperations(ports: RestorePorts): readonly Recovered[] {
  const { store, contents, lock } = ports;
  const journal = new Journal(store);
  const recover = () =>
    journal.running().map((operation): Recovered => {
      const paths = new Set(journal.steps(operation).map(({ path }) => path));
      const opened = new OpenedFolders({
        // What the operation may change was decided when it was begun.
        allows: (path) => paths.has(path),
        note: (path, state) => journal.addOpenedFolder(operation, path, state),
      });
      return { operation, outcome: recoverOne({ operation, journal, contents, opened }) };
    });
  return holdingRestoreLock(lock, 0, recover) ?? [];
}

function recoverOne(work: Work): Recovered['outcome'] {
  try {
    new StepMaker(work.journal.steps(work.operation), work).removeTemporaries();
    finish(work);
    return 'finished';
  } catch {
    // Whatever stood in the way, what was there before the operation is kept.
    return takeBack(work) ? 'taken_back' : 'still_interrupted';
  }
}
