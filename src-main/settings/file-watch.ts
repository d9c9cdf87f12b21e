import { type FSWatcher, realpathSync, unwatchFile, watch, watchFile } from 'node:fs';
import { basename, dirname } from 'node:path';
import { systemCode } from '../base/errors.ts';

/** Editors write, rename and set times in quick succession; wait until they are done. */
const DEBOUNCE_MS = 100;
/** The interval for systems that can't notify. */
const POLL_MS = 2000;

/**
 * Calls `look` shortly after the file at `path` was written, replaced, created or deleted, possibly more often. It
 * watches the folder, because editors replace the file. It does not keep the process alive.
 */
export class FileWatch {
  readonly #path: string;
  readonly #look: () => void;
  readonly #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;

  constructor(path: string, look: () => void, onTrouble: (reason: string) => void) {
    this.#path = path;
    this.#look = look;
    for (const file of new Set([path, linkTarget(path)])) this.#watchFolderOf(file, onTrouble);
    this.lookIn(0);
  }

  lookIn(milliseconds: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#look, milliseconds);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    if (this.#isPolling) unwatchFile(this.#path, this.#polled);
  }

  readonly #polled = () => this.lookIn(DEBOUNCE_MS);

  #watchFolderOf(file: string, onTrouble: (reason: string) => void): void {
    const name = basename(file);
    const fail = (error: unknown) => {
      if (this.#isPolling || this.#isClosed) return;
      this.#isPolling = true;
      watchFile(this.#path, { interval: POLL_MS, persistent: false }, this.#polled);
      onTrouble(systemCode(error) || 'unknown error');
    };
    try {
      const watcher = watch(dirname(file), { persistent: false }, (_, changed) => {
        if (changed === null || changed === name) this.lookIn(DEBOUNCE_MS);
      });
      watcher.on('error', fail);
      this.#watchers.push(watcher);
    } catch (error) {
      fail(error);
    }
  }
}

/** If config.json is a symbolic link (dotfiles), it changes in another folder. */
function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The file does not exist yet, so there is no link to follow.
    return path;
  }
}
