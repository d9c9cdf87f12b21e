import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { Mark } from '../../src-preload/contract/events.ts';
import type { NetworkAccess } from '../network/network-access.ts';
import type { Access, AccessClass, AppAccess, CallEffects, ExecuteAccess, FileAccess } from './access.ts';
import { effectiveClass, hostOf, isOnPrivateNetwork } from './effective-access.ts';
import { ruleAnswers, wordsOf } from './rule-matching.ts';
import { rulesFor } from './rule-offers.ts';
import type { Rule, RuleDraft } from './rules.ts';

export interface PolicyInput {
  readonly tool: string;
  /** Counts where a call states no access, and where it is `send`. */
  readonly declaredClass: AccessClass;
  /** It hands text to a model that the user configured (`ask_{provider}`); a name alone does not make it so. */
  readonly asksModel: boolean;
  readonly effects: CallEffects;
  /** Rules that hold in this conversation. */
  readonly rules: readonly Rule[];
  readonly marks: readonly Mark[];
  /** Hosts that the user wrote in this conversation, as URLs carry them. */
  readonly namedHosts: ReadonlySet<string>;
  /** Hosts that the user said yes to in this conversation. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Origins (or base URLs) of the configured endpoints. */
  readonly endpointOrigins: readonly string[];
  readonly realWorkspace: string;
  /** `never`: nothing on the person's own machine or network is reached, and nobody is asked. */
  readonly allowPrivateNetwork: 'ask' | 'never';
}

export type PolicyDecision =
  | { readonly answer: 'allow'; readonly by: 'default'; readonly reason: DecisionReason }
  | { readonly answer: 'allow'; readonly by: 'rule'; readonly reason: DecisionReason; readonly rules: readonly Rule[] }
  | { readonly answer: 'deny'; readonly by: 'default'; readonly reason: DecisionReason }
  | {
      readonly answer: 'ask';
      readonly reason: DecisionReason;
      /** What the call is taken for, each class once. */
      readonly classes: readonly AccessClass[];
      /** Rules each of which would answer the like of this call. */
      readonly offers: readonly RuleDraft[];
      /** What was read, where that bears on the answer. */
      readonly marksShown: readonly Mark[];
    };

type Verdict =
  | { readonly kind: 'allow'; readonly reason: DecisionReason }
  | { readonly kind: 'rule'; readonly rule: Rule }
  /** `mayOffer`: a rule can answer for this access. */
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

/** Decides on one exact call. Pure: the same input gives the same answer. Source: design section 4. */
export function decide(input: PolicyInput): PolicyDecision {
  const verdicts = verdictsOn(input);
  const denied = verdicts.find((verdict) => verdict.kind === 'deny');
  if (denied !== undefined) return { answer: 'deny', by: 'default', reason: denied.reason };
  const asking = verdicts.filter((verdict) => verdict.kind === 'ask').sort((a, b) => b.severity - a.severity);
  const [strictest] = asking;
  if (strictest !== undefined) {
    const offers = asking.every((verdict) => verdict.mayOffer) ? offersFor(input) : [];
    const classes = [...new Set(classesOf(input))];
    return { answer: 'ask', reason: strictest.reason, classes, offers, marksShown: marksShown(input) };
  }
  const rules = [...new Set(verdicts.flatMap((verdict) => (verdict.kind === 'rule' ? [verdict.rule] : [])))];
  if (rules.length > 0) {
    return { answer: 'allow', by: 'rule', reason: { code: 'rules', rules: rules.map(({ label }) => label) }, rules };
  }
  return { answer: 'allow', by: 'default', reason: allowedReason(verdicts) };
}

function verdictsOn(input: PolicyInput): Verdict[] {
  const { declaredClass, asksModel, effects } = input;
  const verdicts = effects.access.map((access) => judge(input, access));
  if (effects.access.length === 0 && declaredClass !== 'send') verdicts.push(judgeUnstated(input));
  if (declaredClass === 'send') verdicts.push(asks({ code: 'send' }, 'send'));
  const asksOtherModel = asksModel && isMarkedBoth(input);
  if (asksOtherModel && !effects.access.some((access) => 'host' in access))
    verdicts.push(asks({ code: 'other_model_marked' }, 'network'));
  return verdicts;
}

/** The class of each access, and the tool's own where it states none or is there to send. */
function classesOf({ asksModel, declaredClass, effects, endpointOrigins }: PolicyInput): AccessClass[] {
  const stated = effects.access.map((access) => effectiveClass(asksModel, access, endpointOrigins));
  const own = stated.length === 0 || declaredClass === 'send' || asksModel;
  return own ? [...stated, declaredClass] : stated;
}

