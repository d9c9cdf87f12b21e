import type Anthropic from '@anthropic-ai/sdk';
import type { Remedy } from '../../../src-preload/contract/remedies.ts';
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
import { answerEvents } from '../transport/event-stream.ts';
import { failureOf, streamBroken } from '../transport/failures.ts';
import { getJson } from '../transport/get-json.ts';
import { type ExchangeOptions, guardFetch, IDLE_MS, MAX_ANSWER_BYTES } from '../transport/guarded-fetch.ts';
import { RefusedMedia } from '../transport/refused-media.ts';
import { signaturesIn } from '../transport/refused-parts.ts';
import { RefusedTools } from '../transport/refused-tools.ts';
import { modelRemedies } from '../transport/remedies.ts';
import { type RequestFailure, requestFailed } from '../transport/request-failure.ts';
import { accessOf, type Endpoint } from '../transport/service.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { ANTHROPIC_URL, ANTHROPIC_VERSION, authentication } from './authentication.ts';
import { anthropicCapabilities, anthropicModel, knownAnthropicModel } from './catalogue.ts';
import { listedModels } from './listed-models.ts';
import { requestBody } from './request-body.ts';
import { ANTHROPIC, messagesService } from './service.ts';
import { messageEvents } from './whole-answer.ts';

export interface AnthropicProviderOptions
  extends AttemptOptions,
    ExchangeOptions,
    Pick<ProviderOptions, 'contextTokens' | 'listed'> {
  /** Called before each request, so that a key added meanwhile is used. */
  readonly apiKey: () => Promise<string | undefined>;
  /**
   * Scheme, host, port and an optional path prefix; `https://api.anthropic.com` by default. It is never read from the
   * environment here.
   */
  readonly baseUrl?: string;
  /** The name in the configuration. Without this, it is `anthropic`. */
  readonly name?: string;
  /** Whether requests fail without a key; true by default. */
  readonly needsKey?: boolean;
}

/** The number of models asked for on one page of the list. There are far fewer. */
const MAX_LISTED = 1000;
/** The places where a user sets the address, as error messages name them. */
const SET_IN = 'Settings (endpoints, providers) or in ANTHROPIC_BASE_URL';

/** Asks Claude through the Messages API. */
export class AnthropicProvider implements ModelProvider {
  readonly name: string;
  readonly isOffline = false;
  readonly #options: AnthropicProviderOptions;
  /** Signatures that the API refused once; it would refuse them again in every later request of that history. */
  readonly #refusedThinking = new Set<string>();
  /** Ids of models that refused the `thinking` parameter, or whose gateway did. */
  readonly #withoutThinkingParameter = new Set<string>();
  readonly #refusedMedia = new RefusedMedia();
  readonly #refusedTools = new RefusedTools();
  /** The service does not take deferred tools. */
  #withoutDeferral = false;

  constructor(options: AnthropicProviderOptions) {
    this.#options = options;
    this.name = options.name ?? 'anthropic';
  }

  limits(model: string): ModelLimits {
    const { contextTokens, listed } = this.#options;
    const { limits } = anthropicModel(model);
    const told = knownAnthropicModel(model) === undefined ? listed?.(model)?.limits : undefined;
    return { ...limits, ...told, ...(contextTokens === undefined ? {} : { contextTokens }) };
  }

  price(model: string): ModelPrice | undefined {
    return anthropicModel(model).price;
  }

  capabilities(model: string): ModelCapabilities {
    const isKnown = knownAnthropicModel(model) !== undefined;
    const told = isKnown ? undefined : this.#options.listed?.(model)?.capabilities;
    const capabilities: ModelCapabilities = {
      ...anthropicCapabilities(model),
      ...(isKnown || told !== undefined ? told : { isAssumed: true }),
    };
    return this.#withoutDeferral
      ? { ...capabilities, deferredTools: false, definesDeferredTools: undefined }
      : capabilities;
  }

  async list(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const { endpoint, key } = await this.#access();
    const { fetch: ownFetch = fetch } = this.#options;
    const service = messagesService(endpoint.host);
    const headers = { ...authentication(endpoint.url, key), ...ANTHROPIC_VERSION };
    const url = `${endpoint.url}/v1/models?limit=${MAX_LISTED}`;
    return listedModels(await getJson({ url, service, key, headers, fetch: ownFetch, signal }));
  }

