import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import { isShownMark, type ShownMark } from '../../src-preload/contract/events.ts';
import type { Access, AccessClass, CallEffects } from './access.ts';
import { kindOf } from './accesses/access-kinds.ts';
import { asks, has, isMarkedBoth, type JudgeInput, type Verdict } from './accesses/verdict.ts';
import { rulesFor, rulesMeet, withOutsideTextShown } from './rule-offers.ts';
import type { Rule, RuleDraft } from './rules.ts';

/** One exact call, and what its answer depends on. */
export interface PolicyInput extends JudgeInput {
  readonly effects: CallEffects;
}

/** `classes` are the access classes of the call, without duplicates. */
export type PolicyDecision =
  | {
      readonly answer: 'allow';
      readonly by: 'default';
      readonly reason: DecisionReason;
      readonly classes: readonly AccessClass[];
    }
  | {
      readonly answer: 'allow';
      readonly by: 'rule';
      readonly reason: DecisionReason;
      readonly classes: readonly AccessClass[];
      readonly rules: readonly Rule[];
    }
  | { readonly answer: 'deny'; readonly by: 'default'; readonly reason: DecisionReason }
  | {
      readonly answer: 'ask';
      readonly reason: DecisionReason;
      readonly classes: readonly AccessClass[];
      /** The rules that would each cover calls like this. */
      readonly offers: readonly RuleDraft[];
      /** What was read in the conversation, if it affects the decision. */
      readonly marksShown: readonly ShownMark[];
      /** The real paths of unreviewed files that a command could run. */
      readonly unreviewed: readonly string[];
      /** A rule for edits and one for commands would both apply, so that edited files could run without a question. */
      readonly rulesMeet: boolean;
    };

/** Decides on one exact call. It is pure: the same input always gives the same answer. Source: design section 4. */
export function decide(input: PolicyInput): PolicyDecision {
  const verdicts = verdictsOn(input);
  const denied = verdicts.find((verdict) => verdict.kind === 'deny');
  if (denied !== undefined) return { answer: 'deny', by: 'default', reason: denied.reason };
  const asking = verdicts.filter((verdict) => verdict.kind === 'ask').sort((a, b) => b.severity - a.severity);
  const [strictest] = asking;
  const classes = [...new Set(classesOf(input))];
  if (strictest !== undefined) {
    const offers = asking.every((verdict) => verdict.mayOffer) ? offersFor(input) : [];
    const reasons = asking.map(({ reason }) => reason);
    return {
      answer: 'ask',
      reason: strictest.reason,
      classes,
      offers,
      marksShown: marksShown(input, reasons),
      unreviewed: [
        ...new Set(asking.flatMap(({ reason }) => (reason.code === 'unreviewed_files' ? reason.paths : []))),
      ],
      rulesMeet: rulesMeet(offers, input.rules),
    };
  }
  const rules = [...new Set(verdicts.flatMap((verdict) => (verdict.kind === 'rule' ? [verdict.rule] : [])))];
  if (rules.length > 0) {
    const reason: DecisionReason = { code: 'rules', rules: rules.map(({ label }) => label) };
    return { answer: 'allow', by: 'rule', reason, classes, rules };
  }
  return { answer: 'allow', by: 'default', reason: allowedReason(verdicts), classes };
}

function verdictsOn(input: PolicyInput): Verdict[] {
  const { declaredClass, asksModel, effects } = input;
  const verdicts = effects.access.map((access) => judge(input, access));
  if (effects.access.length === 0 && declaredClass !== 'send') verdicts.push(judgeUnstated(input));
  if (declaredClass === 'send') verdicts.push(asks({ code: 'send' }, 'send'));
  const asksOtherModel = asksModel && isMarkedBoth(input);
  if (asksOtherModel && !effects.access.some((access) => access.kind === 'request'))
    verdicts.push(asks({ code: 'other_model_marked' }, 'network'));
  return verdicts;
}

/** The class of each access, and the tool's own class if it declares no access or sends something. */
function classesOf(input: PolicyInput): AccessClass[] {
  const { asksModel, declaredClass, effects } = input;
  const stated = effects.access.map((access) => kindOf(access).effectiveClass(access, input));
  const own = stated.length === 0 || declaredClass === 'send' || asksModel;
  return own ? [...stated, declaredClass] : stated;
}

function judge(input: PolicyInput, access: Access): Verdict {
  const kind = kindOf(access);
  const effective = kind.effectiveClass(access, input);
  const verdict = kind.judge(input, access, effective);
  // What reaches other people is asked about each time, whatever its kind says: a kind whose file forgets this must not
  // let a rule send mail.
  return effective === 'send' && verdict.kind !== 'deny' ? asks({ code: 'send' }, 'send') : verdict;
}

/**
 * A call without accesses stays inside the app if its tool is read-only; otherwise it may do anything its class allows.
 * So a tool that forgets to say what it touches is asked about, instead of running unjudged.
 */
function judgeUnstated({ asksModel, declaredClass }: PolicyInput): Verdict {
  if (declaredClass === 'read') return { kind: 'allow', reason: { code: 'read_only' } };
  if (declaredClass === 'network' && asksModel) return { kind: 'allow', reason: { code: 'own_model' } };
  return asks({ code: 'effects_unstated' }, declaredClass);
}

/**
 * The rules that, once added, would allow this exact call. Each is tried first: one that would not apply (to a mail, to
 * a secret file) would promise what it can't keep, and the user would look for a broader one.
 */
function offersFor(input: PolicyInput): RuleDraft[] {
  const shownIn = input.marks.some(({ kind }) => kind === 'untrusted') ? input.conversationId : null;
  const drafts = input.effects.access
    .flatMap((access) => rulesFor(access, input))
    .map((draft) => (shownIn === null ? draft : withOutsideTextShown(draft, shownIn)));
  const unique = [...new Map(drafts.map((draft) => [draft.label, draft])).values()];
  return unique.filter((draft) => {
    const kept: Rule = { ...draft, id: '', conversationId: null, createdAt: '', lastUsedAt: null, uses: 0 };
    return verdictsOn({ ...input, rules: [...input.rules, kept] }).every(
      ({ kind }) => kind === 'allow' || kind === 'rule',
    );
  });
}

/** With these reasons, Steward asks because the address could leak private text. */
const CARRIES_OFF: ReadonlySet<DecisionReason['code']> = new Set([
  ...(['address_composed', 'link_carries', 'link_while_secret', 'links_followed', 'mail_link'] as const),
]);

/**
 * The marks that explain the question. Text from outside may be why the model wants this, and private text is what it
 * could leak.
 */
function marksShown(input: PolicyInput, reasons: readonly DecisionReason[]): readonly ShownMark[] {
  const isShown = has(input, 'untrusted') || reasons.some(({ code }) => CARRIES_OFF.has(code));
  return isShown ? input.marks.filter(isShownMark) : [];
}

function allowedReason(verdicts: readonly Verdict[]): DecisionReason {
  const reasons = verdicts.flatMap((verdict) => (verdict.kind === 'allow' ? [verdict.reason] : []));
  const different = [...new Map(reasons.map((reason) => [reason.code, reason])).values()];
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : { code: 'all_of', reasons: different };
}
