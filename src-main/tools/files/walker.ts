import { type Dirent, readdir } from 'node:fs';
import { readdir as listingOf, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PinnedDirectory } from './pinned-directory.ts';

export interface Walk {
  /** Real path of an existing directory. */
  readonly directory: string;
  readonly recursive: boolean;
  readonly signal: AbortSignal;
  /** When it aborts, no further folder is read and the entries found so far are reported. */
  readonly deadline?: AbortSignal;
  /** Asked of each directory below, by real path and by its path relative to the directory of the walk. */
  readonly enters: (real: string, path: string) => boolean;
  /** Asked once of each folder (its path relative to the directory of the walk, empty for that itself): which entries count. */
  readonly wantsIn?: (folder: string) => (name: string, kind: WalkedEntry['kind']) => boolean;
  /** Called by path, in the order of their code units, once all folders are read. */
  readonly onEntry: (entry: WalkedEntry) => void;
}

export interface WalkedEntry {
  /** Relative to the directory of the walk, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'symlink';
}

interface Folder {
  readonly real: string;
  /** Relative to the directory of the walk, with `/` at the end; empty for that directory itself. */
  readonly prefix: string;
  readonly entries: Entry[];
}

/** A folder's name has a `/` at its end: that is how it is sorted among the others. */
type Entry = { readonly name: string; readonly is: 'file' | 'symlink' | Folder };

/** Node reads with four threads; each shall find the next folder waiting. */
const PARALLEL_LISTINGS = 8;

/**
 * Reports every regular file and symlink below a directory. Symlinks are not followed, what cannot be read is skipped; only
 * if the directory of the walk itself cannot be read does it reject (or with the signal's reason).
 *
 * With callbacks and its own order: promises, and one sort of all paths at the end, take a third longer on 100,000 files.
 */
export function walk(walk: Walk): Promise<void> {
  return PinnedDirectory.during(walk.directory, (path) => walkFrom(path, walk));
}

/** `path`: where the directory of the walk is found whatever becomes of its name. */
async function walkFrom(path: string, walk: Walk): Promise<void> {
  const { directory, recursive, signal, deadline, enters, wantsIn = () => () => true, onEntry } = walk;
  const waiting: Folder[] = [];
  const take = (listing: readonly Dirent[], { real, prefix, entries }: Folder) => {
    const isWanted = wantsIn(prefix.slice(0, -1));
    for (const entry of listing) {
      const { name } = entry;
      if (entry.isFile()) {
        if (isWanted(name, 'file')) entries.push({ name, is: 'file' });
      } else if (entry.isSymbolicLink()) {
        if (isWanted(name, 'symlink')) entries.push({ name, is: 'symlink' });
      } else if (recursive && entry.isDirectory()) {
        const folder = { real: join(real, name), prefix: `${prefix}${name}/`, entries: [] };
        if (!enters(folder.real, prefix + name)) continue;
        entries.push({ name: `${name}/`, is: folder });
        waiting.push(folder);
      }
    }
  };

  const top: Folder = { real: directory, prefix: '', entries: [] };
  take(await listingOf(path, { withFileTypes: true }), top);
  await new Promise<void>((done, fail) => {
    let active = 0;
    const proceed = () => {
      if (signal.aborted) return fail(signal.reason);
      if (deadline?.aborted) waiting.length = 0;
      for (let folder = nextOf(waiting, active); folder !== undefined; folder = nextOf(waiting, active)) {
        const next = folder;
        active++;
        readdir(join(path, next.prefix), { withFileTypes: true }, (error, listing) => {
          active--;
          try {
            if (error === null) take(listing, next);
            proceed();
          } catch (fault) {
            fail(fault);
          }
        });
      }
      if (active === 0) done();
    };
    proceed();
  });
  report(top, onEntry);
}

function nextOf(waiting: Folder[], active: number): Folder | undefined {
  return active < PARALLEL_LISTINGS ? waiting.pop() : undefined;
}

function report({ prefix, entries }: Folder, onEntry: Walk['onEntry']): void {
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, is } of entries) {
    if (typeof is === 'object') report(is, onEntry);
    else onEntry({ path: prefix + name, kind: is });
  }
}

/** Whether a path leads to a regular file, through symlinks if need be. */
export async function leadsToFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