  remedies(code: ModelErrorCode): readonly Remedy[] {
    const { baseUrl = ANTHROPIC_URL } = this.#options;
    return modelRemedies(code, this.name, ANTHROPIC, baseUrl.trim().replace(/(?<!\/)\/+$/, '') === ANTHROPIC_URL);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent> {
    const { endpoint, key } = await this.#access();
    const tried: ThinkingFallbacks = { withoutBlocks: false, withoutParameter: false };
    yield* withRetries({
      ...this.#options,
      request,
      refusedTools: this.#refusedTools,
      refusedMedia: this.#refusedMedia,
      attempt: (adapted) => this.#attempt(adapted, endpoint, key),
      adapt: (failure) => this.#dropDeferral(request, failure) || this.#dropRefusedThinking(request, failure, tried),
    });
  }

  /** Makes one exchange. Returns why it failed, or `undefined` if it succeeded. */
  async *#attempt(
    request: ModelRequest,
    endpoint: Endpoint,
    key: string | undefined,
  ): AsyncGenerator<ModelStreamEvent, RequestFailure | undefined> {
    const answer = new AnswerAssembler();
    const service = messagesService(endpoint.host);
    const tools = request.tools.map(({ name }) => name);
    const failed = (thrown: unknown) => failureOf(thrown, { service, model: request.model, key, tools, now: Date.now });
    const { idleMs = IDLE_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = this.#options;
    const guarded = guardFetch({
      fetch: this.#options.fetch ?? fetch,
      service,
      idleMs,
      maxBytes: maxAnswerBytes,
      headers: authentication(endpoint.url, key),
    });
    /** The SDK reports a connection that failed as lost or too slow, without the reason. */
    let lost: unknown;
    try {
      const client = await newClient(endpoint.url, key, (input, init) =>
        guarded(input, init).catch((thrown: unknown) => {
          lost = thrown;
          throw thrown;
        }),
      );
      const body = requestBody(request, {
        refusedThinking: this.#refusedThinking,
        withoutThinkingParameter: this.#withoutThinkingParameter.has(request.model),
        withoutDeferral: this.#withoutDeferral,
      });
      // `messages.create` is avoided: it adds only its own warnings about models, printed to the terminal at each
      // request.
      const sent = client.post<AsyncIterable<Anthropic.RawMessageStreamEvent>>('/v1/messages', {
        body,
        stream: true,
        signal: request.signal,
      });
      const { data: streamed, response } = await sent.withResponse();
      const events = isJson(response) ? answerEvents(response, { service, eventsOf: messageEvents }) : streamed;
      for await (const event of events) yield* answer.accept(event);
      request.signal.throwIfAborted();
      // Some gateways leave out the blank line after their last event, which the SDK then passes over.
      if (answer.hasStopped && !answer.isComplete) yield* answer.accept({ type: 'message_stop' });
    } catch (thrown) {
      return failed(lost ?? thrown);
    }
    return answer.isComplete ? undefined : requestFailed(streamBroken(endpoint.host), true);
  }

  /** Returns true if the next request will differ. */
  #dropDeferral({ tools }: ModelRequest, { refuses }: RequestFailure): boolean {
    if (refuses !== 'deferral' || this.#withoutDeferral || !tools.some(({ isDeferred }) => isDeferred)) return false;
    this.#withoutDeferral = true;
    return true;
  }

  #access() {
    const { baseUrl = ANTHROPIC_URL, needsKey = true, apiKey } = this.#options;
    return accessOf({ baseUrl, needsKey, apiKey }, { provider: this.name, vendor: ANTHROPIC, setIn: SET_IN });
  }

  /** Returns true if the next request will differ. Refused blocks are left out first, then the parameter. */
  #dropRefusedThinking(request: ModelRequest, { refuses }: RequestFailure, tried: ThinkingFallbacks): boolean {
    if (refuses !== 'signatures' && refuses !== 'thinking') return false;
    const signatures = signaturesIn(request);
    if (refuses === 'signatures' && !tried.withoutBlocks && signatures.some((s) => !this.#refusedThinking.has(s))) {
      tried.withoutBlocks = true;
      for (const signature of signatures) this.#refusedThinking.add(signature);
      return true;
    }
    if (tried.withoutParameter || anthropicModel(request.model).thinking === 'none') return false;
    tried.withoutParameter = true;
    this.#withoutThinkingParameter.add(request.model);
    return true;
  }
}

interface ThinkingFallbacks {
  withoutBlocks: boolean;
  withoutParameter: boolean;
}

/** Whether an answer is JSON: some gateways don't stream, or fail before they do. */
function isJson({ headers }: Response): boolean {
  return /\bjson\b/i.test(headers.get('content-type') ?? '');
}

/** The guard of fetch detects silence; this timer would only cut off long waits before the first byte. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Passes explicitly everything that the SDK would otherwise take from the environment or from credential files. The SDK
 * repeats no request: we do, visibly.
 */
async function newClient(baseURL: string, key: string | undefined, guarded: typeof fetch): Promise<Anthropic> {
  const { default: AnthropicClient } = await import('@anthropic-ai/sdk');
  return new AnthropicClient({
    // If no key were given, the SDK would look for credentials on this machine. The guard of fetch sends none if there
    // is no key.
    apiKey: key ?? 'none',
    authToken: null,
    webhookKey: null,
    baseURL,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    fetch: guarded,
    openTelemetry: false,
  });
}
