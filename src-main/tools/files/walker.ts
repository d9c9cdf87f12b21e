import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface Walk {
  /** Real path of an existing directory. */
  readonly directory: string;
  readonly recursive: boolean;
  readonly signal: AbortSignal;
  /** Asked of each directory below, by real path and by its path relative to the directory of the walk. */
  readonly enters?: (real: string, path: string) => boolean;
  readonly onEntry: (entry: WalkedEntry) => void;
}

export interface WalkedEntry {
  /** Relative to the directory of the walk, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'symlink';
}

/** Enough to keep the file system busy without holding many listings at once. */
const PARALLEL_LISTINGS = 64;

/**
 * Reports every regular file and symlink below a directory, in no order. Symlinks are not followed, what cannot be read is
 * skipped; only if the directory of the walk itself cannot be read does it reject (or with the signal's reason).
 */
export async function walk({ directory, recursive, signal, enters = () => true, onEntry }: Walk): Promise<void> {
  const waiting: { real: string; path: string }[] = [];
  const visit = (listing: readonly Dirent[], parent: { real: string; path: string }) => {
    for (const entry of listing) {
      const path = parent.path === '' ? entry.name : `${parent.path}/${entry.name}`;
      if (entry.isFile()) onEntry({ path, kind: 'file' });
      else if (entry.isSymbolicLink()) onEntry({ path, kind: 'symlink' });
      else if (recursive && entry.isDirectory()) {
        const real = join(parent.real, entry.name);
        if (enters(real, path)) waiting.push({ real, path });
      }
    }
  };

  visit(await readdir(directory, { withFileTypes: true }), { real: directory, path: '' });
  let active = 0;
  await new Promise<void>((done, fail) => {
    const proceed = () => {
      if (signal.aborted) return fail(signal.reason);
      while (active < PARALLEL_LISTINGS) {
        const next = waiting.pop();
        if (next === undefined) break;
        active++;
        readdir(next.real, { withFileTypes: true })
          .then(
            (listing) => visit(listing, next),
            () => undefined,
          )
          .then(() => {
            active--;
            proceed();
          })
          .catch(fail);
      }
      if (active === 0) done();
    };
    proceed();
  });
}

/** Whether a path leads to a regular file, through symlinks if need be. */
export async function leadsToFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
