import type { Remedy } from '../../../src-preload/contract/remedies.ts';
import { isLoopback } from '../../accounts/secure-address.ts';
import type {
  ListedModel,
  ModelCapabilities,
  ModelErrorCode,
  ModelLimits,
  ModelPrice,
  ModelProvider,
  ModelRequest,
  ModelStreamEvent,
} from '../provider.ts';
import type { ProviderOptions } from '../provider-options.ts';
import { type AttemptOptions, withRetries } from '../transport/attempts.ts';
import { accepted, vendorErrorOf } from '../transport/error-shape.ts';
import { answerEvents } from '../transport/event-stream.ts';
import { failureOf, streamBroken } from '../transport/failures.ts';
import { getJson } from '../transport/get-json.ts';
import { type ExchangeOptions, guardFetch, IDLE_MS, MAX_ANSWER_BYTES } from '../transport/guarded-fetch.ts';
import { RefusedMedia } from '../transport/refused-media.ts';
import { RefusedParts } from '../transport/refused-parts.ts';
import { RefusedTools } from '../transport/refused-tools.ts';
import { modelRemedies } from '../transport/remedies.ts';
import { type RequestFailure, requestFailed } from '../transport/request-failure.ts';
import { accessOf, type Endpoint } from '../transport/service.ts';
import { compatibleModel, type OpenAiModel, openAiModel, unnamedModel } from './catalogue.ts';
import { ChatAnswer } from './chat-answer.ts';
import { chatRequest } from './chat-request.ts';
import { listedModels } from './listed-models.ts';
import { ResponsesAnswer } from './responses-answer.ts';
import { responsesRequest } from './responses-request.ts';
import { type Dialect, openAiService, vendorOf } from './service.ts';
import { addressOf, authentication, dialectOf, modelsAddress } from './service-address.ts';
import { completionChunks, responseEvents } from './whole-answer.ts';

export type OpenAiProviderOptions = ProviderOptions & AttemptOptions & ExchangeOptions;

/** Codes for a question or an answer that the service's rules forbid. */
const FORBIDDEN = new Set([
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
  'bio_policy',
  'cyber_policy',
]);
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * Asks OpenAI, Azure OpenAI, and services that speak their format (Groq, LM Studio, …). Models of OpenAI and Azure that
 * need Responses are asked by it, all others by Chat Completions.
 */
export class OpenAiProvider implements ModelProvider {
  readonly name: string;
  readonly isOffline = false;
  readonly #options: OpenAiProviderOptions;
  readonly #dialect: Dialect;
  readonly #refused = new RefusedParts();
  readonly #refusedMedia = new RefusedMedia();
  readonly #refusedTools = new RefusedTools();

  constructor(options: OpenAiProviderOptions) {
    this.#options = options;
    this.name = options.name;
    this.#dialect = dialectOf(options);
  }

  limits(model: string): ModelLimits {
    const { contextTokens, listed } = this.#options;
    const { limits, isUnknown } = this.#model(model);
    const told = isUnknown ? listed?.(model)?.limits : undefined;
    const window = contextTokens ?? told?.contextTokens ?? limits.contextTokens;
    return {
      contextTokens: window,
      maxOutputTokens: Math.min(told?.maxOutputTokens ?? limits.maxOutputTokens, window),
    };
  }

