import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where a profile keeps its checkpoints. Only this file knows the names. */
export interface CheckpointFiles {
  /** What was in the roots when they were last looked at. It can be made again. */
  readonly index: string;
  /** Contents, changes, undo and redo. */
  readonly store: string;
  /** Contents that are too large for the database, each named after its SHA-256. */
  readonly contents: string;
  /** Held by the process that restores something, so that an operation that nobody holds it for was interrupted. */
  readonly lock: string;
}

/** The folder of the commands that are under way. It need not be there. */
export function runningFolder(profile: string): string {
  return join(profile, 'checkpoints', 'running');
}

/** Makes the folder, accessible only by its owner, if it is missing. */
export function openCheckpointFolder(profile: string): CheckpointFiles {
  const folder = join(profile, 'checkpoints');
  const files = {
    index: join(folder, 'index.db'),
    store: join(folder, 'store.db'),
    contents: join(folder, 'contents'),
    lock: join(folder, 'restore.lock'),
  };
  mkdirSync(files.contents, { recursive: true, mode: 0o700 });
  return files;
}
