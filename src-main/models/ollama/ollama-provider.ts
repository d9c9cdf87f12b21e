import pLimit from 'p-limit';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
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
import { list, record, text } from '../transport/answer-fields.ts';
import { type AttemptOptions, withRetries } from '../transport/attempts.ts';
import { accepted, ReportedError } from '../transport/error-shape.ts';
import { streamBroken } from '../transport/failures.ts';
import { type ExchangeOptions, guardFetch, MAX_ANSWER_BYTES } from '../transport/guarded-fetch.ts';
import { RefusedMedia } from '../transport/refused-media.ts';
import { RefusedParts } from '../transport/refused-parts.ts';
import { RefusedTools } from '../transport/refused-tools.ts';
import { modelRemedies } from '../transport/remedies.ts';
import { type RequestFailure, requestFailed } from '../transport/request-failure.ts';
import { accessOf } from '../transport/service.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { chatRequest } from './chat-request.ts';
import { jsonLines } from './json-lines.ts';
import { contextTokensOf, factsOf, type ModelFacts, NOTHING_KNOWN, ollamaCapabilities } from './model-facts.ts';
import { OLLAMA, ollamaFailure, ollamaService } from './service.ts';

export type OllamaProviderOptions = ProviderOptions & AttemptOptions & ExchangeOptions;

/**
 * A model may first have to be loaded, and then reads the whole conversation before it says a word. Node's fetch gives
 * up after 300,000.
 */
const LOADING_MS = 290_000;
/** The place where a user sets the address, as error messages name it. */
const SET_IN = 'Settings (endpoints, providers)';
/** Models that are asked about at the same time. */
const AT_ONCE = 4;

/**
 * Asks models on the user's own machine through Ollama's native API, because only there the context window can be set.
 */
export class OllamaProvider implements ModelProvider {
  readonly name: string;
  readonly isOffline = false;
  readonly #options: OllamaProviderOptions;
  /** What is known of the models that were listed or used. */
  readonly #facts = new Map<string, ModelFacts>();
  /** What models turned out to refuse, for versions of Ollama that don't say what a model can do. */
  readonly #refused = new RefusedParts();
  readonly #refusedMedia = new RefusedMedia();
  readonly #refusedTools = new RefusedTools();

  constructor(options: OllamaProviderOptions) {
    this.#options = options;
    this.name = options.name;
  }