  price(model: string): ModelPrice | undefined {
    return (this.#dialect === 'openai' ? this.#model(model).price : undefined) ?? this.#options.listed?.(model)?.price;
  }

  capabilities(model: string): ModelCapabilities {
    const { accepts, efforts, isUnknown } = this.#model(model);
    const usesResponses = this.#api(model) === 'responses';
    const told = this.#dialect === 'compatible' ? this.#options.listed?.(model)?.capabilities : undefined;
    return {
      ...(isUnknown && told?.images === undefined ? { isAssumed: true } : {}),
      tools: told?.tools ?? true,
      ...accepts,
      audio: accepts.audio && !usesResponses,
      deferredTools: accepts.deferredTools && usesResponses && !this.#refused.refuses(model, 'deferral'),
      ...this.#refusedMedia.capabilitiesOf(model),
      efforts,
    };
  }

  remedies(code: ModelErrorCode): readonly Remedy[] {
    return modelRemedies(code, this.name, vendorOf(this.#dialect, this.name), this.#dialect === 'openai');
  }

  /** The list is empty for Azure, which does not tell what is deployed. */
  async list(signal: AbortSignal): Promise<readonly ListedModel[]> {
    if (this.#dialect === 'azure') return [];
    const { endpoint, key, service } = await this.#access();
    const { fetch: ownFetch = fetch } = this.#options;
    const answer = await getJson({
      url: modelsAddress(endpoint),
      signal,
      service,
      key,
      fetch: ownFetch,
      headers: authentication(this.#dialect, key),
    });
    return listedModels(answer, this.#dialect);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent> {
    const access = await this.#access();
    yield* withRetries({
      ...this.#options,
      request,
      refusedTools: this.#refusedTools,
      refusedMedia: this.#refusedMedia,
      attempt: (adapted) => this.#attempt(adapted, access),
      adapt: ({ refuses }) => {
        if (refuses === 'chat' && (this.#options.api !== undefined || this.#dialect === 'compatible')) return false;
        return this.#refused.add(request, refuses);
      },
    });
  }

  /** Makes one exchange. Returns why it failed, or `undefined` if it succeeded. */
  async *#attempt(
    request: ModelRequest,
    { endpoint, key, service }: Access,
  ): AsyncGenerator<ModelStreamEvent, RequestFailure | undefined> {
    const { idleMs, maxAnswerBytes = MAX_ANSWER_BYTES, apiVersion } = this.#options;
    const api = this.#api(request.model);
    const guarded = guardFetch({
      fetch: this.#options.fetch ?? fetch,
      service,
      idleMs: idleMs ?? usualIdleMs(endpoint),
      maxBytes: maxAnswerBytes,
      headers: authentication(this.#dialect, key),
    });
    const tools = request.tools.map(({ name }) => name);
    const failed = (thrown: unknown) => failureOf(thrown, { service, model: request.model, key, tools, now: Date.now });
    const answer = api === 'responses' ? new ResponsesAnswer() : new ChatAnswer();
    try {
      const sent = guarded(addressOf(api, endpoint, apiVersion, request.model), {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(this.#body(request, api)),
        signal: request.signal,
      });
      const eventsOf = api === 'responses' ? responseEvents : completionChunks;
      for await (const event of answerEvents(await accepted(sent), { service, eventsOf })) yield* answer.accept(event);
    } catch (thrown) {
      // If the connection is lost after the end of the answer, only its usage is missing.
      if (answer.isComplete) return yield* ended(answer, request.signal);
      const { code, text } = vendorErrorOf(thrown, key);
      if (code !== undefined && FORBIDDEN.has(code)) {
        yield { type: 'end', stopReason: 'refusal', usage: NO_USAGE, detail: text === '' ? code : text };
        return undefined;
      }
      return failed(thrown);
    }
    return answer.isComplete ? yield* ended(answer, request.signal) : requestFailed(streamBroken(endpoint.host), true);
  }

  #body(request: ModelRequest, api: 'chat' | 'responses') {
    const model = { ...this.#model(request.model), limits: this.limits(request.model) };
    const options = { model, dialect: this.#dialect, refused: this.#refused };
    return api === 'responses' ? responsesRequest(request, options) : chatRequest(request, options);
  }

  #model(name: string): OpenAiModel {
    if (this.#dialect !== 'compatible') {
      const model = openAiModel(name);
      const refusesChat = this.#refused.refuses(name, 'chat');
      return model.isUnknown && (this.#dialect === 'azure' || refusesChat) ? unnamedModel(model, refusesChat) : model;
    }
    const listed = this.#options.listed?.(name)?.capabilities ?? {};
    const { accepts, ...model } = compatibleModel(name);
    const { images = accepts.images, documents = accepts.documents, audio = accepts.audio } = listed;
    return { ...model, accepts: { ...accepts, images, documents, audio } };
  }

  #api(model: string): 'chat' | 'responses' {
    const { api } = this.#options;
    if (api !== undefined) return api;
    return this.#dialect !== 'compatible' && this.#model(model).needsResponses ? 'responses' : 'chat';
  }

  async #access(): Promise<Access> {
    const vendor = vendorOf(this.#dialect, this.name);
    const setIn = 'Settings (endpoints, providers)';
    const { endpoint, key } = await accessOf(this.#options, { provider: this.name, vendor, setIn });
    return { endpoint, key, service: openAiService(this.#dialect, this.name, endpoint.host) };
  }
}

function* ended(answer: ChatAnswer | ResponsesAnswer, signal: AbortSignal): Generator<ModelStreamEvent, undefined> {
  signal.throwIfAborted();
  if (answer instanceof ChatAnswer) yield* answer.finish();
}

interface Access {
  readonly endpoint: Endpoint;
  readonly key: string | undefined;
  readonly service: ReturnType<typeof openAiService>;
}

/** A model on this machine may have to be loaded first, and reads a long history for minutes before its first word. */
function usualIdleMs({ url }: Endpoint): number {
  return isLoopback(new URL(url)) ? 600_000 : IDLE_MS;
}
