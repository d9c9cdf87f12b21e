import { randomUUID } from 'node:crypto';
import type { AccessClass } from '../../src-preload/contract/access-class.ts';
import { isGrave } from '../../src-preload/contract/consequence.ts';
import {
  type DecisionReason,
  decisionReasonText,
  followedLinksIn,
  type KeptFor,
} from '../../src-preload/contract/decision-reason.ts';
import type { DecisionBy } from '../../src-preload/contract/events.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import { realPathOrItself } from '../base/real-path.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { loadRegistrableDomain } from '../network/address-keys.ts';
import type { CallEffects } from './access.ts';
import { AskedCall, type Asking, bindingHash, declinedText, type QuestionFacts } from './asked-call.ts';
import type { BatchPlace, OpenCall } from './call-batch.ts';
import type { EffectsPlace } from './commands/touched-paths.ts';
import type { ConsentAnswer, ConsentPort, ToolConsentRequest } from './consent.ts';
import { consequencesOf } from './consequences.ts';
import { decide, type PolicyDecision } from './decide.ts';
import type { Denied, GateCall } from './gate-call.ts';
import { answerForCall, groupOf, likenessOf } from './like-calls.ts';
import type { QuestionQueues } from './question-queues.ts';
import { RememberedAnswers } from './remembered-answers.ts';
import { isWithoutEffect, mayBeKept, type Rule, type RuleDraft, type RuleStore } from './rules.ts';
import type { Review, UnreviewedFiles } from './unreviewed-files.ts';
import { endingInAWeek } from './work-freely.ts';

export type Authorization<Assessed extends CallEffects> = Allowed<Assessed> | Denied;

/**
 * The permission for one call. Only the gate can create one, so that no code can run a call with an object that merely
 * looks like a permission.
 */
export type Allowed<Assessed extends CallEffects> = Yes<Assessed>;

interface YesFields<Assessed extends CallEffects> {
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId?: string | undefined;
  /** The access classes of the call, without duplicates. */
  readonly classes: readonly AccessClass[];
  /** The effects that the answer applies to. If the user was asked, these are the ones that they were shown. */
  readonly approved: Assessed;
  /**
   * The commands of this call get the withheld variables. No rule grants this, because one for `npm test` would hand
   * them to whatever script `package.json` names by then.
   */
  readonly passesVariables?: boolean | undefined;
}

class Yes<Assessed extends CallEffects> implements YesFields<Assessed> {
  /** Makes the type nominal. The value never exists. */
  declare protected readonly madeByTheGate: true;
  readonly answer = 'allow';
  readonly by: DecisionBy;
  readonly reason: DecisionReason;
  readonly ruleId: string | undefined;
  readonly classes: readonly AccessClass[];
  readonly approved: Assessed;
  readonly passesVariables: boolean | undefined;

  constructor({ by, reason, ruleId, classes, approved, passesVariables }: YesFields<Assessed>) {
    this.by = by;
    this.reason = reason;
    this.ruleId = ruleId;
    this.classes = classes;
    this.approved = approved;
    this.passesVariables = passesVariables;
  }
}

