import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { systemCode } from '../../base/errors.ts';
import { FileProblem } from '../../base/file-problem.ts';
import { HANDLE_ONLY, NEVER_A_LINK_NOR_A_WAIT } from '../../base/open-flags.ts';
import { renameOverSync } from '../../base/rename-over.ts';
import type { KeptContent } from '../content-store.ts';
import { type EntryState, type FileState, type FolderState, hasSameContent } from '../entry-state.ts';

/** Until it has its mode and time, nobody else may read it. */
const UNFINISHED_MODE = 0o600;

/** Where an entry is written: pinned paths, valid while the folder is pinned. */
export interface Place {
  readonly target: string;
  /** In the same folder, renamed to the target when it is complete. */
  readonly temporary: string;
  /** Called right before the target is replaced. If it throws, nothing was changed. */
  beforeReplacing(): void;
}

/** Whether the content stays and only mode and time change. */
export function isOnlyRelabelled(from: EntryState, to: EntryState): boolean {
  return from.kind === 'file' && to.kind === 'file' && hasSameContent(from, to);
}

/**
 * Replaces what is at the target with a new file, so that other names of the old one (hard links) keep their content.
 * The modification time is exact to 240 ns: Node takes times as floating-point numbers.
 */
export function putFile(place: Place, state: FileState, content: KeptContent): void {
  const previous = lstatSync(place.target, { throwIfNoEntry: false });
  replace(place, () => {
    const file = openFilled(place.temporary, content);
    try {
      if (previous?.isFile()) takeOwner(file, previous);
      if (process.platform !== 'win32') fchmodSync(file, state.mode);
      futimesSync(file, new Date(), secondsOf(state.modified));
    } finally {
      closeSync(file);
    }
  });
}

export function putLink(place: Place, target: string): void {
  replace(place, () => symlinkSync(target, place.temporary));
}

function replace({ target, temporary, beforeReplacing }: Place, make: () => void): void {
  // An interrupted operation may have left it.
  rmSync(temporary, { force: true });
  try {
    make();
    beforeReplacing();
    renameOverSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function openFilled(temporary: string, content: KeptContent): number {
  if ('file' in content) {
    copyFileSync(content.file, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return openSync(temporary, constants.O_RDWR | NEVER_A_LINK_NOR_A_WAIT);
  }
  const file = openSync(temporary, 'wx', UNFINISHED_MODE);
  try {
    writeFileSync(file, content.bytes);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Only root may change a file's owner; for everyone else the new file is their own. */
function takeOwner(file: number, previous: Stats): void {
  const { uid, gid } = fstatSync(file);
  if (process.platform === 'win32' || (uid === previous.uid && gid === previous.gid)) return;
  try {
    fchownSync(file, previous.uid, previous.gid);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error;
  }
}

/** Sets the mode and time of the regular file that is there, without reading or replacing it. */
export function relabel(target: string, state: FileState): void {
  const file = openSync(
    target,
    (process.platform === 'linux' ? HANDLE_ONLY : constants.O_RDONLY) | NEVER_A_LINK_NOR_A_WAIT,
  );
  try {
    if (!fstatSync(file).isFile()) throw new FileProblem('changed', 'the file was replaced while it was being used');
    // The time first: a file with its mode counts as restored.
    if (process.platform === 'linux') {
      const opened = `/proc/self/fd/${file}`;
      utimesSync(opened, new Date(), secondsOf(state.modified));
      chmodSync(opened, state.mode);
    } else {
      futimesSync(file, new Date(), secondsOf(state.modified));
      if (process.platform !== 'win32') fchmodSync(file, state.mode);
    }
  } finally {
    closeSync(file);
  }
}

/** Sets mode and time of a pinned folder. */
export function finishFolder(pinned: string, { mode, modified }: FolderState): void {
  utimesSync(pinned, new Date(), secondsOf(modified));
  if (process.platform !== 'win32') chmodSync(pinned, mode);
}

function secondsOf(nanoseconds: string): number {
  return Number(nanoseconds) / 1e9;
}
