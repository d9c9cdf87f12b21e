import type { ContentStore } from '../content-store.ts';
import { textIn } from '../kept-text.ts';
import type { PlannedUndo } from './plan-undo.ts';

/** A file's text now, and after the undo. */
export interface ShownDiff {
  readonly path: string;
  /** Null if there is no file now. */
  readonly before: string | null;
  /** Empty if there is none then. */
  readonly after: string;
}

/** A longer list is shown without texts: nobody would read them all. */
const MAX_FILES = 12;

/** The texts that an undo changes, if they are few and short. */
export function shownDiffs(contents: ContentStore, { transitions, listed }: PlannedUndo): ShownDiff[] {
  if (listed.length > MAX_FILES) return [];
  const isListed = new Set(
    listed.filter(({ change }) => change !== 'renamed' && change !== 'mode').map(({ path }) => path),
  );
  return transitions.flatMap(({ path, from, to }) => {
    if (!isListed.has(path) || (from.kind !== 'file' && to.kind !== 'file')) return [];
    const before = textIn(contents, from);
    const after = textIn(contents, to);
    return before === undefined || after === undefined ? [] : [{ path, before, after: after ?? '' }];
  });
}
