import type { AccessClass } from '../../../src-preload/contract/access-class.ts';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { Mark } from '../../../src-preload/contract/events.ts';
import type { RegistrableDomain } from '../../network/address-keys.ts';
import type { EffectsPlace } from '../commands/touched-paths.ts';
import type { KnownAddresses } from '../known-addresses.ts';
import type { Rule, RuleMatcher } from '../rules.ts';

/**
 * Text from outside that came into the conversation. It is identified by its place in the log, because different texts
 * may have the same name.
 */
export interface OutsideArrival {
  readonly seq: number;
  /** The rule that allowed the call which brought it. */
  readonly ruleId: string | null;
}

/** What a verdict depends on besides the access. */
export interface JudgeInput extends KnownAddresses, EffectsPlace {
  readonly tool: string;
  /** The class that counts if a call declares no access, and if it is `send`. */
  readonly declaredClass: AccessClass;
  /**
   * The call sends text to a model that the user configured (`ask_{provider}`); the name alone does not decide this.
   */
  readonly asksModel: boolean;
  /** The rules that apply in this conversation. */
  readonly rules: readonly Rule[];
  readonly marks: readonly Mark[];
  /**
   * The places at which text from outside came in. Undefined if they are not known here; then nothing may depend on
   * them.
   */
  readonly outside: readonly OutsideArrival[] | undefined;
  /** Commands can be held in a sandbox here. */
  readonly holdsCommands: boolean;
  /** The user wants to be asked also about commands that can change nothing. */
  readonly asksBeforeCommands: boolean;
  /** Allowing the call would have grave consequences. */
  readonly isGrave: boolean;
  /** The access came up in a call that was allowed as a seen link: where it leads is not the model's choice. */
  readonly isOfSeenLink: boolean;
  /** The access came up in a call that follows a link in mails of these senders. */
  readonly linkedBy: readonly string[];
  /** Hosts of services and models that the user allowed in this conversation. */
  readonly allowedServices: ReadonlySet<string>;
  readonly registrableDomain: RegistrableDomain;
  /** Null outside any conversation. */
  readonly conversationId: string | null;
  /** Real paths of secret files that the user allowed to be read in this conversation. */
  readonly openedSecretFiles: ReadonlySet<string>;
  /** The origins (or base URLs) of the configured endpoints. */
  readonly endpointOrigins: readonly string[];
  /** Finds the unreviewed files that a command could run or read; see `UnreviewedFiles.inReachOf`. */
  readonly unreviewedFiles: (folder: string, leavesRoots: boolean) => readonly string[];
  /** With `never`, connections to the user's own machine or network are refused without asking. */
  readonly allowPrivateNetwork: 'ask' | 'never';
}

/** The verdict on one access. */
export type Verdict =
  | { readonly kind: 'allow'; readonly reason: DecisionReason }
  | { readonly kind: 'rule'; readonly rule: Rule }
  /** `mayOffer` says that a rule can cover this access. */
  | { readonly kind: 'ask'; readonly reason: DecisionReason; readonly mayOffer: boolean; readonly severity: number }
  | { readonly kind: 'deny'; readonly reason: DecisionReason };

const SEVERITY: Readonly<Record<AccessClass, number>> = {
  send: 6,
  execute: 5,
  'network-private': 4,
  write: 3,
  network: 2,
  read: 1,
};

/** The verdict of a rule for this tool. `isCovered` says whether the rule's matcher covers the access. */
export function byRule(
  input: JudgeInput,
  isCovered: (matcher: RuleMatcher, id: string) => boolean,
): Verdict | undefined {
  const rule = input.rules.find((each) => isForTool(each, input.tool) && isCovered(each.matcher, each.id));
  return rule && { kind: 'rule', rule };
}

/**
 * While text from outside is in the context, it may be why the model wants this: then only a rule made with that
 * warning shown applies. Otherwise a page could say “put this into package.json and run npm test”, and a rule for
 * `npm test` from last week would run it.
 */
export function byRuleBesideOutsideText(
  input: JudgeInput,
  isCovered: (matcher: RuleMatcher) => boolean,
): Verdict | undefined {
  return byRule(input, (matcher, id) => isCovered(matcher) && holdsBesideOutsideText(input, matcher, id));
}

function isForTool({ tool }: Pick<Rule, 'tool'>, called: string): boolean {
  return tool === null || tool === called;
}

/**
 * An answer for a repeated command ends with the next text from outside, which nobody had read when they gave it: a
 * mail could say “push again” after the files were changed. The command's own output doesn't end it (`curl` of the same
 * page, again and again).
 */
function holdsBesideOutsideText(input: JudgeInput, matcher: RuleMatcher, id: string): boolean {
  if (matcher.kind === 'repeated-command') {
    const isCovered = ({ seq, ruleId }: OutsideArrival) => seq <= matcher.outsideThrough || ruleId === id;
    return !input.isGrave && input.outside?.every(isCovered) === true;
  }
  if (!has(input, 'untrusted')) return true;
  const { conversationId } = input;
  return conversationId !== null && 'outsideTextShownIn' in matcher && matcher.outsideTextShownIn === conversationId;
}

export function asks(reason: DecisionReason, accessClass: AccessClass, mayOffer = false): Verdict {
  return { kind: 'ask', reason, mayOffer, severity: SEVERITY[accessClass] };
}

/** A verdict for a reason that has no parameters. */
export function allows(
  code:
    | 'public_address'
    | 'own_model'
    | 'own_account'
    | 'search_service'
    | 'named_host'
    | 'connection_named'
    | 'documentation',
): Verdict {
  return { kind: 'allow', reason: { code } };
}

export function has({ marks }: Pick<JudgeInput, 'marks'>, kind: Mark['kind']): boolean {
  return marks.some((mark) => mark.kind === kind);
}

/** A secret is always private. */
export function isPrivate(input: Pick<JudgeInput, 'marks'>): boolean {
  return has(input, 'private') || has(input, 'secret');
}

export function isMarkedBoth(input: Pick<JudgeInput, 'marks'>): boolean {
  return has(input, 'untrusted') && isPrivate(input);
}
