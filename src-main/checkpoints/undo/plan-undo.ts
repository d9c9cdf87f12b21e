import { createHash } from 'node:crypto';
import type { ChangedPath } from '../../../src-preload/contract/file-changes.ts';
import type { UndoRefusal, UndoRefusalReason } from '../../../src-preload/contract/undo-refusal.ts';
import { changedPaths } from '../changed-paths.ts';
import { type EntryState, hasSameContent, isSameEntry, type Transition } from '../entry-state.ts';
import type { LookPlace } from '../look.ts';
import { reasonOf } from '../restore/not-restored.ts';
import { presentEntry } from '../restore/present-entry.ts';
import type { UndoChange } from './undo-changes.ts';

/** What an undo would do. */
export interface PlannedUndo {
  readonly transitions: readonly Transition[];
  /** The changes that it would take back. */
  readonly used: readonly UndoChange[];
  readonly refused: readonly UndoRefusal[];
  /** The paths at which it replaces what somebody else did since. */
  readonly replaced: readonly string[];
  /** What it does in words of the contract: a file that comes back is `made`. */
  readonly listed: readonly ChangedPath[];
  /** The hash of all of it: a yes counts for exactly this. */
  readonly hash: string;
}

export interface PlanPorts {
  readonly place: LookPlace;
  /** Contents that are not in the store, but can be put there, by digest. */
  readonly alsoKept: ReadonlySet<string>;
  /** Whether files come back that somebody changed since. */
  readonly replacesOthers: boolean;
  allows(path: string): boolean;
}

/**
 * Plans to take back changes, of each path as far as they lead from what is there now. What was changed since by anybody
 * else is left alone.
 */
export function planUndo(changes: readonly UndoChange[], ports: PlanPorts): PlannedUndo {
  const byPath = new Map<string, UndoChange[]>();
  for (const change of changes) {
    const known = byPath.get(change.path);
    if (known === undefined) byPath.set(change.path, [change]);
    else known.push(change);
  }
  const transitions: Transition[] = [];
  const used: UndoChange[] = [];
  const refused: UndoRefusal[] = [];
  const replaced: string[] = [];
  for (const [path, ofPath] of byPath) {
    const unwound = unwind(path, ofPath, ports);
    used.push(...unwound.used);
    if (unwound.isReplaced === true) replaced.push(path);
    if (unwound.transition !== undefined) transitions.push(unwound.transition);
    if (unwound.reason !== undefined) refused.push({ path, reason: unwound.reason });
  }
  transitions.sort((one, other) => (one.path < other.path ? -1 : 1));
  const isKept = (digest: string) => ports.alsoKept.has(digest) || ports.place.contents.has(digest);
  return {
    transitions,
    used,
    refused,
    replaced,
    listed: changedPaths(transitions, isKept).map(({ changed }) => changed),
    hash: createHash('sha256').update(JSON.stringify(transitions, withoutTimes)).digest('hex'),
  };
}

/** A file that is touched is not changed. */
function withoutTimes(key: string, value: unknown): unknown {
  return key === 'modified' ? undefined : value;
}

interface Unwound {
  readonly used: readonly UndoChange[];
  readonly transition?: Transition;
  readonly reason?: UndoRefusalReason;
  /** What somebody else did since goes. */
  readonly isReplaced?: true;
}

function unwind(path: string, changes: readonly UndoChange[], ports: PlanPorts): Unwound {
  if (!ports.allows(path)) return { used: [], reason: { code: 'outside_roots' } };
  let present: EntryState;
  try {
    present = presentEntry(path);
  } catch (error) {
    return { used: [], reason: reasonOf(error, path) };
  }
  const left = [...changes];
  const used: UndoChange[] = [];
  let state = present;
  for (;;) {
    const index = left.findIndex((change) => change.isLeftIn(state));
    const [next] = index === -1 ? [] : left.splice(index, 1);
    if (next === undefined) break;
    const why = whyNotBack(next.before, state, ports);
    if (why !== undefined) return { used, ...madeOf(path, present, state), reason: why };
    used.push(next);
    state = next.before;
  }
  const [only] = left;
  if (ports.replacesOthers && left.length === 1 && only !== undefined && canReplace(path, only.before, state, ports))
    return { used: [...used, only], ...madeOf(path, present, only.before), isReplaced: true };
  const made = madeOf(path, present, state);
  return left.length === 0 ? { used, ...made } : { used, ...made, ...whyLeft(left, state) };
}

/** Only files are replaced. What is there now is kept first: it is compared, and a redo brings it back. */
function canReplace(path: string, before: EntryState, present: EntryState, ports: PlanPorts): boolean {
  const isFile = (state: EntryState) => state.kind === 'file' || state.kind === 'absent';
  if (!isFile(before) || !isFile(present) || isSameEntry(before, present)) return false;
  if (whyNotBack(before, present, ports) !== undefined) return false;
  return present.kind === 'absent' || ports.place.contents.keep(path)?.digest === present.digest;
}

function madeOf(path: string, from: EntryState, to: EntryState): { transition?: Transition } {
  return from === to ? {} : { transition: { path, from, to } };
}

/** Why the state before a change can't be had, given the one that it left. */
function whyNotBack(before: EntryState, left: EntryState, ports: PlanPorts): UndoRefusalReason | undefined {
  if (before.kind === 'other') return { code: 'not_kept' };
  if (before.kind === 'folder' && before.madeAgain !== undefined && left.kind !== 'folder') return { code: 'not_kept' };
  if (before.kind !== 'file') return undefined;
  if (before.digest === null) {
    // Only its permissions changed: its content is still there.
    return left.kind === 'file' && hasSameContent(left, before) ? undefined : { code: 'too_large', bytes: before.size };
  }
  const isKept = ports.alsoKept.has(before.digest) || ports.place.contents.has(before.digest);
  return isKept ? undefined : { code: 'not_kept' };
}

/** Folders whose time alone was changed are nothing to speak of. */
function whyLeft(left: readonly UndoChange[], state: EntryState): { reason?: UndoRefusalReason } {
  if (left.every(({ before }) => before.kind === 'folder' && state.kind === 'folder')) return {};
  if (left.every(({ before }) => isSameEntry(before, state))) return { reason: { code: 'as_before' } };
  return { reason: { code: state.kind === 'absent' ? 'deleted' : 'changed_elsewhere' } };
}
