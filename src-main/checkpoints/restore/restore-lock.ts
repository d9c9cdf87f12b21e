import { FileLock } from '../../base/file-lock.ts';

/**
 * Runs `work` while no other process restores anything, after waiting up to `waitMs` for one that does. Returns
 * undefined, without running it, if that is not over by then. An operation that is not at its end although nobody holds
 * this lock was interrupted, whatever became of its process.
 */
export function holdingRestoreLock<T>(file: string, waitMs: number, work: () => T): T | undefined {
  const lock = new FileLock(file, { waitMs });
  try {
    return lock.tryExclusive() ? work() : undefined;
  } finally {
    lock.close();
  }
}
