import { randomUUID } from 'node:crypto';
import { type DecisionReason, decisionReasonText } from '../../src-preload/contract/decision-reason.ts';
import type { DecisionBy, Mark } from '../../src-preload/contract/events.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import type { SerialQueue } from '../base/serial-queue.ts';
import type { AccessClass, CallEffects } from './access.ts';
import type { ConsentAnswer, ConsentPort, ToolConsentRequest } from './consent.ts';
import { decide, type PolicyDecision } from './decide.ts';
import { effectiveClass, hostOf } from './effective-access.ts';
import type { Rule, RuleDraft, RuleStore } from './rules.ts';

/** A file that changes faster than a person can answer is not asked about for ever. */
const MAX_QUESTIONS = 5;

/** `Assessed`: what the call would touch, with whatever else whoever runs it needs of that. */
export interface GateCall<Assessed extends CallEffects> {
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
  readonly namedHosts: ReadonlySet<string>;
}

export type Authorization<Assessed extends CallEffects> = Allowed<Assessed> | Denied;

export interface Allowed<Assessed extends CallEffects> {
  readonly answer: 'allow';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId?: string;
  /** What the answer holds for: what was shown, if somebody was asked. */
  readonly approved: Assessed;
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
  /** See `PolicyInput`. */
  readonly allowPrivateNetwork: 'ask' | 'never';
  /** Base URLs of the endpoints in effect; their origins are exempt from `network-private`. */
  readonly endpointOrigins: () => readonly string[];
  /** Shared with everything else that asks the same person. */
  readonly questions: SerialQueue;
}

type Asking = Extract<PolicyDecision, { answer: 'ask' }>;

/** What an answer is bound to. */
export function bindingHash(tool: string, input: Readonly<Record<string, unknown>>, effects: CallEffects): string {
  return canonicalHash({ tool, input, access: effects.access, beforeImage: effects.beforeImage ?? null });
}

/** The one way to leave to run a tool call. Source: design sections 3 and 4. */
export class Gate {
  readonly #options: GateOptions;
  readonly #allowedHosts = new Map<string, Set<string>>();

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
    const decision = this.#decide(call, call.assessed);
    if (decision.answer !== 'ask') return this.#settle(decision, call.assessed);
    return this.#options.questions.run(signal, async (waited) => {
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
      const decision = this.#decide(call, assessed);
      if (decision.answer !== 'ask') return this.#settle(decision, assessed);
      const request = this.#request(call, assessed, decision, asked > 0);
      const answer = await this.#options.consent.ask(request, signal);
      signal.throwIfAborted();
      if (answer.answer !== 'allow') return denied(call.tool, answer);
      const now = await call.reassess();
      signal.throwIfAborted();
      if (bindingHash(call.tool, call.input, now) === request.boundTo)
        return this.#allow(call, assessed, decision, answer);
      assessed = now;
    }
    return {
      answer: 'deny',
      by: 'default',
      reason: { code: 'kept_changing' },
      text: `Error: What ${call.tool} would touch kept changing while the user was being asked. Nothing was run.`,
    };
  }

  #decide(call: GateCall<CallEffects>, effects: CallEffects): PolicyDecision {
    const { rules, realWorkspace, endpointOrigins, allowPrivateNetwork } = this.#options;
    return decide({
      tool: call.tool,
      declaredClass: call.declaredClass,
      asksModel: call.asksModel,
      effects,
      rules: rules.list(call.conversationId),
      marks: call.marks,
      namedHosts: call.namedHosts,
      allowedHosts: this.#allowedHosts.get(call.conversationId ?? '') ?? new Set(),
      endpointOrigins: endpointOrigins(),
      realWorkspace,
      allowPrivateNetwork,
    });
  }

  #settle<Assessed extends CallEffects>(
    decision: Exclude<PolicyDecision, Asking>,
    approved: Assessed,
  ): Authorization<Assessed> {
    const { answer, by, reason } = decision;
    if (answer === 'deny') return { answer, by, reason, text: `Error: ${decisionReasonText(reason)}` };
    if (by === 'default') return { answer, by, reason, approved };
    for (const rule of decision.rules) this.#options.rules.markUsed(rule.id);
    const [first] = decision.rules;
    return { answer, by, reason, approved, ...(first === undefined ? {} : { ruleId: first.id }) };
  }

  #request(call: GateCall<CallEffects>, effects: CallEffects, decision: Asking, changed: boolean): ToolConsentRequest {
    const { reason, classes, offers, marksShown } = decision;
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
      boundTo: bindingHash(call.tool, call.input, effects),
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
    if (answer.scope === 'once') {
      if (by === 'user') this.#rememberHosts(call, approved);
      return { answer: 'allow', by, reason: answer.reason ?? { code: 'allowed_once' }, approved };
    }
    const offered = offers.find((offer) => canonicalHash(offer) === canonicalHash(answer.rule));
    const keptFor = { conversation: call.conversationId, always: null }[answer.scope];
    if (offered === undefined || keptFor === undefined || (answer.scope === 'conversation' && keptFor === null)) {
      return { answer: 'deny', by: 'default', reason: { code: 'rule_not_offered' }, text: declinedText(call.tool) };
    }
    const rule = this.#keep(offered, keptFor);
    this.#rememberHosts(call, approved);
    const reason = { code: 'allowed_and_kept', scope: answer.scope, rule: rule.label } as const;
    return { answer: 'allow', by, reason, ruleId: rule.id, approved };
  }

  #keep(draft: RuleDraft, conversationId: string | null): Rule {
    const rule = this.#options.rules.add(draft, conversationId);
    this.#options.rules.markUsed(rule.id);
    return rule;
  }

  /** Yes to reading from a host is a yes to that host; yes to sending something there is not. */
  #rememberHosts(call: GateCall<CallEffects>, effects: CallEffects): void {
    if (call.conversationId === null) return;
    const hosts = this.#allowedHosts.get(call.conversationId) ?? new Set<string>();
    for (const access of effects.access) {
      if ('host' in access && effectiveClass(call.asksModel, access, this.#options.endpointOrigins()) !== 'send')
        hosts.add(hostOf(access));
    }
    this.#allowedHosts.set(call.conversationId, hosts);
  }
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