  /** The limits are exact once the model was listed or used. */
  limits(model: string): ModelLimits {
    const contextTokens = contextTokensOf(this.#known(model), this.#options.contextTokens);
    return { contextTokens, maxOutputTokens: contextTokens };
  }

  capabilities(model: string): ModelCapabilities {
    const known = this.#facts.get(model);
    const told = known === undefined ? this.#options.listed?.(model)?.capabilities : undefined;
    const { isAssumed, ...capabilities } = ollamaCapabilities(known ?? NOTHING_KNOWN);
    const refused = this.#refusedMedia.capabilitiesOf(model);
    return { ...capabilities, ...(told ?? (isAssumed ? { isAssumed } : {})), ...refused };
  }

  price(): ModelPrice | undefined {
    return undefined;
  }

  remedies(code: ModelErrorCode): readonly Remedy[] {
    return modelRemedies(code, this.name, OLLAMA, false);
  }

  async list(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const { models } = record(await this.#request('', signal, (service) => service.json('/api/tags')));
    const names = list(models).flatMap((model) => text(record(model).model) ?? text(record(model).name) ?? []);
    this.#facts.clear();
    const limit = pLimit(AT_ONCE);
    const listed = await Promise.all(
      names.map((id) =>
        limit(async (): Promise<ListedModel[]> => {
          const facts = await this.#factsOf(id, signal);
          if (facts.capabilities?.has('completion') === false) return [];
          const capabilities = ollamaCapabilities(facts);
          return [{ id, limits: this.limits(id), ...(capabilities.isAssumed ? {} : { capabilities }) }];
        }),
      ),
    );
    return listed.flat();
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent> {
    yield* withRetries({
      ...this.#options,
      request,
      refusedTools: this.#refusedTools,
      refusedMedia: this.#refusedMedia,
      attempt: (adapted) => this.#attempt(adapted),
      adapt: ({ refuses }) => this.#refused.add(request, refuses),
    });
  }

  /** Makes one exchange. Returns why it failed, or `undefined` if it succeeded. */
  async *#attempt(request: ModelRequest): AsyncGenerator<ModelStreamEvent, RequestFailure | undefined> {
    const { model, signal } = request;
    const service = await this.#access(model, signal);
    try {
      const facts = await this.#factsOf(model, signal);
      const answer = new AnswerAssembler(this.limits(model).contextTokens);
      const hasTools = !this.#refused.refuses(model, 'tools') && facts.capabilities?.has('tools') !== false;
      if (!hasTools && request.tools.length > 0) {
        yield { type: 'left_out', reason: 'no_tool_support', names: request.tools.map(({ name }) => name) };
      }
      const canThink = !this.#refused.refuses(model, 'thinking') && facts.capabilities?.has('thinking') === true;
      const { contextTokens } = this.#options;
      const body = chatRequest(request, { facts, contextTokens, hasTools, canThink });
      for await (const line of jsonLines(await service.open('/api/chat', body))) {
        const problem = text(record(line).error);
        if (problem !== undefined) throw new ReportedError({ message: problem });
        yield* answer.accept(line);
        if (answer.isComplete) return undefined;
      }
    } catch (thrown) {
      return service.failureOf(thrown);
    }
    return requestFailed(streamBroken(service.host), true);
  }

  #known(model: string): ModelFacts {
    return this.#facts.get(model) ?? NOTHING_KNOWN;
  }

  /** Asks Ollama once for each model, which is local and quick. Throws what a request throws. */
  async #factsOf(model: string, signal: AbortSignal): Promise<ModelFacts> {
    const known = this.#facts.get(model);
    if (known !== undefined) return known;
    const facts = factsOf(await this.#request(model, signal, (service) => service.json('/api/show', { model })));
    this.#facts.set(model, facts);
    return facts;
  }

  /** Gives `use` access to the service. Throws `ModelError`. */
  async #request<T>(model: string, signal: AbortSignal, use: (access: Access) => Promise<T>): Promise<T> {
    const access = await this.#access(model, signal);
    try {
      return await use(access);
    } catch (thrown) {
      signal.throwIfAborted();
      throw access.failureOf(thrown).error;
    }
  }

  async #access(model: string, signal: AbortSignal): Promise<Access> {
    const { idleMs = LOADING_MS, maxAnswerBytes: maxBytes = MAX_ANSWER_BYTES } = this.#options;
    const {
      endpoint: { url, host },
      key,
    } = await accessOf({ ...this.#options, needsKey: false }, { provider: this.name, vendor: OLLAMA, setIn: SET_IN });
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const service = ollamaService(host);
    const guarded = guardFetch({ fetch: this.#options.fetch ?? fetch, service, idleMs, maxBytes, headers });
    const send = (path: string, body?: unknown) =>
      accepted(
        guarded(url + path, {
          ...(body === undefined ? {} : { method: 'POST', body: exactJson(body) }),
          headers: { 'content-type': 'application/json' },
          signal,
        }),
      );
    return {
      host,
      json: async (path, body) => (await send(path, body)).json(),
      open: async (path, body) => (await send(path, body)).body ?? new Blob([]).stream(),
      failureOf: (thrown) => ollamaFailure(thrown, { service, model, key, now: Date.now }),
    };
  }
}

/** The service, for requests about one model. */
interface Access {
  readonly host: string;
  readonly json: (path: string, body?: unknown) => Promise<unknown>;
  /** Sends a request and returns the body of the answer. */
  readonly open: (path: string, body: unknown) => Promise<ReadableStream<Uint8Array>>;
  readonly failureOf: (thrown: unknown) => RequestFailure;
}
