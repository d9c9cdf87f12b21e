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
  /**
   * The position in the line at which each step ends, in UTF-16 units. Empty if the command has no steps of its own.
   */
  readonly ends: readonly number[];
  /** The indices of the steps with grave consequences. */
  readonly grave: readonly number[];
}

/** What allowing one access brings about. */
export interface AccessConsequences {
  readonly consequences: readonly Consequence[];
  /** The steps of a command. */
  readonly steps?: CommandSteps;
}

/** What was there when the user answered for the call. */
export type AnsweredBeside = Pick<JudgeInput, 'asksModel' | 'marks'>;

/** What an answer allows for the rest of its conversation. */
export interface RememberedAccess {
  /** The keys of services that the answer allows. */
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
    input: Pick<
      JudgeInput,
      'realWorkspace' | 'isInsideRoots' | 'home' | 'holdsCommands' | 'isGrave' | 'outside' | 'links'
    >,
  ): readonly RuleDraft[];
  /**
   * The weaker of the flags that can answer a question about it; `reads` never does for a class that is more than
   * reading.
   */
  leastFlag(access: A): Exclude<ApproveFlag, 'none'>;
  /** `reason` is what the question gave as its reason. Nothing else is remembered. */
  remembered(access: A, call: AnsweredBeside, reason: DecisionReason): RememberedAccess;
  /** The marks that a result carries because it comes from this access. `shownPath` formats a real path for people. */
  marks(access: A, shownPath: (real: string) => string): readonly Mark[];
  /** The consequences other than sending, which the class of the whole call tells. */
  consequences(access: A, place: EffectsPlace): AccessConsequences;
  /** Hosts that may learn what the call is given. */
  hosts(access: A): readonly string[];
  /** Whether what the model wrote leaves the conversation through it. A placeholder for a secret would be passed on. */
  passesOnInput(access: A): boolean;
  /**
   * The question about a call that touches these, of this kind only. Undefined if no more can be said than the tool's
   * name.
   */
  title(accesses: readonly A[], changes: readonly DiffPreview[]): string | undefined;
  /** The name that tells it from others of its kind, or undefined if it has none. Untrusted. */
  nameOf(access: A): string | undefined;
}

/** A kind that is shown among what a call affects. A command is shown in a part of its own. */
export interface TouchedKind<A> extends AccessKind<A> {
  /** A description that contains raw untrusted text. */
  describe(access: A): string;
  shownClass(access: A): ShownClass;
}

/**
 * The access class, except where nobody but a server or program vouches for it. A server's tool was reviewed before it
 * was offered, so its class is at most `unverified`; resources and prompts of a server are `unreviewed` until its
 * definitions are accepted.
 */
export type ShownClass = AccessClass | 'unreviewed' | 'unverified';
