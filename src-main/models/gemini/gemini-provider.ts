import type { Remedy } from '../../../src-preload/contract/remedies.ts';
import { vendorBaseUrls } from '../../settings/endpoints.ts';
import {
  type ListedModel,
  type ModelCapabilities,
  ModelError,
  type ModelErrorCode,
  type ModelLimits,
  type ModelPrice,
  type ModelProvider,
  type ModelRequest,
  type ModelStreamEvent,
} from '../provider.ts';
import type { ProviderOptions } from '../provider-options.ts';
import { type JsonRecord, list, record, text, tokenCount } from '../transport/answer-fields.ts';
import { type AttemptOptions, withRetries } from '../transport/attempts.ts';
import { accepted } from '../transport/error-shape.ts';
import { answerEvents } from '../transport/event-stream.ts';
import { failureOf, streamBroken } from '../transport/failures.ts';
import { type ExchangeOptions, guardFetch, IDLE_MS, MAX_ANSWER_BYTES } from '../transport/guarded-fetch.ts';
import { RefusedMedia } from '../transport/refused-media.ts';
import { RefusedParts } from '../transport/refused-parts.ts';
import { RefusedTools } from '../transport/refused-tools.ts';
import { modelRemedies } from '../transport/remedies.ts';
import { type RequestFailure, requestFailed } from '../transport/request-failure.ts';
import { accessOf, type Endpoint } from '../transport/service.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { withDetails } from './api-error.ts';
import { type GeminiModel, geminiCapabilities, geminiModel, geminiModelId } from './catalogue.ts';
import { requestBody } from './request-body.ts';
import { GOOGLE, geminiService } from './service.ts';
import { wholeAnswer } from './whole-answer.ts';

export type GeminiProviderOptions = ProviderOptions & AttemptOptions & ExchangeOptions;

/** The place where a user sets the address, as error messages name it. */
const SET_IN = 'Settings (endpoints, providers)';

/** Asks Gemini through generateContent. */
export class GeminiProvider implements ModelProvider {
  readonly name: string;
  readonly isOffline = false;
  readonly #options: GeminiProviderOptions;
  readonly #refused = new RefusedParts();
  readonly #refusedMedia = new RefusedMedia();
  readonly #refusedTools = new RefusedTools();

  constructor(options: GeminiProviderOptions) {
    this.#options = options;
    this.name = options.name;
  }

  limits(model: string): ModelLimits {
    const { limits } = this.#model(model);
    const { contextTokens = limits.contextTokens } = this.#options;
    return { contextTokens, maxOutputTokens: Math.min(limits.maxOutputTokens, contextTokens) };
  }

  price(model: string): ModelPrice | undefined {
    return this.#model(model).price;
  }

