import { grouped } from '../../base/text.ts';
import type { BeforeImage } from '../../storage/records/before-images.ts';
import type { PresentState } from '../../tools/files/put-back.ts';

/** Something that stays as it is. */
export interface UndoRefusal {
  /** Real path of a file, or the name of a tool. */
  readonly path: string;
  /** Completes "{path}: …". */
  readonly reason: string;
}

/** One file that can be put back. */
export interface UndoStep {
  readonly path: string;
  readonly present: Extract<PresentState, { kind: 'file' }>;
  /** The changes of the choice that are taken back, newest first. */
  readonly images: readonly BeforeImage[];
  /** The oldest of them that had an effect: the file becomes what it was before this one. */
  readonly target: BeforeImage;
  /** Newer changes of others of which nothing stands; they can never be undone after this. */
  readonly overtaken: readonly BeforeImage[];
}

export interface UndoPlan {
  /** The newest change first. */
  readonly steps: readonly UndoStep[];
  readonly refused: readonly UndoRefusal[];
}

export interface UndoPlanInput {
  /** All of the conversation, oldest first. */
  readonly images: readonly BeforeImage[];
  readonly isChosen: (image: BeforeImage) => boolean;
  /** By path; of every path that was chosen. */
  readonly present: ReadonlyMap<string, PresentState>;
  /** The name of the tool that was called. */
  readonly toolOf: (callId: string) => string;
}

/** Stands for the hash of a file that is not there. */
const ABSENT = 'absent';
const AS_BEFORE = 'it is as it was before already';

/**
 * What can be put back, and what cannot and why. A change can be taken back while the file is exactly what it left behind,
 * or what taking back all later ones of the choice leaves. Pure.
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
  /** The oldest change that was taken back. */
  readonly target: BeforeImage | undefined;
  /** All that were taken back or had nothing left to take back, newest first. */
  readonly passed: readonly BeforeImage[];
  /** Why not all of the choice could be taken back; it may be that some was. */
  readonly reason: string | undefined;
}

function unwind(
  changes: readonly BeforeImage[],
  state: Exclude<PresentState, { kind: 'unusable' }>,
  isChosen: (image: BeforeImage) => boolean,
  toolOf: (callId: string) => string,
): Unwound {
  const passed: BeforeImage[] = [];
  let target: BeforeImage | undefined;
  let now = state.kind === 'absent' ? ABSENT : state.hash;
  const cameToNothing = new Set<string>();
  for (const [index, image] of changes.entries()) {
    if (!changes.slice(index).some(isChosen)) break;
    const isChosenOne = isChosen(image);
    // A turn that undid itself stands in nobody's way: there would be nothing to undo first.
    if (!isChosenOne && leadsBack(changes, image.turnId, now)) cameToNothing.add(image.turnId);
    // Nothing of it stands: it never came to be written, or somebody took it back.
    const hasNoEffect = now === stateBefore(image) || cameToNothing.has(image.turnId);
    if (!hasNoEffect) {
      const isStanding = now === image.afterHash;
      const obstacle = isChosenOne
        ? undefined
        : `changed since by ${toolOf(image.callId)} in this conversation; undo that first`;
      if (isStanding && obstacle !== undefined) return { target, passed, reason: obstacle };
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

function whatHappened(now: string): string {
  return now === ABSENT ? 'deleted since' : 'changed since by something else';
}

function whyDropped({ before }: BeforeImage): string {
  // Without a hash it was never read.
  return before?.hash === null
    ? `what it was before (${grouped(before.size)} bytes) was too large to be kept`
    : 'what it was before is not kept any more';
}
