import type { Freedom } from '../../src-preload/contract/bounds.ts';
import { isInside } from '../base/paths.ts';
import type { JudgeInput } from './accesses/verdict.ts';
import { isObeyed } from './obeyed-files.ts';
import { endOf, isWithoutEffect, type Rule } from './rules.ts';
import { freelyRule, outermostRoot } from './work-freely.ts';

/** The rules, of all conversations, that let the assistant work freely in this root now. */
export function freelyRulesOf<R extends Pick<Rule, 'matcher'>>(
  root: string,
  rules: readonly R[],
  now: Date,
): readonly R[] {
  return rules.filter(
    (rule) => rule.matcher.kind === 'work-freely' && isInside(rule.matcher.path, root) && !isWithoutEffect(rule, now),
  );
}

/** Whether the assistant works freely in a folder, which is a root or in one (a real path). */
export function freedomOf(
  folder: string,
  { rules, now, ...place }: Pick<JudgeInput, 'home' | 'isInsideRoots' | 'rules'> & { readonly now: Date },
): Freedom {
  const root = outermostRoot(folder, place);
  if (root !== folder) return { state: 'within', root };
  const inEffect = freelyRulesOf(root, rules, now);
  const ends = inEffect.filter(({ conversationId }) => conversationId === null).map(endOf);
  const [last] = ends.filter((end) => end !== undefined).toSorted((a, b) => Date.parse(b) - Date.parse(a));
  if (ends.includes(undefined)) return { state: 'always' };
  if (last !== undefined) return { state: 'until', until: last };
  if (freelyRule(root, place).length === 0) return { state: 'not_offered', why: isObeyed(root) ? 'obeyed' : 'home' };
  return { state: 'asks', isAllowedInSome: inEffect.length > 0 };
}
