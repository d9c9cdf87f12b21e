import type { GoogleGenAI, Model } from '@google/genai/web';
import type { Remedy } from '../../../src-preload/contract/remedies.ts';
import { vendorBaseUrls } from '../../settings/endpoints.ts';
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
import { failureOf, streamBroken } from '../transport/failures.ts';
import {
  type ExchangeOptions,
  type FetchGuard,
  type FetchGuardOptions,
  guardFetch,
  IDLE_MS,
  MAX_ANSWER_BYTES,
} from '../transport/guarded-fetch.ts';
import { RefusedMedia } from '../transport/refused-media.ts';
import { RefusedParts } from '../transport/refused-parts.ts';
import { RefusedTools } from '../transport/refused-tools.ts';
import { modelRemedies } from '../transport/remedies.ts';
import { type RequestFailure, requestFailed } from '../transport/request-failure.ts';
import { accessOf, type Endpoint } from '../transport/service.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { fetchWithErrors, withDetails } from './api-error.ts';
import { type GeminiModel, geminiCapabilities, geminiModel, geminiModelId } from './catalogue.ts';
import { requestParameters } from './request-parameters.ts';
import { GOOGLE, geminiService } from './service.ts';
import { wholeAnswer } from './whole-answer.ts';

export type GeminiProviderOptions = ProviderOptions & AttemptOptions & ExchangeOptions;

/** Where a user sets the address. */
const SET_IN = 'Settings (endpoints, providers)';

/** Gemini through generateContent. */
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
    const guard = this.#guard(endpoint, key, {});
    try {
      const client = await newClient(endpoint.url, guard.fetch);
      const listed: ListedModel[] = [];
      const models = await client.models.list({ config: { pageSize: 1_000, abortSignal: signal } });
      for await (const model of models) listed.push(...conversationModel(model));
      return listed;
    } catch (thrown) {
      signal.throwIfAborted();
      const service = geminiService(endpoint.host);
      throw failureOf(guard.failure() ?? withDetails(thrown), { service, model: '', key, now: Date.now }).error;
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

  /** One exchange; returns why it failed, or `undefined`. */
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
    const guard = this.#guard(endpoint, key, { eventsOf: wholeAnswer });
    // The SDK leaves the connection open when nobody reads on.
    const ended = new AbortController();
    try {
      const client = await newClient(endpoint.url, guard.fetch);
      const parameters = requestParameters(
        { ...request, signal: AbortSignal.any([request.signal, ended.signal]) },
        { model: { ...model, limits: this.limits(request.model) }, refused: this.#refused },
      );
      const chunks = await client.models.generateContentStream(parameters);
      for await (const chunk of chunks) yield* answer.accept(chunk);
      if (answer.isComplete && answer.failure === undefined) yield* answer.finish();
    } catch (thrown) {
      if (isCutOff(thrown)) return requestFailed(guard.failure() ?? streamBroken(endpoint.host), true);
      return failed(guard.failure() ?? thrown);
    } finally {
      ended.abort();
    }
    if (answer.failure !== undefined) return requestFailed(answer.failure, true);
    return answer.isComplete ? undefined : requestFailed(guard.failure() ?? streamBroken(endpoint.host), true);
  }

  #model(name: string): GeminiModel {
    return geminiModel(name, this.#options.listed?.(geminiModelId(name)));
  }

  #guard(endpoint: Endpoint, key: string | undefined, reads: Pick<FetchGuardOptions, 'eventsOf'>): FetchGuard {
    const { idleMs = IDLE_MS, maxAnswerBytes: maxBytes = MAX_ANSWER_BYTES } = this.#options;
    const headers: Record<string, string> = key === undefined ? {} : { 'x-goog-api-key': key };
    const service = geminiService(endpoint.host);
    return guardFetch({ fetch: this.#options.fetch ?? fetch, service, idleMs, maxBytes, headers, ...reads });
  }
}

/**
 * The build for browsers: the one for Node reads `GOOGLE_API_KEY`, `GEMINI_API_KEY`, `GOOGLE_GENAI_USE_VERTEXAI` and
 * `GOOGLE_GEMINI_BASE_URL` from the environment, and loads a library that looks for credential files. The key is sent
 * by the guard of fetch alone.
 */
async function newClient(baseUrl: string, guardedFetch: typeof fetch): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import('@google/genai/web');
  return new Client({
    apiKey: 'sent by the guard',
    vertexai: false,
    httpOptions: { baseUrl, fetch: fetchWithErrors(guardedFetch) },
  });
}

/** The SDK's words for a stream that ended inside an event. */
function isCutOff(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === 'Incomplete JSON segment at the end';
}

/** Models for other purposes (embeddings, speech, pictures) are left out. */
function conversationModel({
  name,
  displayName,
  inputTokenLimit,
  outputTokenLimit,
  supportedActions,
}: Model): ListedModel[] {
  const id = geminiModelId(name ?? '');
  if (id === '' || supportedActions?.includes('generateContent') !== true || OTHER_PURPOSES.test(id)) return [];
  const limits = {
    ...(inputTokenLimit === undefined ? {} : { contextTokens: inputTokenLimit }),
    ...(outputTokenLimit === undefined ? {} : { maxOutputTokens: outputTokenLimit }),
  };
  const { price } = geminiModel(id);
  const listed: ListedModel = {
    id,
    ...(displayName === undefined ? {} : { name: displayName }),
    limits,
    ...(price === undefined ? {} : { price }),
    capabilities: geminiCapabilities(geminiModel(id)),
  };
  return [listed];
}

/** The service lists them with the same methods; only their ids tell. */
const OTHER_PURPOSES = /-(tts|image|live|native-audio|computer-use|robotics)\b/;
