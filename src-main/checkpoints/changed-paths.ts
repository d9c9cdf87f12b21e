import type { ChangedPath, PathChange } from '../../src-preload/contract/file-changes.ts';
import { type EntryState, hasSameContent, type Transition } from './entry-state.ts';

/** A change of one path, and in the words of the contract what it is. */
export interface NamedChange {
  readonly transition: Transition;
  readonly changed: ChangedPath;
}

/**
 * What these transitions (in the order of their paths) are for people. A file that is gone and one with the same content
 * that is new are one that was renamed. Folders that only have another time are no change. `isKept` says whether what
 * was there before can be brought back.
 */
export function changedPaths(
  transitions: readonly Transition[],
  isKept: (digest: string) => boolean,
): readonly NamedChange[] {
  const gone = new Map<string, Transition[]>();
  for (const transition of transitions) {
    const key = transition.to.kind === 'absent' ? contentOf(transition.from) : undefined;
    if (key !== undefined) gone.set(key, [...(gone.get(key) ?? []), transition]);
  }
  const renamedFrom = new Map<Transition, Transition>();
  for (const transition of transitions) {
    const key = transition.from.kind === 'absent' ? contentOf(transition.to) : undefined;
    const source = key === undefined ? undefined : gone.get(key)?.shift();
    if (source !== undefined) renamedFrom.set(transition, source);
  }
  const moved = new Set(renamedFrom.values());
  return transitions.flatMap((transition) => {
    const change = moved.has(transition) ? undefined : changeIn(transition);
    if (change === undefined) return [];
    const source = renamedFrom.get(transition);
    const { path, from, to } = transition;
    const shown = to.kind === 'absent' ? from : to;
    const lost = source === undefined ? isLost(transition, isKept) : isLost(source, isKept);
    const changed: ChangedPath = {
      path,
      change: source === undefined ? change : 'renamed',
      ...(source === undefined ? {} : { from: source.path }),
      ...(shown.kind === 'file' || shown.kind === 'absent' ? {} : { is: shown.kind }),
      size: shown.kind === 'file' ? shown.size : 0,
      ...(lost ? { isLost: true } : {}),
    };
    return [{ transition, changed }];
  });
}

function changeIn({ from, to }: Transition): PathChange | undefined {
  if (from.kind === 'absent') return to.kind === 'absent' ? undefined : 'made';
  if (to.kind === 'absent') return 'deleted';
  if (from.kind === 'folder' && to.kind === 'folder') {
    if (from.mode !== to.mode) return 'mode';
    return to.madeAgain !== undefined && from.modified !== to.modified ? 'changed' : undefined;
  }
  if (from.kind === 'file' && to.kind === 'file' && hasSameContent(from, to))
    return from.mode === to.mode ? undefined : 'mode';
  if (from.kind === 'other' && to.kind === 'other') return from.mode === to.mode ? undefined : 'mode';
  if (from.kind === 'link' && to.kind === 'link' && from.target === to.target) return undefined;
  return 'changed';
}

/** What a renamed file is recognised by. An empty file is like every other. */
function contentOf(state: EntryState): string | undefined {
  return state.kind === 'file' && state.digest !== null && state.size > 0 ? state.digest : undefined;
}

function isLost({ from, to }: Transition, isKept: (digest: string) => boolean): boolean {
  if (from.kind === 'other') return true;
  if (from.kind === 'folder') return from.madeAgain !== undefined && (to.kind !== 'folder' || from.mode === to.mode);
  if (from.kind !== 'file') return false;
  // Permissions can be set back whatever the content is.
  if (to.kind === 'file' && hasSameContent(from, to)) return false;
  return from.digest === null || !isKept(from.digest);
}
