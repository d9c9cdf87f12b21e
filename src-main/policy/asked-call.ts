import { canonicalHash } from '../base/canonical-json.ts';
import type { CallEffects } from './access.ts';
import type { OpenCall } from './call-batch.ts';
import type { ConsentAnswer, ToolConsentRequest } from './consent.ts';
import type { PolicyDecision } from './decide.ts';
import type { Denied, GateCall } from './gate-call.ts';
import type { Review } from './unreviewed-files.ts';

/** After this many questions about a file that keeps changing faster than a user can answer, the call is refused. */
const MAX_QUESTIONS = 5;

export type Asking = Extract<PolicyDecision, { answer: 'ask' }>;

/**
 * The input for a question. `isChanged` says that it was asked about before, and that its effects have changed since.
 */
export interface QuestionFacts {
  readonly effects: CallEffects;
  readonly decision: Asking;
  readonly review: Review | undefined;
  readonly isChanged: boolean;
}

/** What the gate provides for a call that needs a question. */
interface GateSteps<Assessed extends CallEffects, Allowed> {
  decide(effects: Assessed): Promise<PolicyDecision>;
  review(decision: PolicyDecision): Promise<Review | undefined>;
  settle(decision: Exclude<PolicyDecision, Asking>, approved: Assessed): Allowed | Denied;
  request(facts: QuestionFacts): ToolConsentRequest;
  allow(approved: Assessed, decision: Asking, answer: Extract<ConsentAnswer, { answer: 'allow' }>): Allowed | Denied;
}

/**
 * The hash of what the user was shown. If anything in it changed when they answer, they are asked again. Otherwise a
 * yes to one diff could be spent on another, such as one that the model's own background process swapped in.
 */
export function bindingHash(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  effects: CallEffects,
  review?: Review,
): string {
  const { access, beforeImage = null } = effects;
  return canonicalHash({ tool, input, access, beforeImage, ...(review === undefined ? {} : { review: review.hash }) });
}

/** A call from its question to its outcome. */
export class AskedCall<Assessed extends CallEffects, Allowed> implements OpenCall {
  readonly authorization: Promise<Allowed | Denied>;
  readonly #call: GateCall<Assessed>;
  readonly #steps: GateSteps<Assessed, Allowed>;
  #settle: (authorization: Allowed | Denied) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #isSettled = false;
  #assessed: Assessed;
  #decision: Asking | undefined;
  /** The request is reused until something that it shows may have changed. */
  #request: ToolConsentRequest | undefined;
  #changes = 0;

  constructor(call: GateCall<Assessed>, steps: GateSteps<Assessed, Allowed>) {
    this.#call = call;
    this.#steps = steps;
    this.#assessed = call.assessed;
    this.authorization = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
    });
    // A caller that waits gets the error. After Stop nobody waits, and the rejection would count as unhandled.
    this.authorization.catch(() => undefined);
  }

  async refresh(): Promise<void> {
    await this.#orFail(async () => {
      this.#request = undefined;
      this.#assessed = await this.#call.reassess();
    });
  }

  async question(): Promise<ToolConsentRequest | undefined> {
    return this.#orFail(async () => {
      if (this.#request !== undefined) return this.#request;
      const decision = await this.#steps.decide(this.#assessed);
      if (decision.answer !== 'ask') {
        this.#end(this.#steps.settle(decision, this.#assessed));
        return undefined;
      }
      if (this.#changes === MAX_QUESTIONS) {
        this.#end(keptChanging(this.#call.tool));
        return undefined;
      }
      this.#decision = decision;
      const review = await this.#steps.review(decision);
      this.#request = this.#steps.request({ effects: this.#assessed, decision, review, isChanged: this.#changes > 0 });
      return this.#request;
    });
  }

  async answered(request: ToolConsentRequest, answer: ConsentAnswer, signal: AbortSignal): Promise<void> {
    await this.#orFail(async () => {
      const decision = this.#decision;
      if (decision === undefined) return;
      if (answer.answer !== 'allow') {
        this.#end(denied(this.#call.tool, answer));
        return;
      }
      const now = await this.#call.reassess();
      const review = await this.#steps.review(await this.#steps.decide(now));
      signal.throwIfAborted();
      if (bindingHash(this.#call.tool, this.#call.input, now, review) === request.boundTo) {
        if (answer.scope === 'reviewed') review?.finish();
        this.#end(this.#steps.allow(this.#assessed, decision, answer));
      } else {
        this.#request = undefined;
        this.#assessed = now;
        this.#changes += 1;
      }
    });
  }

  fail(error: unknown): void {
    this.#isSettled = true;
    this.#reject(error);
  }

  #end(authorization: Allowed | Denied): void {
    this.#isSettled = true;
    this.#settle(authorization);
  }

  /** Does nothing if the call is already settled. An error settles this call and no other. */
  async #orFail<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#isSettled) return undefined;
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }
}

function keptChanging(tool: string): Denied {
  return {
    answer: 'deny',
    by: 'default',
    reason: { code: 'kept_changing' },
    text: `Error: The effects of ${tool} kept changing while the user was being asked. Nothing was run.`,
  };
}

/** The text contains the user's feedback. Source: design section 4 ("deny with a word to the model"). */
function denied(tool: string, answer: Extract<ConsentAnswer, { answer: 'deny' }>): Denied {
  const { by, word = '', reason = { code: 'declined' } } = answer;
  const text = declinedText(tool);
  if (word.trim() === '') return { answer: 'deny', by, reason, text };
  const said = word.trim();
  return { answer: 'deny', by, reason, text: `${text} ${feedbackText(said)}`, said };
}

/** Quotes the user's words for the model. */
export function feedbackText(said: string): string {
  return `The user says: ${said}`;
}

/** Source: tool catalogue B ("Refused prompt"). */
export function declinedText(tool: string): string {
  return `Error: The user declined to run ${tool}.`;
}
