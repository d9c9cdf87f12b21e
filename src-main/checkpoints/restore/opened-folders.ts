import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { PinnedDirectory } from '../../base/pinned-directory.ts';
import { type FolderState, permissionsOf } from '../entry-state.ts';

const ALL_OF_ITS_OWNER = 0o700;

export interface OpenedFoldersPorts {
  /** Only such folders may be opened. */
  allows(path: string): boolean;
  /** Called before a folder is opened, so that it is known even if this process dies. */
  note(path: string, state: FolderState): void;
}

/**
 * The user's own folders that lack permissions which the work needs, such as 0555 after `chmod -R a-w`. Each is opened
 * when the system refuses something in it.
 */
export class OpenedFolders {
  readonly #ports: OpenedFoldersPorts;
  readonly #before = new Map<string, FolderState>();

  constructor(ports: OpenedFoldersPorts) {
    this.#ports = ports;
  }

  /** The state of a folder before it was opened. Undefined for others. */
  before(path: string): FolderState | undefined {
    return this.#before.get(path);
  }

  /** Does `work` in a folder, after opening it and those above it if they need it. Throws the error of `work`. */
  within<T>(folder: string, work: () => T): T {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (systemCode(error) !== 'EACCES' || !this.#openOne(folder)) throw error;
      }
    }
  }

  /** Opens the outermost closed folder. Returns false if there is none. */
  #openOne(folder: string): boolean {
    const above = dirname(folder);
    if (above !== folder && this.#openOne(above)) return true;
    if (this.#before.has(folder) || !this.#ports.allows(folder)) return false;
    let pinned: PinnedDirectory;
    try {
      pinned = PinnedDirectory.openSync(folder);
    } catch {
      // Whatever is wrong with the folder, the error of the work itself says it.
      return false;
    }
    try {
      const stats = statSync(pinned.path, { bigint: true });
      const bits = permissionsOf(stats);
      const isOpen = (bits & ALL_OF_ITS_OWNER) === ALL_OF_ITS_OWNER;
      if (isOpen || Number(stats.uid) !== process.geteuid?.()) return false;
      const state: FolderState = { kind: 'folder', mode: bits, modified: String(stats.mtimeNs) };
      this.#ports.note(folder, state);
      this.#before.set(folder, state);
      chmodSync(pinned.path, bits | ALL_OF_ITS_OWNER);
      return true;
    } finally {
      pinned.close();
    }
  }
}
