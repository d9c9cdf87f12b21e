import { dirname } from 'node:path';
import { isInside } from '../base/paths.ts';
import type { JudgeInput } from './accesses/verdict.ts';
import { isObeyed } from './obeyed-files.ts';
import type { RuleDraft } from './rules.ts';

/**
 * The rule that lets the assistant work freely in a root. There is none for the home, for what contains it, or for a
 * folder that programs obey as a whole.
 */
export function freelyRule(root: string, { home }: Pick<JudgeInput, 'home'>): readonly RuleDraft[] {
  if (isInside(root, home) || isObeyed(root)) return [];
  return [{ label: `work freely in ${root}`, tool: null, matcher: { kind: 'work-freely', path: root } }];
}

const WEEK_MS = 7 * 86_400_000;

/** The same rule, which ends a week from now. Rules of other kinds have no end. */
export function endingInAWeek(draft: RuleDraft, now: Date): RuleDraft {
  if (draft.matcher.kind !== 'work-freely') return draft;
  return { ...draft, matcher: { ...draft.matcher, until: new Date(now.getTime() + WEEK_MS).toISOString() } };
}

/** The root that a real path is in. If one root is inside another, it is the outer one. */
export function outermostRoot(path: string, { isInsideRoots }: Pick<JudgeInput, 'isInsideRoots'>): string {
  let root = path;
  for (let above = dirname(root); above !== root && isInsideRoots(above); above = dirname(root)) root = above;
  return root;
}
