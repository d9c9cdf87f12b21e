import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { UndoRefusal, UndoRefusalReason } from '../../../src-preload/contract/undo-refusal.ts';
import { systemCode } from '../../base/errors.ts';
import type { ContentStore } from '../content-store.ts';
import { ABSENT, type EntryState, isSameEntry, type Transition } from '../entry-state.ts';
import { isOnlyRelabelled } from './entry-writes.ts';
import { NotRestored, reasonOf } from './not-restored.ts';
import type { OpenedFolders } from './opened-folders.ts';
import { folderIfThere, presentEntry } from './present-entry.ts';
import { usedFiles } from './used-files.ts';

/** With these errors the file can't be read. Any other concerns all files: the disk is full, the store is damaged. */
const FILE_CLOSED = new Set(['EACCES', 'EPERM']);
const PERMISSIONS = 0o777;

export interface RestorePlan {
  /** From the present state. Includes the folders that are missing on the way, and those whose time is to stay. */
  readonly steps: readonly Transition[];
  readonly refused: readonly UndoRefusal[];
}

export interface PlanPorts {
  readonly contents: ContentStore;
  readonly opened: OpenedFolders;
  allows(path: string): boolean;
}

/** Finds out what of the transitions can be made, keeps what they replace, and changes nothing. */
export class RestorePlanner {
  readonly #ports: PlanPorts;
  readonly #steps = new Map<string, Transition>();
  readonly #refused: UndoRefusal[] = [];

  constructor(ports: PlanPorts) {
    this.#ports = ports;
  }

  /** Throws `NotRestored` if the contents that would be replaced can't be kept, because the disk is full, for example. */
  plan(transitions: readonly Transition[]): RestorePlan {
    const planned = () => [...this.#steps.values()];
    for (const each of [...transitions].sort(outermostFirst)) this.#attempt(each, () => this.#consider(each));
    for (const step of planned()) this.#keepWhatItReplaces(step);
    this.#refuseUsed(transitions);
    for (const step of planned().sort(outermostFirst)) this.#attempt(step, () => this.#makeRoomFor(step));
    for (const step of planned().sort(innermostFirst)) this.#attempt(step, () => this.#requireEmpty(step));
    this.#keepTimesOfFolders(planned());
    return { steps: planned(), refused: this.#refused };
  }

  #attempt({ path }: Transition, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#steps.delete(path);
      this.#refused.push({ path, reason: reasonOf(error, path) });
    }
  }