  capabilities(model: string): ModelCapabilities {
    return geminiCapabilities(this.#model(model));
  }

  remedies(code: ModelErrorCode): readonly Remedy[] {
    return modelRemedies(code, this.name, GOOGLE, this.#options.baseUrl === vendorBaseUrls.gemini);
  }

  async list(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const { endpoint, key } = await accessOf(this.#options, { provider: this.name, vendor: GOOGLE, setIn: SET_IN });
    const guarded = this.#guarded(endpoint, key);
    try {
      const listed: ListedModel[] = [];
      for (let page = '', pages = 0; pages < MAX_PAGES; pages++) {
        const query = new URLSearchParams({ pageSize: '1000', ...(page === '' ? {} : { pageToken: page }) });
        const answer = await accepted(
          guarded(`${endpoint.url}/v1beta/models?${query}`, { headers: JSON_TYPE, signal }),
        );
        const { models, nextPageToken } = record(await answer.json());
        listed.push(...list(models).flatMap((model) => conversationModel(record(model))));
        page = text(nextPageToken) ?? '';
        if (page === '') break;
      }
      return listed;
    } catch (thrown) {
      signal.throwIfAborted();
      const service = geminiService(endpoint.host);
      throw failureOf(withDetails(thrown), { service, model: '', key, now: Date.now }).error;
    }
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent> {
    const { endpoint, key } = await accessOf(this.#options, { provider: this.name, vendor: GOOGLE, setIn: SET_IN });
    yield* withRetries({
      ...this.#options,
      request,
      refusedTools: this.#refusedTools,
      refusedMedia: this.#refusedMedia,
      attempt: (adapted) => this.#attempt(adapted, endpoint, key),
      adapt: ({ refuses }) => this.#refused.add(request, refuses),
    });
  }

  /** Makes one exchange. Returns why it failed, or `undefined` if it succeeded. */
  async *#attempt(
    request: ModelRequest,
    endpoint: Endpoint,
    key: string | undefined,
  ): AsyncGenerator<ModelStreamEvent, RequestFailure | undefined> {
    const model = this.#model(request.model);
    const service = geminiService(endpoint.host);
    const tools = request.tools.map(({ name }) => name);
    const failed = (thrown: unknown) =>
      failureOf(withDetails(thrown), { service, model: model.id, key, tools, now: Date.now });
    const answer = new AnswerAssembler();
    try {
      const body = requestBody(request, {
        model: { ...model, limits: this.limits(request.model) },
        refused: this.#refused,
      });
      const sent = this.#guarded(endpoint, key)(addressOf(endpoint, model.id), {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify(body),
        signal: request.signal,
      });
      for await (const event of answerEvents(await accepted(sent), { service, eventsOf: wholeAnswer }))
        yield* answer.accept(event);
      if (answer.isComplete && answer.failure === undefined) yield* answer.finish();
    } catch (thrown) {
      return failed(thrown);
    }
    if (answer.failure !== undefined) return requestFailed(answer.failure, true);
    return answer.isComplete ? undefined : requestFailed(streamBroken(endpoint.host), true);
  }

  #model(name: string): GeminiModel {
    return geminiModel(name, this.#options.listed?.(geminiModelId(name)));
  }

  #guarded(endpoint: Endpoint, key: string | undefined): typeof fetch {
    const { idleMs = IDLE_MS, maxAnswerBytes: maxBytes = MAX_ANSWER_BYTES } = this.#options;
    const headers: Record<string, string> = key === undefined ? {} : { 'x-goog-api-key': key };
    const service = geminiService(endpoint.host);
    return guardFetch({ fetch: this.#options.fetch ?? fetch, service, idleMs, maxBytes, headers });
  }
}

/** The most pages of the list of models that are read, each with 1000. There are far fewer models. */
const MAX_PAGES = 10;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Throws `ModelError` for a name that would lead to another path of the service. */
function addressOf({ url }: Endpoint, model: string): string {
  const path = model.startsWith('tunedModels/') ? model : `models/${model}`;
  if (/\.\.|[?#&]/.test(model)) throw new ModelError('unknown_model', `"${model}" is not the name of a model.`);
  return `${url}/v1beta/${path}:streamGenerateContent?alt=sse`;
}

/** Reads one entry of the list. Models for other purposes (embeddings, speech, pictures) are left out. */
function conversationModel(model: JsonRecord): ListedModel[] {
  const id = geminiModelId(text(model.name) ?? '');
  const isForConversations = list(model.supportedGenerationMethods).includes('generateContent');
  if (id === '' || !isForConversations || OTHER_PURPOSES.test(id)) return [];
  const name = text(model.displayName);
  const contextTokens = tokenCount(model.inputTokenLimit);
  const maxOutputTokens = tokenCount(model.outputTokenLimit);
  const limits = {
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  const { price } = geminiModel(id);
  const listed: ListedModel = {
    id,
    ...(name === undefined ? {} : { name }),
    limits,
    ...(price === undefined ? {} : { price }),
    capabilities: geminiCapabilities(geminiModel(id)),
  };
  return [listed];
}

/** The service lists models for other purposes with the same methods, so only their ids tell them apart. */
const OTHER_PURPOSES = /-(tts|image|live|native-audio|computer-use|robotics)\b/;
