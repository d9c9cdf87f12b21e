import { randomUUID } from 'node:crypto';
import { type DecisionReason, decisionReasonText, seenLinksIn } from '../../src-preload/contract/decision-reason.ts';
import type { DecisionBy, Mark } from '../../src-preload/contract/events.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import { realPathOrItself } from '../base/real-path.ts';
import { loadRegistrableDomain } from '../network/hosts.ts';
import type { AccessClass, CallEffects } from './access.ts';
import type { ConsentAnswer, ConsentPort, ToolConsentRequest } from './consent.ts';
import { decide, type PolicyDecision } from './decide.ts';
import { hostOf } from './effective-access.ts';
import type { KnownAddresses } from './known-addresses.ts';
import type { QuestionQueues } from './question-queues.ts';
import type { Rule, RuleDraft, RuleStore } from './rules.ts';
import type { Review, UnreviewedFiles } from './unreviewed-files.ts';

/** A file that changes faster than a person can answer is not asked about for ever. */
const MAX_QUESTIONS = 5;

/** `Assessed`: what the call would touch, with whatever else whoever runs it needs of that. */
export interface GateCall<Assessed extends CallEffects> extends KnownAddresses {
  readonly tool: string;
  readonly declaredClass: AccessClass;
  /** It hands text to a model that the user configured (`ask_{provider}`), whatever its name. */
  readonly asksModel: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool's own question; see `ToolConsentRequest`. */
  readonly asked?: string | undefined;
  readonly assessed: Assessed;
  /** What the call would touch now. May throw to refuse the call; `authorize` then rejects with that. */
  reassess(): Promise<Assessed>;
  /** `null`: outside any conversation; then no rule can be kept for one. */
  readonly conversationId: string | null;
  /** Read anew at every decision. */
  readonly marks: readonly Mark[];
  /** See `PolicyInput`. */
  readonly isOfSeenLink: boolean;
}

export type Authorization<Assessed extends CallEffects> = Allowed<Assessed> | Denied;

/** A yes to one call. What only looks like one is none: the gate alone makes them. */
export type Allowed<Assessed extends CallEffects> = Yes<Assessed>;

interface YesFields<Assessed extends CallEffects> {
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId?: string | undefined;
  /** What the answer holds for: what was shown, if somebody was asked. */
  readonly approved: Assessed;
  /** For this call only: its commands are given the variables that are withheld from others. No rule says this. */
  readonly passesVariables?: boolean | undefined;
}

class Yes<Assessed extends CallEffects> implements YesFields<Assessed> {
  /** Makes the type nominal; there is no such value. */
  declare protected readonly madeByTheGate: true;
  readonly answer = 'allow';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId: string | undefined;
  readonly approved: Assessed;
  readonly passesVariables: boolean | undefined;

  constructor({ by, reason, ruleId, approved, passesVariables }: YesFields<Assessed>) {
    this.by = by;
    this.reason = reason;
    this.ruleId = ruleId;
    this.approved = approved;
    this.passesVariables = passesVariables;
  }
}

export interface Denied {
  readonly answer: 'deny';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId?: undefined;
  /** The call's result. */
  readonly text: string;
  /** The part of it that is the person's word to the model, for a call that has an answer of its own. */
  readonly said?: string;
}

export interface GateOptions {
  readonly rules: RuleStore;
  readonly consent: ConsentPort;
  readonly realWorkspace: string;
  readonly unreviewedFiles: UnreviewedFiles;
  /** See `PolicyInput`. */
  readonly allowPrivateNetwork: 'ask' | 'never';
  /** Base URLs of the endpoints in effect; their origins are exempt from `network-private`. */
  readonly endpointOrigins: () => readonly string[];
  /** Shared with everything else that asks the same person. */
  readonly questions: QuestionQueues;
}

type Asking = Extract<PolicyDecision, { answer: 'ask' }>;

/** What an answer is bound to. */
export function bindingHash(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  effects: CallEffects,
  review?: Review,
): string {
  const { access, beforeImage = null } = effects;
  return canonicalHash({ tool, input, access, beforeImage, ...(review === undefined ? {} : { review: review.hash }) });
}

