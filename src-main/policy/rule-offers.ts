import { isInside } from '../base/paths.ts';
import { type Access, kindOf } from './accesses/access-kinds.ts';
import type { JudgeInput } from './accesses/verdict.ts';
import type { RuleDraft } from './rules.ts';

/** The rules that the user can add for one access, the narrowest first. There are none if no rule may cover it. */
export function rulesFor(
  access: Access,
  input: Pick<
    JudgeInput,
    | 'asksModel'
    | 'endpointOrigins'
    | 'realWorkspace'
    | 'isInsideRoots'
    | 'home'
    | 'holdsCommands'
    | 'isGrave'
    | 'outside'
    | 'links'
  >,
): readonly RuleDraft[] {
  const kind = kindOf(access);
  const effective = kind.effectiveClass(access, input);
  return effective === 'send' ? [] : kind.rules(access, effective, input);
}

/**
 * The same rule for a command, an account or a server's tool, but made from a card that warned of text from outside in
 * this conversation.
 */
export function withOutsideTextShown(draft: RuleDraft, conversationId: string): RuleDraft {
  const { matcher } = draft;
  // What is done under it can neither leave nor run elsewhere, so it doesn't depend on the text.
  if (matcher.kind === 'work-freely') return draft;
  if (matcher.kind === 'folder' || matcher.kind === 'host' || matcher.kind === 'command') return draft;
  // Such a rule is bound to that text already.
  if (matcher.kind === 'repeated-command' || matcher.kind === 'mail-links') return draft;
  return {
    ...draft,
    label: `${draft.label}, even with text from outside in this conversation`,
    matcher: { ...matcher, outsideTextShownIn: conversationId },
  };
}

/**
 * Whether one of the offered rules would complete the pair that lets edited files run without a question: one for edits
 * of `~/project` and one for `npm test` there, by which a model could write a test and run it. Source: design section
 * 4.
 */
export function rulesMeet(offers: readonly RuleDraft[], standing: readonly RuleDraft[]): boolean {
  const meet = (edits: readonly string[], commands: readonly string[]) =>
    edits.some((folder) => commands.some((place) => isInside(folder, place) || isInside(place, folder)));
  return meet(edited(offers), runIn(standing)) || meet(edited(standing), runIn(offers));
}

function edited(rules: readonly RuleDraft[]): readonly string[] {
  return rules.flatMap(({ matcher }) =>
    matcher.kind === 'work-freely' || (matcher.kind === 'folder' && matcher.class === 'write') ? [matcher.path] : [],
  );
}

function runIn(rules: readonly RuleDraft[]): readonly string[] {
  return rules.flatMap(({ matcher }) =>
    matcher.kind === 'exact-command' || matcher.kind === 'repeated-command' ? [matcher.directory] : [],
  );
}