function judge(input: PolicyInput, access: Access): Verdict {
  if (input.allowPrivateNetwork === 'never' && 'host' in access && isOnPrivateNetwork(access, input.endpointOrigins))
    return { kind: 'deny', reason: { code: 'private_network_off' } };
  const effective = effectiveClass(input.asksModel, access, input.endpointOrigins);
  if (effective === 'send') return asks({ code: 'send' }, 'send');
  if ('kind' in access && access.kind === 'app') return judgeApp(input, access);
  if ('kind' in access && access.kind === 'environment') return asks({ code: 'secret_variable' }, 'read');
  if ('path' in access) return judgeFile(input, access);
  if (access.class === 'execute') return judgeExecute(input, access);
  if ('host' in access) return judgeNetwork(input, access, effective === 'network' ? 'network' : 'network-private');
  return asks({ code: 'send' }, 'send');
}

/** A call without any access stays inside the app if its tool only ever reads; any other could do what its class says. */
function judgeUnstated({ asksModel, declaredClass }: PolicyInput): Verdict {
  if (declaredClass === 'read') return { kind: 'allow', reason: { code: 'read_only' } };
  if (declaredClass === 'network' && asksModel) return { kind: 'allow', reason: { code: 'own_model' } };
  return asks({ code: 'effects_unstated' }, declaredClass);
}

function judgeApp(input: PolicyInput, access: AppAccess): Verdict {
  if (access.class === 'write' && access.memory === true && isMarkedBoth(input))
    return asks({ code: 'memory_marked' }, 'write');
  return { kind: 'allow', reason: { code: 'inside_app' } };
}

function judgeFile(input: PolicyInput, access: FileAccess): Verdict {
  if (access.class === 'read') {
    if (access.outsideRoots !== true) return { kind: 'allow', reason: { code: 'read_inside' } };
    return byRule(input, access, 'read') ?? asks({ code: 'read_outside', path: access.path }, 'read', true);
  }
  if (access.outsideRoots === true) return { kind: 'deny', reason: { code: 'write_outside' } };
  return byRule(input, access, 'write') ?? asks({ code: 'write' }, 'write', true);
}

function judgeExecute(input: PolicyInput, access: ExecuteAccess): Verdict {
  if (input.marks.some((mark) => mark.kind === 'untrusted')) return asks({ code: 'command_untrusted' }, 'execute');
  if (wordsOf(access) === null) return asks({ code: 'shell_line' }, 'execute');
  return byRule(input, access, 'execute') ?? asks({ code: 'command' }, 'execute', true);
}

function judgeNetwork(input: PolicyInput, access: NetworkAccess, effective: 'network' | 'network-private'): Verdict {
  const host = hostOf(access);
  const rule = byRule(input, access, effective);
  if (effective === 'network-private') return rule ?? asks({ code: 'private_network' }, effective, true);
  if (!isMarkedBoth(input) || input.namedHosts.has(host) || input.allowedHosts.has(host)) {
    return { kind: 'allow', reason: { code: input.asksModel ? 'own_model' : 'public_address' } };
  }
  return rule ?? asks({ code: 'address_not_named', address: host || access.url }, 'network', true);
}

function byRule(input: PolicyInput, access: Access, effective: AccessClass): Verdict | undefined {
  const rule = input.rules.find((candidate) => ruleAnswers(candidate, input.tool, access, effective));
  return rule && { kind: 'rule', rule };
}

function asks(reason: DecisionReason, accessClass: AccessClass, mayOffer = false): Verdict {
  return { kind: 'ask', reason, mayOffer, severity: SEVERITY[accessClass] };
}

function isMarkedBoth({ marks }: PolicyInput): boolean {
  return marks.some((mark) => mark.kind === 'untrusted') && marks.some((mark) => mark.kind === 'private');
}

/** Those rules that, once kept, let this very call through. */
function offersFor(input: PolicyInput): RuleDraft[] {
  const drafts = input.effects.access.flatMap((access) =>
    rulesFor(access, effectiveClass(input.asksModel, access, input.endpointOrigins), input.realWorkspace),
  );
  const unique = [...new Map(drafts.map((draft) => [draft.label, draft])).values()];
  return unique.filter((draft) => {
    const kept: Rule = { ...draft, id: '', conversationId: null, createdAt: '', lastUsedAt: null, uses: 0 };
    return verdictsOn({ ...input, rules: [...input.rules, kept] }).every(
      ({ kind }) => kind === 'allow' || kind === 'rule',
    );
  });
}

/** Text from outside may be why the model wants this; what is private besides is what it could carry off. */
function marksShown({ marks }: PolicyInput): readonly Mark[] {
  return marks.some((mark) => mark.kind === 'untrusted') ? marks : [];
}

function allowedReason(verdicts: readonly Verdict[]): DecisionReason {
  const reasons = verdicts.flatMap((verdict) => (verdict.kind === 'allow' ? [verdict.reason] : []));
  const different = [...new Map(reasons.map((reason) => [reason.code, reason])).values()];
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : { code: 'all_of', reasons: different };
}
