import { type ChangedPath, MAX_LISTED_CHANGES } from '../../../src-preload/contract/file-changes.ts';
import type { UndoRefusal } from '../../../src-preload/contract/undo-refusal.ts';
import { isInside } from '../../base/paths.ts';
import { changedPaths } from '../changed-paths.ts';
import { isSameEntry, type Transition } from '../entry-state.ts';
import type { LookPlace } from '../look.ts';
import { carryOut } from '../restore/carry-out.ts';
import { Journal, type OperationOrigin, reverse } from '../restore/journal.ts';
import { presentEntry } from '../restore/present-entry.ts';
import { standingChanges } from '../stored-changes.ts';
import { type PlannedUndo, planUndo } from './plan-undo.ts';
import { type ShownDiff, shownDiffs } from './shown-diffs.ts';
import { commandChanges, type ToolChange, toolChanges, type UndoChange } from './undo-changes.ts';

/** The place, and the file that is locked while something is restored. */
export interface UndoPlace extends LookPlace {
  readonly lock: string;
}

/** Roots are real paths: nothing outside of them is changed. */
interface InRoots {
  readonly conversationId: string;
  readonly roots: readonly string[];
}

export interface UndoAsked extends InRoots {
  /** The calls whose commands are undone, in the order in which they were made. */
  readonly calls: readonly string[];
  /** Real paths, or null for everything. */
  readonly paths: readonly string[] | null;
  /** Whether files come back that somebody changed since. */
  readonly replacesOthers: boolean;
  readonly tools: readonly ToolChange[];
}

export interface RedoAsked extends InRoots {
  /** Null: what was undone last. */
  readonly callId: string | null;
}

export interface UndoPlanned {
  /** What it does, where a file that comes back is `made`; no more than `MAX_LISTED_CHANGES`. */
  readonly listed: readonly ChangedPath[];
  /** How many there are. */
  readonly count: number;
  readonly refused: readonly UndoRefusal[];
  /** Of texts, if they are few. */
  readonly diffs: readonly ShownDiff[];
  /** The paths at which it replaces what somebody else did since. */
  readonly replaced: readonly string[];
  readonly hash: string;
  /** The numbers of the tools' changes that are part of it. */
  readonly tools: readonly number[];
  /** The calls that are part of it. */
  readonly calls: readonly string[];
}

export type UndoCarried =
  /** What is there is no longer what the plan was made for. */
  | { readonly kind: 'changed' }
  | {
      readonly kind: 'done';
      /** Real paths, the first thousand of them. */
      readonly paths: readonly string[];
      readonly count: number;
      /** How many of these are folders. */
      readonly folders: number;
      readonly refused: readonly UndoRefusal[];
      readonly tools: readonly number[];
      readonly calls: readonly string[];
      /** Which call had made the change of each path. */
      readonly changes: readonly { readonly callId: string; readonly path: string }[];
      /** Those of the calls of which something is left to be undone. */
      readonly partly: readonly string[];
    };

/** What a yes covers, and the earlier versions of what tools changed. */
export interface CarryAsked {
  readonly hash: string;
  readonly contents: readonly Uint8Array[];
}

interface Work {
  readonly plan: PlannedUndo;
  readonly origin: OperationOrigin;
  /** Folders that go if they are empty then. */
  readonly folders: readonly Transition[];
  /** The operation that is reversed. */
  readonly reversed: number | undefined;
}

export function plannedUndo(place: UndoPlace, asked: UndoAsked): UndoPlanned {
  return shown(place, workOfUndo(place, asked));
}

/** Undefined if there is nothing to redo. */
export function plannedRedo(place: UndoPlace, asked: RedoAsked): UndoPlanned | undefined {
  const work = workOfRedo(place, asked);
  return work && shown(place, work);
}

export function carriedUndo(place: UndoPlace, asked: UndoAsked & CarryAsked): UndoCarried {
  for (const bytes of asked.contents) place.contents.keepBytes(bytes);
  return carried(place, workOfUndo(place, asked), asked);
}

export function carriedRedo(place: UndoPlace, asked: RedoAsked & CarryAsked): UndoCarried {
  const work = workOfRedo(place, asked);
  return work === undefined ? { kind: 'changed' } : carried(place, work, asked);
}

function workOfUndo(place: UndoPlace, asked: UndoAsked): Work {
  const changes = [...commandChanges(place, asked), ...toolChanges(asked.tools, new Date())];
  const alsoKept = new Set(asked.tools.flatMap(({ before }) => before?.hash ?? []));
  const { replacesOthers } = asked;
  const plan = planUndo(changes, {
    place,
    alsoKept,
    replacesOthers,
    allows: (path) => isAllowed(place, asked, path),
  });
  const tools = toolsIn(plan.used);
  const origin = {
    kind: 'undo',
    conversation: asked.conversationId,
    calls: [...new Set(plan.used.map(({ callId }) => callId))],
    tools,
  } as const;
  return {
    plan,
    origin,
    folders: foldersMadeBy(asked.tools.filter(({ num }) => tools.includes(num))),
    reversed: undefined,
  };
}