export interface GateOptions {
  readonly rules: RuleStore;
  readonly consent: ConsentPort;
  readonly realWorkspace: string;
  readonly unreviewedFiles: UnreviewedFiles;
  /** Whether a real path lies in the workspace or a granted folder. */
  readonly isInsideRoots: (realPath: string) => boolean;
  /** The user's home folder, as a real path. */
  readonly home: string;
  /** The variables that commands get. */
  readonly variables: () => Readonly<NodeJS.ProcessEnv>;
  /** Whether commands can be held in a sandbox here. */
  readonly holdsCommands: () => Promise<boolean>;
  readonly now: () => Date;
  /** See `JudgeInput`. */
  readonly asksBeforeCommands: boolean;
  /** Whether the user's network may be reached after a question; see `JudgeInput`. */
  readonly allowPrivateNetwork: 'ask' | 'never';
  /** The base URLs of the endpoints in effect. Requests to their origins don't count as `network-private`. */
  readonly endpointOrigins: () => readonly string[];
  /**
   * The base URLs of the configured model providers. They are exempt in the same way, but only for calls that ask a
   * model: otherwise a web request could reach the models at `http://localhost:11434` without a question.
   */
  readonly providerOrigins: () => readonly string[];
  /** The queues are shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

/** The only way to get permission to run a tool call. Source: design sections 3 and 4. */
export class Gate {
  readonly #options: GateOptions;
  readonly #remembered = new RememberedAnswers();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Decides about a call, and asks if it must, one question at a time. It rejects with the signal's reason when
   * aborted, with what `reassess` threw, or with the failure of the surface or the rule store. In each of these cases
   * nothing is allowed. `place` is the call's place in its message. Without one, the call is asked about separately.
   */
  async authorize<Assessed extends CallEffects>(
    call: GateCall<Assessed>,
    signal: AbortSignal,
    place?: BatchPlace,
  ): Promise<Authorization<Assessed>> {
    signal.throwIfAborted();
    const open = this.#open(call);
    const request = await open.question();
    if (request === undefined) {
      // This call may now run for a long time, and the questions of the others do not wait for that.
      place?.settle();
      return open.authorization;
    }
    const ask = (calls: readonly OpenCall[]) => void this.#askAll(calls, call.conversationId, signal);
    if (place === undefined) ask([open]);
    else place.ask(open, this.#options.consent.asksTogether === true ? likenessOf(request) : null, ask);
    return untilAborted(open.authorization, signal);
  }

  /** Decides like `authorize`, but never asks. Undefined if it would have to. */
  async authorizeUnasked<Assessed extends CallEffects>(
    call: GateCall<Assessed>,
    signal: AbortSignal,
  ): Promise<Authorization<Assessed> | undefined> {
    signal.throwIfAborted();
    const open = this.#open(call);
    return (await open.question()) === undefined ? open.authorization : undefined;
  }

  /**
   * Asks about these calls, together where they are similar. It never rejects: an error becomes the outcome of the
   * calls.
   */
  async #askAll(calls: readonly OpenCall[], conversationId: string | null, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.questions.run({ conversationId, askedFor: 'call' }, signal, async (waited) => {
        // While other questions were open, files may have changed and rules may have been added.
        if (waited) for (const call of calls) await call.refresh();
        if (calls.length > 1) await this.#askTogether(calls, conversationId, signal);
        for (const [index, call] of calls.entries()) {
          if (index > 0) await call.refresh();
          await this.#askOn(call, signal);
        }
      });
    } catch (error) {
      for (const call of calls) call.fail(error);
    }
  }

  /** Asks about one call until it is settled. */
  async #askOn(call: OpenCall, signal: AbortSignal): Promise<void> {
    for (let request = await call.question(); request !== undefined; request = await call.question()) {
      const answer = await this.#options.consent.ask(request, signal);
      signal.throwIfAborted();
      await call.answered(request, answer, signal);
    }
  }

  /** Asks about all calls that are still similar. Calls that the answer doesn't settle stay open. */
  async #askTogether(calls: readonly OpenCall[], conversationId: string | null, signal: AbortSignal): Promise<void> {
    const asked: { readonly call: OpenCall; readonly request: ToolConsentRequest }[] = [];
    for (const call of calls) {
      const request = await call.question();
      if (request !== undefined) asked.push({ call, request });
    }
    const group = groupOf(
      asked.map(({ request }) => request),
      conversationId,
    );
    if (group === undefined) return;
    const answer = await this.#options.consent.ask(group, signal);
    signal.throwIfAborted();
    for (const [index, { call, request }] of asked.entries()) {
      // A rule that was added for the first call covers the others when they are decided next.
      if (index > 0 && 'rule' in answer) await call.refresh();
      else await call.answered(request, answerForCall(answer, index), signal);
    }
  }

  #open<Assessed extends CallEffects>(call: GateCall<Assessed>): AskedCall<Assessed, Allowed<Assessed>> {
    return new AskedCall(call, {
      decide: (effects) => this.#decide(call, effects),
      review: (decision) => this.#review(decision),
      settle: (decision, approved) => this.#settle(decision, approved),
      request: (facts) => this.#request(call, facts),
      allow: (approved, decision, answer) => this.#allow(call, approved, decision, answer),
    });
  }

  async #decide(call: GateCall<CallEffects>, effects: CallEffects): Promise<PolicyDecision> {
    const { rules, now, endpointOrigins, providerOrigins, unreviewedFiles, holdsCommands } = this.#options;
    const { allowPrivateNetwork, asksBeforeCommands } = this.#options;
    const time = now();
    const isOfNetwork = effects.access.some((access) => access.kind === 'request');
    const registrableDomain = isOfNetwork ? await loadRegistrableDomain() : asWritten;
    const decision = decide({
      tool: call.tool,
      declaredClass: call.declaredClass,
      asksModel: call.asksModel,
      effects,
      rules: rules.list(call.conversationId).filter((rule) => !isWithoutEffect(rule, time)),
      marks: call.marks,
      outside: call.conversationId === null ? undefined : call.outside,
      isGrave: this.#isGrave(effects),
      conversationId: call.conversationId,
      namedHosts: call.namedHosts,
      links: call.links,
      isOfSeenLink: call.isOfSeenLink,
      linkedBy: call.linkedBy ?? [],
      allowedServices: this.#remembered.services(call.conversationId),
      registrableDomain,
      openedSecretFiles: this.#remembered.secretFiles(call.conversationId),
      endpointOrigins: call.asksModel ? [...endpointOrigins(), ...providerOrigins()] : endpointOrigins(),
      ...this.#place,
      unreviewedFiles: (folder, leavesRoots) => unreviewedFiles.inReachOf(folder, leavesRoots),
      allowPrivateNetwork,
      asksBeforeCommands,
      holdsCommands: mayRunHere(effects) && (await holdsCommands()),
    });
    // Links are counted immediately, because concurrent calls share what is left of the limit: twenty of them at once
    // would otherwise all pass as the first.
    if (decision.answer === 'allow')
      for (const { domain } of followedLinksIn(decision.reason)) call.links.follow(domain);
    return decision;
  }

  /**
   * Whether a command would have grave consequences. This is judged again for every call, because what a command does
   * depends on what is there: `find build/ -delete` is another command once `build` is a link to the home folder.
   */
  #isGrave({ access }: CallEffects): boolean {
    if (!access.some((each) => each.class === 'execute')) return false;
    const { consequences } = consequencesOf({ access, classes: ['execute'], reason: { code: 'command' } }, this.#place);
    return consequences.some(isGrave);
  }

  get #place(): EffectsPlace {
    const { realWorkspace, home, isInsideRoots, variables } = this.#options;
    return { realWorkspace, home, isInsideRoots, variables: variables(), realPath: realPathOrItself };
  }

  /** The files to review before rules apply again, or undefined if there are none. */
  async #review(decision: PolicyDecision): Promise<Review | undefined> {
    if (decision.answer !== 'ask' || decision.unreviewed.length === 0) return undefined;
    return this.#options.unreviewedFiles.review(decision.unreviewed);
  }

  #settle<Assessed extends CallEffects>(
    decision: Exclude<PolicyDecision, Asking>,
    approved: Assessed,
  ): Authorization<Assessed> {
    const { by, reason } = decision;
    if (decision.answer === 'deny') return { answer: 'deny', by, reason, text: `Error: ${decisionReasonText(reason)}` };
    const { classes } = decision;
    if (decision.by === 'default') return new Yes({ by, reason, classes, approved });
    for (const rule of decision.rules) this.#options.rules.markUsed(rule.id);
    const [first] = decision.rules;
    const isGranted = decision.rules.some(({ matcher }) => matcher.kind === 'work-freely');
    return new Yes({ by: isGranted ? 'grant' : by, reason, classes, approved, ruleId: first?.id });
  }

  #request(call: GateCall<CallEffects>, { effects, decision, review, isChanged }: QuestionFacts): ToolConsentRequest {
    const { reason, classes, offers, marksShown, rulesMeet } = decision;
    const { consequences, steps } = consequencesOf({ access: effects.access, classes, reason }, this.#place);
    return {
      kind: 'tool',
      id: randomUUID(),
      reason: isChanged ? { code: 'changed_while_asked', asked: reason } : reason,
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
      consequences,
      commandSteps: steps,
      defaulted: call.defaulted ?? [],
      said: call.said ?? '',
      ...(call.askedBy === undefined ? {} : { askedBy: call.askedBy }),
    };
  }

  #allow<Assessed extends CallEffects>(
    call: GateCall<Assessed>,
    approved: Assessed,
    { classes, offers, reason: asked }: Asking,
    answer: Extract<ConsentAnswer, { answer: 'allow' }>,
  ): Authorization<Assessed> {
    const { by } = answer;
    if (answer.scope === 'reviewed') {
      this.#remembered.remember(call, approved, asked);
      return new Yes({ by, reason: { code: 'allowed_reviewed' }, classes, approved });
    }
    if (answer.scope === 'once') {
      if (by === 'user') this.#remembered.remember(call, approved, asked);
      const names = answer.passesVariables === true ? withheldFrom(approved) : [];
      if (names.length > 0)
        return new Yes({
          by,
          reason: { code: 'allowed_with_variables', names },
          classes,
          approved,
          passesVariables: true,
        });
      return new Yes({ by, reason: answer.reason ?? { code: 'allowed_once' }, classes, approved });
    }
    const { scope } = answer;
    const offered = offers.find((offer) => canonicalHash(offer) === canonicalHash(answer.rule));
    const isWithoutConversation = scope === 'conversation' && call.conversationId === null;
    if (offered === undefined || isWithoutConversation || !mayBeKept(offered, scope)) {
      return { answer: 'deny', by: 'default', reason: { code: 'rule_not_offered' }, text: declinedText(call.tool) };
    }
    const rule = this.#keep(offered, scope, call.conversationId);
    this.#remembered.remember(call, approved, asked);
    const reason = { code: 'allowed_and_kept', scope, rule: rule.label } as const;
    // The words of the grant promise a sandbox, so a command that was allowed with it runs in one this time too.
    const isHeld = rule.matcher.kind === 'work-freely' && classes.includes('execute');
    return new Yes({ by: isHeld ? 'grant' : by, reason, ruleId: rule.id, classes, approved });
  }

  #keep(offered: RuleDraft, scope: KeptFor, conversationId: string | null): Rule {
    const { rules, now } = this.#options;
    const draft = scope === 'week' ? endingInAWeek(offered, now()) : offered;
    const rule = rules.add(draft, scope === 'conversation' ? conversationId : null);
    rules.markUsed(rule.id);
    return rule;
  }
}

/** Whether the call is one of those that a grant to work freely covers. */
function mayRunHere({ access }: CallEffects): boolean {
  return access.some(({ kind, class: of }) => kind === 'command' || (kind === 'file' && of === 'write'));
}

/** Stands in for the registrable domain where no access has a host. */
const asWritten = (host: string) => host;

function withheldFrom({ access }: CallEffects): readonly string[] {
  return access.flatMap((each) => (each.kind === 'command' ? (each.withheld ?? []) : []));
}
