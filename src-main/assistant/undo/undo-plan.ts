import { changeCount } from '../../../src-preload/contract/changes-text.ts';
import type { KeptChange, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { UndoRefusal, UndoRefusalReason } from '../../../src-preload/contract/undo-refusal.ts';
import type { BeforeImage } from '../../storage/records/before-images.ts';
import type { PresentState } from '../../tools/files/put-back.ts';

/** One file that can be restored. */
export interface UndoStep {
  readonly path: string;
  readonly present: Extract<PresentState, { kind: 'file' }>;
  /** The selected changes to undo, newest first. */
  readonly images: readonly BeforeImage[];
  /** The oldest of them that had an effect: the file is restored to its version before this one. */
  readonly target: BeforeImage;
  /** Newer changes by other calls that are no longer in the file; they can never be undone after this. */
  readonly overtaken: readonly BeforeImage[];
}

export interface UndoPlan {
  /** The newest change first. */
  readonly steps: readonly UndoStep[];
  readonly refused: readonly UndoRefusal[];
}

export interface UndoPlanInput {
  /** All changes of the conversation, oldest first. */
  readonly images: readonly BeforeImage[];
  readonly isChosen: (image: BeforeImage) => boolean;
  /** The current state by path, for every selected path. */
  readonly present: ReadonlyMap<string, PresentState>;
  /** The name of the tool that made a call, or null if it is not known. */
  readonly toolOf: (callId: string) => string | null;
}

/** The hash value for a missing file. */
const ABSENT = 'absent';
const AS_BEFORE = { code: 'as_before' } as const;

/**
 * What can be restored, and what can't and why. A change can be undone while the file is exactly as the change left it,
 * or as undoing all later selected changes leaves it. Pure.
 */
export function planUndo({ images, isChosen, present, toolOf }: UndoPlanInput): UndoPlan {
  const newestFirst = images.filter(({ isUndone }) => !isUndone).reverse();
  const paths = new Set(newestFirst.filter(isChosen).map(({ path }) => path));
  const steps: UndoStep[] = [];
  const refused: UndoRefusal[] = [];
  for (const path of paths) {
    const state = present.get(path) ?? { kind: 'absent' };
    const changes = newestFirst.filter((image) => image.path === path);
    if (state.kind === 'unusable') {
      refused.push({ path, reason: state.reason });
      continue;
    }
    const { target, passed, reason } = unwind(changes, state, isChosen, toolOf);
    const isStep = target !== undefined && state.kind === 'file' && stateBefore(target) !== state.hash;
    if (isStep) {
      const images = passed.filter(isChosen);
      const overtaken = passed.filter((image) => !isChosen(image) && image.num > target.num);
      steps.push({ path, present: state, images, target, overtaken });
    }
    if (reason !== undefined || !isStep) refused.push({ path, reason: reason ?? AS_BEFORE });
  }
  return { steps, refused };
}

interface Unwound {
  /** The oldest change that is undone. */
  readonly target: BeforeImage | undefined;
  /** All changes that are undone or had nothing left to undo, newest first. */
  readonly passed: readonly BeforeImage[];
  /** Why not all selected changes can be undone; some may be. */
  readonly reason: UndoRefusalReason | undefined;
}

function unwind(
  changes: readonly BeforeImage[],
  state: Exclude<PresentState, { kind: 'unusable' }>,
  isChosen: (image: BeforeImage) => boolean,
  toolOf: (callId: string) => string | null,
): Unwound {
  const passed: BeforeImage[] = [];
  let target: BeforeImage | undefined;
  let now = state.kind === 'absent' ? ABSENT : state.hash;
  const cameToNothing = new Set<string>();
  for (const [index, image] of changes.entries()) {
    if (!changes.slice(index).some(isChosen)) break;
    const isChosenOne = isChosen(image);
    // A turn that reverted itself does not block others: there would be nothing to undo first.
    if (!isChosenOne && leadsBack(changes, image.turnId, now)) cameToNothing.add(image.turnId);
    // None of it remains: it was never written, or it was reverted.
    const hasNoEffect = now === stateBefore(image) || cameToNothing.has(image.turnId);
    if (!hasNoEffect) {
      const isStanding = now === image.afterHash;
      if (isStanding && !isChosenOne)
        return { target, passed, reason: { code: 'changed_by_call', tool: toolOf(image.callId) } };
      if (isChosenOne && image.isDropped) return { target, passed, reason: whyDropped(image) };
      if (!isStanding) return { target, passed, reason: whatHappened(now) };
      target = image;
      now = stateBefore(image) ?? ABSENT;
    }
    passed.push(image);
  }
  return { target, passed, reason: undefined };
}

/** Whether all changes of a turn, from the newest to the oldest, lead from a state back to the same state. */
function leadsBack(changes: readonly BeforeImage[], turnId: string, from: string): boolean {
  let now: string | null = from;
  for (const image of changes) {
    if (image.turnId !== turnId || now === stateBefore(image)) continue;
    if (now !== image.afterHash) return false;
    now = stateBefore(image);
  }
  return now === from;
}

function stateBefore({ before }: BeforeImage): string | null {
  return before === null ? ABSENT : before.hash;
}

function whatHappened(now: string): UndoRefusalReason {
  return { code: now === ABSENT ? 'deleted' : 'changed_elsewhere' };
}

function whyDropped({ before }: BeforeImage): UndoRefusalReason {
  // A file without a hash was never read.
  return before?.hash === null ? { code: 'too_large', bytes: before.size } : { code: 'not_kept' };
}

/** Calls of which everything was undone, and not made again. */
export function undoneCalls(events: readonly StoredEvent[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const event of events) {
    if (event.type === 'undo')
      for (const call of event.calls) if (event.partly?.includes(call) !== true) undone.add(call);
    if (event.type === 'redo') for (const call of event.calls) undone.delete(call);
  }
  return undone;
}

/** At most this many of the paths that a command changed are named. */
const MAX_KEPT_PATHS = 20;

/** Calls after `afterSeq` that changed files and of which nothing was undone, in the order of their results. */
export function keptChanges(events: readonly StoredEvent[], afterSeq: number): readonly KeptChange[] {
  const later = events.filter(({ seq }) => seq > afterSeq);
  const undone = undoneCalls(later);
  const tools = new Map(
    later.flatMap((event) => (event.type === 'tool_call' ? [[event.id, event.name] as const] : [])),
  );
  const newest = new Map(later.flatMap((event) => (event.type === 'changes' ? [[event.id, event] as const] : [])));
  return later.flatMap((event): KeptChange[] => {
    if ((event.type !== 'tool_result' && event.type !== 'changes') || undone.has(event.id)) return [];
    const tool = tools.get(event.id);
    // What an earlier command changed can be found late.
    if (tool === undefined) return [];
    const { id } = event;
    if (event.type === 'tool_result')
      return (event.changed?.length ?? 0) === 0 ? [] : [{ id, tool, paths: event.changed ?? [] }];
    const count = changeCount(event);
    if (newest.get(id) !== event || count === 0) return [];
    const paths = event.files.slice(0, MAX_KEPT_PATHS).map(({ path }) => path);
    return [{ id, tool, paths, ...(count > paths.length ? { count } : {}) }];
  });
}
