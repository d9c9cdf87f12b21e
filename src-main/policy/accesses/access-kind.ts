import type { AccessClass } from '../../../src-preload/contract/access-class.ts';
import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { ApproveFlag, DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { Mark } from '../../../src-preload/contract/events.ts';
import type { EffectsPlace } from '../commands/touched-paths.ts';
import type { DiffPreview } from '../diff-preview.ts';
import type { RuleDraft, RuleMatcher } from '../rules.ts';
import type { JudgeInput, Verdict } from './verdict.ts';

/** The steps of a shell line. */
export interface CommandSteps {
  /** Where each ends in the line, in UTF-16 units. None: the command has no steps of its own. */
  readonly ends: readonly number[];
  /** Indices of the steps with grave consequences. */
  readonly grave: readonly number[];
}

/** What allowing one access brings about. */
export interface AccessConsequences {
  readonly consequences: readonly Consequence[];
  /** The steps of a command. */
  readonly steps?: CommandSteps;
}

/** What the call was answered beside. */
export type AnsweredBeside = Pick<JudgeInput, 'asksModel' | 'marks'>;

/** What an answer allows for the rest of its conversation. */
export interface RememberedAccess {
  /** Keys of services. */
  readonly services?: readonly string[];
  /** The real path of a file that holds secrets. */
  readonly secretFile?: string;
}

/**
 * All that the policy knows of one kind of access. Nothing has a default: what a kind leaves out, the compiler names.
 * Methods, so that the kind found for an access takes that access.
 */
export interface AccessKind<A> {
  /** How the policy classifies it, whatever class its tool declares. */
  effectiveClass(access: A, input: Pick<JudgeInput, 'asksModel' | 'endpointOrigins'>): AccessClass;
  judge(input: JudgeInput, access: A, effective: AccessClass): Verdict;
  /** Whether a rule covers it, for a call of a tool that the rule is for. */
  isCovered(matcher: RuleMatcher, access: A, effective: AccessClass): boolean;
  /** Rules that the user can add for it, narrowest first; none if no rule may cover it. Never asked for `send`. */
  rules(
    access: A,
    effective: AccessClass,
    input: Pick<JudgeInput, 'realWorkspace' | 'outside' | 'links'>,
  ): readonly RuleDraft[];
  /**
   * The weaker of the flags that can answer a question about it; `reads` never does for a class that is more than
   * reading.
   */
  leastFlag(access: A): Exclude<ApproveFlag, 'none'>;
  /** `reason`: what the question gave as its reason. Nothing else is remembered. */
  remembered(access: A, call: AnsweredBeside, reason: DecisionReason): RememberedAccess;
  /** What a result that comes from it carries. `shownPath`: formats a real path for people. */
  marks(access: A, shownPath: (real: string) => string): readonly Mark[];
  /** Sending aside, which the whole call's class tells. */
  consequences(access: A, place: EffectsPlace): AccessConsequences;
  /** Hosts that may learn what the call is given. */
  hosts(access: A): readonly string[];
  /** What the model wrote leaves the conversation through it: a placeholder for a secret would be passed on. */
  passesOnInput(access: A): boolean;
  /**
   * The question about a call that touches these, of this kind only. `undefined`: no more can be said than the tool's
   * name.
   */
  title(accesses: readonly A[], changes: readonly DiffPreview[]): string | undefined;
  /** What tells it from others of its kind. Untrusted. `undefined`: nothing does. */
  nameOf(access: A): string | undefined;
}

/** Shown among what a call affects; a command has a part of its own. */
export interface TouchedKind<A> extends AccessKind<A> {
  /** Contains raw untrusted content. */
  describe(access: A): string;
  shownClass(access: A): ShownClass;
}

/**
 * Unless nobody but a server or program vouches for it. A server's tool was reviewed before it was offered, so its
 * class is at most `unverified`; resources and prompts of a server are `unreviewed` until its definitions are accepted.
 */
export type ShownClass = AccessClass | 'unreviewed' | 'unverified';
