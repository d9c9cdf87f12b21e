import { randomUUID } from 'node:crypto';
import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { DecisionBy } from '../../../src-preload/contract/events.ts';
import type {
  ConsentAnswer,
  ConsentPort,
  FormConsentRequest,
  SamplingConsentRequest,
  ServerLinkConsentRequest,
} from '../consent.ts';
import type { QuestionQueues } from '../question-queues.ts';
import type { FormContent } from './form.ts';

/**
 * How many questions a server may ask outside of calls without being accepted. Then it may not ask again until Steward
 * restarts.
 */
const MAX_DECLINED_IN_A_ROW = 3;
/** One confirmation for a conversation must not allow an unlimited number of paid requests. */
const MAX_SAMPLINGS_OF_ONE_YES = 25;

export interface ServerConsentPorts {
  readonly consent: ConsentPort;
  /** The queues are shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

/** The outcome of a server's question. */
export type ServerAnswer = { readonly by: DecisionBy; readonly reason: DecisionReason } & (
  | { readonly answer: 'accepted'; readonly content: FormContent }
  | { readonly answer: 'declined' | 'cancelled' }
);

type Question<R> = R extends unknown ? Omit<R, 'id' | 'reason'> : never;
type Form = Question<FormConsentRequest>;
type Link = Question<ServerLinkConsentRequest>;
type Sampling = Question<SamplingConsentRequest>;

/**
 * Asks the questions that MCP servers have for the user, in the queue of the conversation whose call they are working
 * on. A server that asks outside of a call can have only one open question, and is blocked after several refusals.
 * Methods reject with the signal's reason when aborted.
 */
export class ServerConsent {
  readonly #ports: ServerConsentPorts;
  /** The servers with an open question outside of any call. */
  readonly #open = new Set<string>();
  /** The number of consecutive refusals of questions outside of any call, by server. */
  readonly #declined = new Map<string, number>();
  /** The number of requests that a confirmation still covers, by server, then by conversation. */
  readonly #samplingsLeft = new Map<string, Map<string, number>>();

  constructor(ports: ServerConsentPorts) {
    this.#ports = ports;
  }

  async askForm(form: Form, signal: AbortSignal): Promise<ServerAnswer> {
    const isUnasked = form.conversationId === null;
    const reason = { code: 'server_form', server: form.server, isUnasked } as const;
    return this.#limited(form, () => this.#ask({ ...form, id: randomUUID(), reason }, signal));
  }

  async askLink(link: Link, signal: AbortSignal): Promise<ServerAnswer> {
    const { server } = link;
    const asked = { code: 'server_link', server, isUnasked: link.conversationId === null } as const;
    const reason = link.stage === 'asked' ? asked : ({ code: 'server_link_opened', server } as const);
    return this.#limited(link, () => this.#ask({ ...link, id: randomUUID(), reason }, signal));
  }

  async askSampling(sampling: Sampling, signal: AbortSignal): Promise<ServerAnswer> {
    const { server, conversationId, conversations } = sampling;
    // A permission that was given in one conversation must not answer for another.
    const left = conversations > 1 ? 0 : (this.#samplingsLeft.get(server)?.get(conversationId) ?? 0);
    if (left > 0) {
      this.#samplingsLeft.get(server)?.set(conversationId, left - 1);
      return { answer: 'accepted', content: {}, by: 'rule', reason: { code: 'server_sampling_allowed', server } };
    }
    const reason = { code: 'server_sampling', server } as const;
    const answer = await this.#answer({ ...sampling, id: randomUUID(), reason }, signal);
    if (answer.answer === 'allow' && 'forServer' in answer) {
      const ofServer = this.#samplingsLeft.get(server) ?? new Map<string, number>();
      this.#samplingsLeft.set(server, ofServer.set(conversationId, MAX_SAMPLINGS_OF_ONE_YES - 1));
    }
    return serverAnswer(answer);
  }

  /** Forgets what a server may still request, because it was changed, and that was allowed to another one. */
  forget(server: string): void {
    this.#samplingsLeft.delete(server);
  }

  async #limited(
    { server, conversationId }: Pick<Form, 'server' | 'conversationId'>,
    ask: () => Promise<ServerAnswer>,
  ): Promise<ServerAnswer> {
    if (conversationId !== null) return ask();
    const declined = this.#declined.get(server) ?? 0;
    if (this.#open.has(server) || declined >= MAX_DECLINED_IN_A_ROW)
      return { answer: 'declined', by: 'default', reason: { code: 'server_asks_too_often', server } };
    this.#open.add(server);
    // A question that the server withdraws counts too, because it was shown.
    this.#declined.set(server, declined + 1);
    try {
      const answer = await ask();
      if (answer.answer === 'accepted') this.#declined.delete(server);
      return answer;
    } finally {
      this.#open.delete(server);
    }
  }

  async #ask(request: FormConsentRequest | ServerLinkConsentRequest, signal: AbortSignal): Promise<ServerAnswer> {
    return serverAnswer(await this.#answer(request, signal));
  }

  async #answer(
    request: FormConsentRequest | ServerLinkConsentRequest | SamplingConsentRequest,
    signal: AbortSignal,
  ): Promise<ConsentAnswer> {
    const { consent, questions } = this.#ports;
    const origin = { conversationId: request.conversationId, askedFor: 'call' } as const;
    const answer = await questions.run(origin, signal, () => consent.ask(request, signal));
    signal.throwIfAborted();
    return answer;
  }
}

function serverAnswer(answer: ConsentAnswer): ServerAnswer {
  const { by } = answer;
  if (answer.answer === 'deny') {
    const reason = answer.reason ?? { code: 'declined' };
    return { answer: answer.isCancelled === true ? 'cancelled' : 'declined', by, reason };
  }
  const content = 'content' in answer ? (answer.content ?? {}) : {};
  return {
    answer: 'accepted',
    content,
    by,
    reason: ('reason' in answer ? answer.reason : undefined) ?? { code: 'allowed_once' },
  };
}
