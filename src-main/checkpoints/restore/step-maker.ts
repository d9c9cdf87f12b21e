import { mkdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import { systemCode } from '../../base/errors.ts';
import { FileProblem } from '../../base/file-problem.ts';
import { PinnedDirectory } from '../../base/pinned-directory.ts';
import type { ContentStore } from '../content-store.ts';
import { type EntryState, isSameEntry, type Transition } from '../entry-state.ts';
import { finishFolder, isOnlyRelabelled, putFile, putLink, relabel } from './entry-writes.ts';
import { changesSomething } from './journal.ts';
import { NotRestored, reasonOf } from './not-restored.ts';
import type { OpenedFolders } from './opened-folders.ts';
import { folderIfThere, presentEntry } from './present-entry.ts';
import { innermostFirst, isThing, outermostFirst } from './restore-plan.ts';

const NOT_EMPTY = new Set(['ENOTEMPTY', 'EEXIST']);
/** Whoever makes a folder can write into it until it is finished. */
const ALL_OF_ITS_OWNER = 0o700;

export interface StepPorts {
  readonly operation: number;
  readonly contents: ContentStore;
  readonly opened: OpenedFolders;
}

/**
 * Makes the steps of an operation in an order in which each is possible. Removals come first: they make room, and their
 * contents are kept. Since what is replaced comes next, and what is added last, taking the steps back in the opposite
 * order never needs more room than there was, so that it works on the disk that has become full. A step that is already made is passed over, so
 * that the same steps finish an interrupted operation.
 */
export class StepMaker {
  readonly #ports: StepPorts;
  readonly #steps: readonly Transition[];
  readonly #temporaryNames: ReadonlyMap<string, string>;
  readonly #left = new Map<string, UndoRefusal>();

  /** `steps` are all of the operation, forwards or backwards. */
  constructor(steps: readonly Transition[], ports: StepPorts) {
    this.#ports = ports;
    this.#steps = steps;
    const { operation } = ports;
    // After a crash the next process finds them under the same names.
    const paths = steps.map(({ path }) => path).sort();
    this.#temporaryNames = new Map(paths.map((path, index) => [path, `.steward-${operation}-${index}.tmp`]));
  }

  /**
   * Returns what was left alone because others changed it meanwhile. Throws at the first other failure: then some steps
   * are made and some are not.
   */
  make(): readonly UndoRefusal[] {
    const removals = this.#steps.filter((step) => step.to.kind === 'absent' || isReplacedByOtherKind(step));
    const folders = this.#steps.filter(({ to }) => to.kind === 'folder').sort(outermostFirst);
    const replacements = this.#steps.filter(({ from, to }) => isThing(from) && isThing(to));
    const additions = this.#steps.filter(({ from, to }) => !isThing(from) && isThing(to));
    for (const step of removals.sort(innermostFirst)) this.#attempt(step, () => this.#remove(step));
    for (const step of folders) this.#attempt(step, () => this.#makeFolder(step));
    for (const step of [...replacements, ...additions]) this.#attempt(step, () => this.#put(step));
    for (const step of folders.reverse()) this.#attempt(step, () => this.#finish(step));
    return [...this.#left.values()];
  }

  /** Removes the temporary files that an interrupted run may have left. */
  removeTemporaries(): void {
    for (const [path, name] of this.#temporaryNames) {
      this.#ports.opened.within(dirname(path), () => {
        const parent = folderIfThere(dirname(path));
        if (parent === undefined) return;
        try {
          rmSync(parent.entry(name), { force: true });
        } finally {
          parent.close();
        }
      });
    }
  }

  #attempt(step: Transition, work: () => void): void {
    if (this.#left.has(step.path)) return;
    try {
      this.#ports.opened.within(dirname(step.path), work);
    } catch (error) {
      // What is to be in the same place, or below it, would be impossible.
      if (!(error instanceof NotRestored) || isReplacedByOtherKind(step)) {
        throw new NotRestored(reasonOf(error, step.path), { cause: error });
      }
      this.#left.set(step.path, { path: step.path, reason: error.reason });
    }
  }

  /** Whether the step is still to be made. Throws if there is something else than before and after it. */
  #isDue({ path, from, to }: Transition): boolean {
    const present = presentEntry(path);
    if (isThere(present, to)) return false;
    const isCleared = present.kind === 'absent' && isReplacedByOtherKind({ from, to });
    if (!isThere(present, from) && !isCleared) throw new NotRestored({ code: 'changed_elsewhere' });
    return true;
  }

  #remove(step: Transition): void {
    if (!this.#isDue(step)) return;
    this.#in(step, (parent) => {
      const place = parent.entry(basename(step.path));
      try {
        if (step.from.kind === 'folder') rmdirSync(place);
        else unlinkSync(place);
      } catch (error) {
        // An interrupted run has removed it, and made nothing in its place.
        if (systemCode(error) === 'ENOENT') return;
        if (!NOT_EMPTY.has(systemCode(error))) throw error;
        throw new NotRestored({ code: 'folder_not_empty' });
      }
    });
  }

  #makeFolder(step: Transition): void {
    if (!this.#isDue(step)) return;
    this.#in(step, (parent) => mkdirSync(parent.entry(basename(step.path)), { mode: ALL_OF_ITS_OWNER }));
  }

  #put(step: Transition): void {
    if (!this.#isDue(step)) return;
    const { path, from, to } = step;
    this.#in(step, (parent) => {
      const place = {
        target: parent.entry(basename(path)),
        temporary: parent.entry(this.#temporaryNames.get(path) ?? ''),
        beforeReplacing: () => void this.#isDue(step),
      };
      if (to.kind === 'link') putLink(place, to.target);
      else if (to.kind !== 'file') throw new FileProblem('special', 'what is no file, folder or link is not restored');
      else if (isOnlyRelabelled(from, to)) relabel(place.target, to);
      else {
        const content = to.digest === null ? undefined : this.#ports.contents.get(to.digest);
        if (content === undefined) throw new FileProblem('missing', 'its content is no longer kept');
        putFile(place, to, content);
      }
    });
  }

  #finish(step: Transition): void {
    const { path, to } = step;
    if (to.kind !== 'folder' || presentEntry(path).kind !== 'folder') return;
    const pinned = PinnedDirectory.openSync(path);
    try {
      finishFolder(pinned.path, to);
    } catch (error) {
      // Only its owner may do that; it is no reason to take back all the rest.
      if (systemCode(error) !== 'EPERM' || changesSomething(step)) throw error;
    } finally {
      pinned.close();
    }
  }

  #in(step: Transition, work: (parent: PinnedDirectory) => void): void {
    const parent = PinnedDirectory.openSync(dirname(step.path));
    try {
      work(parent);
    } finally {
      parent.close();
    }
  }
}

/** A folder is in the place of something else, or the other way round: it must be removed first. */
function isReplacedByOtherKind({ from, to }: Pick<Transition, 'from' | 'to'>): boolean {
  return (from.kind === 'folder' && isThing(to)) || (isThing(from) && to.kind === 'folder');
}

/** While an operation runs, its folders don't have their modes yet. */
function isThere(present: EntryState, wanted: EntryState): boolean {
  return wanted.kind === 'folder' ? present.kind === 'folder' : isSameEntry(present, wanted);
}