/** The one way to leave to run a tool call. Source: design sections 3 and 4. */
export class Gate {
  readonly #options: GateOptions;
  /** By conversation. A yes to a service is one for the conversation; hosts that are allowed for longer than once are rules. */
  readonly #allowedServices = new Map<string, Set<string>>();
  /** By conversation, real paths. Kept no longer than this process lives: nothing that is restored may bring a yes back. */
  readonly #openedSecretFiles = new Map<string, Set<string>>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Decides, and asks if it must, one question at a time. Rejects with the signal's reason when aborted, with what
   * `reassess` threw, or with the failure of the surface or the rule store: then nothing is allowed.
   */
  async authorize<Assessed extends CallEffects>(
    call: GateCall<Assessed>,
    signal: AbortSignal,
  ): Promise<Authorization<Assessed>> {
    signal.throwIfAborted();
    const decision = await this.#decide(call, call.assessed);
    if (decision.answer !== 'ask') return this.#settle(decision, call.assessed);
    const origin = { conversationId: call.conversationId, askedFor: 'call' } as const;
    return this.#options.questions.run(origin, signal, async (waited) => {
      // While others were asked, files may have changed and rules may have been made.
      const assessed = waited ? await call.reassess() : call.assessed;
      return this.#ask(call, assessed, signal);
    });
  }

  async #ask<Assessed extends CallEffects>(
    call: GateCall<Assessed>,
    first: Assessed,
    signal: AbortSignal,
  ): Promise<Authorization<Assessed>> {
    let assessed = first;
    for (let asked = 0; asked < MAX_QUESTIONS; asked += 1) {
      const decision = await this.#decide(call, assessed);
      if (decision.answer !== 'ask') return this.#settle(decision, assessed);
      const request = this.#request(call, assessed, decision, await this.#review(decision), asked > 0);
      const answer = await this.#options.consent.ask(request, signal);
      signal.throwIfAborted();
      if (answer.answer !== 'allow') return denied(call.tool, answer);
      const now = await call.reassess();
      const review = await this.#review(await this.#decide(call, now));
      signal.throwIfAborted();
      if (bindingHash(call.tool, call.input, now, review) === request.boundTo) {
        if (answer.scope === 'reviewed') review?.finish();
        return this.#allow(call, assessed, decision, answer);
      }
      assessed = now;
    }
    return {
      answer: 'deny',
      by: 'default',
      reason: { code: 'kept_changing' },
      text: `Error: What ${call.tool} would touch kept changing while the user was being asked. Nothing was run.`,
    };
  }

  async #decide(call: GateCall<CallEffects>, effects: CallEffects): Promise<PolicyDecision> {
    const { rules, realWorkspace, endpointOrigins, allowPrivateNetwork, unreviewedFiles } = this.#options;
    const isOfNetwork = effects.access.some((access) => 'host' in access);
    const registrableDomain = isOfNetwork ? await loadRegistrableDomain() : asWritten;
    const decision = decide({
      tool: call.tool,
      declaredClass: call.declaredClass,
      asksModel: call.asksModel,
      effects,
      rules: rules.list(call.conversationId),
      marks: call.marks,
      conversationId: call.conversationId,
      namedHosts: call.namedHosts,
      links: call.links,
      isOfSeenLink: call.isOfSeenLink,
      allowedServices: this.#allowedServices.get(call.conversationId ?? '') ?? new Set(),
      registrableDomain,
      openedSecretFiles: this.#openedSecretFiles.get(call.conversationId ?? '') ?? new Set(),
      endpointOrigins: endpointOrigins(),
      realWorkspace,
      realPath: realPathOrItself,
      unreviewedFiles: (folder) => unreviewedFiles.inRootsOf(folder),
      allowPrivateNetwork,
    });
    // At once: the next call beside it is decided by what this one leaves over.
    if (decision.answer === 'allow') for (const { domain } of seenLinksIn(decision.reason)) call.links.follow(domain);
    return decision;
  }

  /** What is to be looked at before the rules answer again; `undefined`: nothing is. */
  async #review(decision: PolicyDecision): Promise<Review | undefined> {
    if (decision.answer !== 'ask' || decision.unreviewed.length === 0) return undefined;
    return this.#options.unreviewedFiles.review(decision.unreviewed);
  }

  #settle<Assessed extends CallEffects>(
    decision: Exclude<PolicyDecision, Asking>,
    approved: Assessed,
  ): Authorization<Assessed> {
    const { answer, by, reason } = decision;
    if (answer === 'deny') return { answer, by, reason, text: `Error: ${decisionReasonText(reason)}` };
    if (by === 'default') return new Yes({ by, reason, approved });
    for (const rule of decision.rules) this.#options.rules.markUsed(rule.id);
    const [first] = decision.rules;
    return new Yes({ by, reason, approved, ruleId: first?.id });
  }

  #request(
    call: GateCall<CallEffects>,
    effects: CallEffects,
    decision: Asking,
    review: Review | undefined,
    changed: boolean,
  ): ToolConsentRequest {
    const { reason, classes, offers, marksShown, rulesMeet } = decision;
    return {
      kind: 'tool',
      id: randomUUID(),
      reason: changed ? { code: 'changed_while_asked', asked: reason } : reason,
      tool: call.tool,
      asked: call.asked,
      input: call.input,
      access: effects.access,
      classes,
      previews: effects.previews ?? [],
      marks: marksShown,
      offers,
      rulesMeet,
      review: review?.changes ?? [],
      boundTo: bindingHash(call.tool, call.input, effects, review),
      conversationId: call.conversationId,
    };
  }

  #allow<Assessed extends CallEffects>(
    call: GateCall<Assessed>,
    approved: Assessed,
    { offers }: Asking,
    answer: Extract<ConsentAnswer, { answer: 'allow' }>,
  ): Authorization<Assessed> {
    const { by } = answer;
    if (answer.scope === 'reviewed') {
      this.#remember(call, approved);
      return new Yes({ by, reason: { code: 'allowed_reviewed' }, approved });
    }
    if (answer.scope === 'once') {
      if (by === 'user') this.#remember(call, approved);
      const names = answer.passesVariables === true ? withheldFrom(approved) : [];
      if (names.length > 0)
        return new Yes({ by, reason: { code: 'allowed_with_variables', names }, approved, passesVariables: true });
      return new Yes({ by, reason: answer.reason ?? { code: 'allowed_once' }, approved });
    }
    const offered = offers.find((offer) => canonicalHash(offer) === canonicalHash(answer.rule));
    const keptFor = { conversation: call.conversationId, always: null }[answer.scope];
    if (offered === undefined || keptFor === undefined || (answer.scope === 'conversation' && keptFor === null)) {
      return { answer: 'deny', by: 'default', reason: { code: 'rule_not_offered' }, text: declinedText(call.tool) };
    }
    const rule = this.#keep(offered, keptFor);
    this.#remember(call, approved);
    const reason = { code: 'allowed_and_kept', scope: answer.scope, rule: rule.label } as const;
    return new Yes({ by, reason, ruleId: rule.id, approved });
  }

  #keep(draft: RuleDraft, conversationId: string | null): Rule {
    const rule = this.#options.rules.add(draft, conversationId);
    this.#options.rules.markUsed(rule.id);
    return rule;
  }

  #remember(call: GateCall<CallEffects>, effects: CallEffects): void {
    this.#rememberServices(call, effects);
    this.#rememberSecretFiles(call, effects);
  }

  /** One yes per file and conversation. */
  #rememberSecretFiles({ conversationId }: GateCall<CallEffects>, { access }: CallEffects): void {
    if (conversationId === null) return;
    const opened = this.#openedSecretFiles.get(conversationId) ?? new Set<string>();
    for (const each of access) if ('path' in each && each.isSecret === true) opened.add(each.path);
    this.#openedSecretFiles.set(conversationId, opened);
  }

  #rememberServices(call: GateCall<CallEffects>, effects: CallEffects): void {
    if (call.conversationId === null) return;
    const services = this.#allowedServices.get(call.conversationId) ?? new Set<string>();
    for (const access of effects.access)
      if ('host' in access && (call.asksModel || access.service !== undefined)) services.add(hostOf(access));
    this.#allowedServices.set(call.conversationId, services);
  }
}

/** Where no host is judged. */
const asWritten = (host: string) => host;

function withheldFrom({ access }: CallEffects): readonly string[] {
  return access.flatMap((each) => (each.class === 'execute' ? (each.withheld ?? []) : []));
}

/** Source of the word: design section 4 ("deny with a word to the model"). */
function denied(tool: string, answer: Extract<ConsentAnswer, { answer: 'deny' }>): Denied {
  const { by, word = '', reason = { code: 'declined' } } = answer;
  const text = declinedText(tool);
  if (word.trim() === '') return { answer: 'deny', by, reason, text };
  const said = `The user says: ${word.trim()}`;
  return { answer: 'deny', by, reason, text: `${text} ${said}`, said };
}

/** Source: tool catalogue B ("Refused prompt"). */
function declinedText(tool: string): string {
  return `Error: The user declined to run ${tool}.`;
}