  #present(path: string): EntryState {
    const { opened } = this.#ports;
    const present = opened.within(dirname(path), () => presentEntry(path));
    return opened.before(path) ?? present;
  }

  #consider({ path, from, to }: Transition): void {
    if (!this.#ports.allows(path)) throw new NotRestored({ code: 'outside_roots' });
    const present = this.#present(path);
    if (isSameEntry(present, to)) {
      const isLate = present.kind === 'folder' && to.kind === 'folder' && present.modified !== to.modified;
      if (isLate) this.#steps.set(path, { path, from: present, to });
      return;
    }
    if (!isSameEntry(present, from)) throw new NotRestored(whyChanged(path, present, from));
    if (!this.#canBeMade(present, to)) throw new NotRestored({ code: 'not_kept' });
    this.#steps.set(path, { path, from: present, to });
  }

  #refuseUsed(transitions: readonly Transition[]): void {
    const fates = new Map<string, 'restored' | 'refused'>(transitions.map(({ path }) => [path, 'restored']));
    for (const { path } of this.#refused) fates.set(path, 'refused');
    const names = new Map<string, ReadonlySet<string>>();
    const used = usedFiles([...this.#steps.values()], {
      fateOf: (path) => fates.get(path) ?? 'untouched',
      namesIn: (folder) => {
        const known = names.get(folder) ?? new Set(this.#namesIn(folder));
        names.set(folder, known);
        return known;
      },
    });
    for (const [path, reason] of used) {
      this.#steps.delete(path);
      this.#refused.push({ path, reason });
    }
  }

  #canBeMade(present: EntryState, to: EntryState): boolean {
    if (to.kind === 'other') return false;
    if (to.kind !== 'file' || isOnlyRelabelled(present, to)) return true;
    return to.digest !== null && this.#ports.contents.get(to.digest) !== undefined;
  }

  #keepWhatItReplaces(step: Transition): void {
    const { path, from, to } = step;
    if (from.kind !== 'file' || isOnlyRelabelled(from, to)) return;
    const kept = this.#keep(step);
    this.#attempt(step, () => {
      if (kept instanceof Error) throw kept;
      const isChanged = kept === undefined || (from.digest !== null && kept.digest !== from.digest);
      if (isChanged) throw new NotRestored({ code: 'changed_elsewhere' });
      this.#steps.set(path, { ...step, from: { ...from, ...kept } });
    });
  }

  /** Adds the missing folders on the way to what is to be there. */
  #makeRoomFor(step: Transition): void {
    if (step.to.kind === 'absent') return;
    const missing: string[] = [];
    for (let folder = dirname(step.path); ; folder = dirname(folder)) {
      const planned = this.#steps.get(folder);
      const present = planned?.from ?? this.#present(folder);
      const future = planned?.to ?? present;
      if (future.kind === 'folder') {
        for (const path of missing.splice(0)) this.#steps.set(path, { path, from: ABSENT, to: newFolder(future.mode) });
        if (present.kind === 'folder') return;
      } else {
        const isMissing = planned === undefined && present.kind === 'absent' && this.#ports.allows(folder);
        if (!isMissing) throw new NotRestored({ code: 'leads_elsewhere' });
        missing.push(folder);
      }
    }
  }

  /** A folder goes away only if all that is in it goes away. */
  #requireEmpty({ path, from, to }: Transition): void {
    if (from.kind !== 'folder' || to.kind === 'folder') return;
    const isLeft = (name: string) => this.#steps.get(join(path, name))?.to.kind !== 'absent';
    if (this.#namesIn(path).some(isLeft)) throw new NotRestored({ code: 'folder_not_empty' });
  }

  /** A file is replaced by renaming, which changes the time of its folder; for the user the folder has not changed. */
  #keepTimesOfFolders(steps: readonly Transition[]): void {
    const replaces = ({ from, to }: Transition) => isThing(from) && isThing(to);
    const changed = new Set(steps.filter((step) => !replaces(step)).map(({ path }) => dirname(path)));
    for (const folder of new Set(steps.filter(replaces).map(({ path }) => dirname(path)))) {
      if (changed.has(folder) || this.#steps.has(folder)) continue;
      const state = this.#present(folder);
      this.#steps.set(folder, { path: folder, from: state, to: state });
    }
  }

  #namesIn(folder: string): string[] {
    return this.#ports.opened.within(folder, () => {
      const pinned = folderIfThere(folder);
      try {
        return pinned === undefined ? [] : readdirSync(pinned.path);
      } finally {
        pinned?.close();
      }
    });
  }

  /** Undefined if there is no file any more; an error if it can't be read. */
  #keep({ path }: Transition): { readonly digest: string; readonly size: number } | Error | undefined {
    try {
      return this.#ports.opened.within(dirname(path), () => {
        const parent = folderIfThere(dirname(path));
        try {
          return parent && this.#ports.contents.keep(parent.entry(basename(path)));
        } finally {
          parent?.close();
        }
      });
    } catch (error) {
      const failure = new NotRestored(reasonOf(error, path), { cause: error });
      if (FILE_CLOSED.has(systemCode(error))) return failure;
      throw failure;
    }
  }
}

/** A file, a link or something special. */
export const isThing = ({ kind }: EntryState) => kind !== 'absent' && kind !== 'folder';

export const outermostFirst = (one: Transition, other: Transition) => one.path.length - other.path.length;
export const innermostFirst = (one: Transition, other: Transition) => other.path.length - one.path.length;

function whyChanged(path: string, present: EntryState, from: EntryState): UndoRefusalReason {
  if (present.kind === 'absent') return { code: leadsElsewhere(dirname(path)) ? 'leads_elsewhere' : 'deleted' };
  if (present.kind === 'folder' && from.kind !== 'folder') return { code: 'folder_in_its_place' };
  return { code: 'changed_elsewhere' };
}

function leadsElsewhere(folder: string): boolean {
  try {
    return realpathSync.native(folder) !== folder;
  } catch {
    return false;
  }
}

/** A folder about whose state nothing is known gets the permissions of the one above it. */
function newFolder(modeAbove: number): EntryState {
  return { kind: 'folder', mode: modeAbove & PERMISSIONS, modified: String(BigInt(Date.now()) * 1_000_000n) };
}