function workOfRedo(place: UndoPlace, { callId, ...asked }: RedoAsked): Work | undefined {
  const row = place.store
    .statement<{ num: number; calls: string; tools: string }>(
      `SELECT num, calls, tools FROM operations WHERE conversation = ? AND kind = 'undo' AND state = 'done'
       AND (?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(calls) WHERE value = ?2)) ORDER BY num DESC LIMIT 1`,
    )
    .get(asked.conversationId, callId);
  if (row === undefined) return undefined;
  const calls = JSON.parse(row.calls) as string[];
  const [firstCall = ''] = calls;
  const changes = reverse(place.store, row.num).map(
    ({ path, from, to }): UndoChange => ({
      path,
      isLeftIn: (present) => isSameEntry(present, from),
      before: to,
      // Which of the calls had changed it is not kept.
      callId: firstCall,
      source: undefined,
    }),
  );
  const plan = planUndo(changes, {
    place,
    alsoKept: new Set(),
    replacesOthers: false,
    allows: (path) => isAllowed(place, asked, path),
  });
  const tools = JSON.parse(row.tools) as number[];
  const origin = { kind: 'redo', conversation: asked.conversationId, calls, tools } as const;
  return { plan, origin, folders: [], reversed: row.num };
}

function isAllowed({ leftOut }: LookPlace, { roots }: Pick<InRoots, 'roots'>, path: string): boolean {
  return roots.some((root) => isInside(root, path)) && ![...leftOut].some((folder) => isInside(folder, path));
}

function toolsIn(used: readonly UndoChange[]): number[] {
  return used.flatMap(({ source }) => (source !== undefined && 'tool' in source ? [source.tool] : []));
}

function foldersMadeBy(tools: readonly ToolChange[]): Transition[] {
  const folders = new Set(tools.flatMap(({ madeFolders }) => madeFolders));
  return [...folders].flatMap((path) => {
    const from = presentEntry(path);
    return from.kind === 'folder' ? [{ path, from, to: { kind: 'absent' } }] : [];
  });
}

function shown(place: UndoPlace, { plan, origin }: Work): UndoPlanned {
  return {
    listed: plan.listed.slice(0, MAX_LISTED_CHANGES),
    count: plan.listed.length,
    refused: plan.refused.slice(0, MAX_LISTED_CHANGES),
    diffs: shownDiffs(place.contents, plan),
    replaced: plan.replaced.slice(0, MAX_LISTED_CHANGES),
    hash: plan.hash,
    tools: toolsIn(plan.used),
    calls: origin.calls,
  };
}

function carried(place: UndoPlace, { plan, origin, folders, reversed }: Work, { hash }: CarryAsked): UndoCarried {
  if (plan.hash !== hash) return { kind: 'changed' };
  const { store, contents, lock } = place;
  const transitions = [...plan.transitions, ...folders];
  const allowed = new Set(transitions.map(({ path }) => path));
  const restored = carryOut(transitions, {
    store,
    contents,
    lock,
    operation: origin,
    allows: (path) => allowed.has(path),
  });
  const done = new Set(restored.done);
  const madeFolders = new Set(folders.map(({ path }) => path));
  const taken = plan.used.filter(({ path }) => done.has(path));
  store.transaction(() => {
    if (reversed === undefined) markUndone(place, taken);
    else markRedone(place, reversed, origin, done);
  });
  // What a redo writes again may need a review; a folder doesn't.
  const changed = reversed === undefined ? taken : taken.filter(({ before }) => before.kind === 'file');
  const paths = plan.listed.filter(({ path, from }) => done.has(path) || (from !== undefined && done.has(from)));
  return {
    kind: 'done',
    paths: paths.slice(0, MAX_LISTED_CHANGES).map(({ path }) => path),
    count: paths.length,
    folders: paths.filter(({ is }) => is === 'folder').length,
    refused: [...restored.refused.filter(({ path }) => !madeFolders.has(path)), ...plan.refused],
    tools: reversed === undefined ? toolsIn(taken) : (origin.tools ?? []),
    calls: origin.calls,
    changes: changed.map(({ callId, path }) => ({ callId, path })),
    partly: origin.calls.filter((call) => isLeftOf(place, origin.conversation, call)),
  };
}

function markUndone({ store }: UndoPlace, taken: readonly UndoChange[]): void {
  const mark = store.statement('UPDATE changes SET is_undone = 1 WHERE command = ? AND path = ?');
  for (const { path, source } of taken) if (source !== undefined && 'command' in source) mark.run(source.command, path);
}

function markRedone(
  { store }: UndoPlace,
  num: number,
  { conversation, calls }: OperationOrigin,
  done: Set<string>,
): void {
  const mark = store.statement(
    `UPDATE changes SET is_undone = 0 WHERE path = ?
     AND command IN (SELECT num FROM commands WHERE conversation = ? AND call IN (SELECT value FROM json_each(?)))`,
  );
  for (const path of done) mark.run(path, conversation, JSON.stringify(calls));
  new Journal(store).end(num, 'redone');
}

/** Whether something that people are shown is not undone. */
function isLeftOf({ store, contents }: UndoPlace, conversation: string, call: string): boolean {
  const standing = standingChanges(store, { conversationId: conversation, callId: call });
  return changedPaths(standing, (digest) => contents.has(digest)).some(({ changed }) => changed.isLost !== true);
}
