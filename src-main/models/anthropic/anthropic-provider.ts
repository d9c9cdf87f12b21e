import type Anthropic from '@anthropic-ai/sdk';
import type { Remedy } from '../../../src-preload/contract/remedies.ts';
import {
  ModelError,
  type ModelErrorCode,
  type ModelLimits,
  type ModelPrice,
  type ModelProvider,
  type ModelRequest,
  type ModelStreamEvent,
} from '../provider.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { ANTHROPIC_URL, authentication } from './authentication.ts';
import { anthropicModel } from './catalogue.ts';
import { failureOf, streamBroken } from './failures.ts';
import { guardFetch } from './guarded-fetch.ts';
import { anthropicRemedies } from './remedies.ts';
import { requestBody } from './request-body.ts';
import { type RequestFailure, requestFailed } from './request-failure.ts';
import { abortableSleep, retryWaitMs } from './retry.ts';

export interface AnthropicProviderOptions {
  /** Called before each request, so that a key added meanwhile is used. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Scheme, host, port and optional path prefix; default `https://api.anthropic.com`. Never read from the environment here. */
  readonly baseUrl?: string;
  /** The name in the configuration; default `anthropic`. */
  readonly name?: string;
  /** Milliseconds without a byte after which a request is aborted; default 90,000. */
  readonly idleMs?: number;
  /** Default 4. */
  readonly maxRetries?: number;
  /** For one answer as received, decompressed; default 64 MiB. */
  readonly maxAnswerBytes?: number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly fetch?: typeof fetch;
}

const NO_KEY_TEXT =
  'No Anthropic API key is set. Add one in Settings, or set ANTHROPIC_API_KEY and start again ' +
  '(keys are made at https://platform.claude.com/settings/keys).';
const UNUSABLE_KEY_TEXT =
  'The Anthropic API key contains characters that keys never have (spaces, line breaks or quotes). ' +
  'Copy it again into Settings or ANTHROPIC_API_KEY.';

/** Claude through the Messages API. */
export class AnthropicProvider implements ModelProvider {
  readonly name: string;
  readonly isOffline = false;
  readonly #options: AnthropicProviderOptions;
  /** Signatures that the API refused once; it would refuse them again in every later request of that history. */
  readonly #refusedThinking = new Set<string>();
  /** Models (or gateways before them) that refuse the `thinking` parameter. */
  readonly #withoutThinkingParameter = new Set<string>();

  constructor(options: AnthropicProviderOptions) {
    this.#options = options;
    this.name = options.name ?? 'anthropic';
  }

  limits(model: string): ModelLimits {
    return anthropicModel(model).limits;
  }

  price(model: string): ModelPrice | undefined {
    return anthropicModel(model).price;
  }

  remedies(code: ModelErrorCode): readonly Remedy[] {
    const { baseUrl = ANTHROPIC_URL } = this.#options;
    return anthropicRemedies(code, baseUrl.trim().replace(/\/+$/, '') === ANTHROPIC_URL);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent> {
    const { maxRetries = 4, sleep = abortableSleep, random = Math.random } = this.#options;
    const endpoint = endpointOf(this.#options.baseUrl);
    const key = await this.#key();
    const tried: ThinkingFallbacks = { withoutBlocks: false, withoutParameter: false };

    for (let attempt = 1; ; attempt++) {
      request.signal.throwIfAborted();
      const answer = new AnswerAssembler();
      const failure = yield* this.#attempt(request, answer, endpoint, key);
      if (failure === undefined) return;
      request.signal.throwIfAborted();
      if (answer.hasYielded) throw failure.error;

      const isAdapted = this.#dropRefusedThinking(request, failure, tried);
      const waitMs = isAdapted ? 0 : retryWaitMs(failure, attempt, maxRetries, random);
      if (waitMs === undefined) throw failure.error;
      yield { type: 'retry', attempt, most: maxRetries, waitMs, error: failure.error };
      request.signal.throwIfAborted();
      if (waitMs > 0) await sleep(waitMs, request.signal);
    }
  }

  /** One exchange; returns why it failed, or `undefined`. */
  async *#attempt(
    request: ModelRequest,
    answer: AnswerAssembler,
    endpoint: Endpoint,
    key: string,
  ): AsyncGenerator<ModelStreamEvent, RequestFailure | undefined> {
    const { idleMs = 90_000, maxAnswerBytes = 64 * 1024 * 1024 } = this.#options;
    const guard = guardFetch({
      fetch: this.#options.fetch ?? fetch,
      host: endpoint.host,
      idleMs,
      maxBytes: maxAnswerBytes,
      headers: authentication(endpoint.url, key),
    });
    try {
      const client = await newClient(endpoint.url, key, guard.fetch);
      const body = requestBody(request, {
        refusedThinking: this.#refusedThinking,
        withoutThinkingParameter: this.#withoutThinkingParameter.has(request.model),
      });
      const options = { body, stream: true, signal: request.signal } as const;
      // Not `messages.create`, which prints its own warnings to the terminal.
      const events = await client.post<AsyncIterable<unknown>>('/v1/messages', options);
      for await (const event of events) yield* answer.accept(event);
    } catch (thrown) {
      return this.#failure(guard.failure() ?? thrown, request, endpoint, key);
    }
    // The SDK ends the iteration without an error when its connection was aborted.
    const cause = guard.failure();
    if (cause) return this.#failure(cause, request, endpoint, key);
    return answer.isComplete ? undefined : requestFailed(streamBroken(endpoint.host), true);
  }

  #failure(thrown: unknown, { model }: ModelRequest, { host }: Endpoint, key: string): RequestFailure {
    return failureOf(thrown, { model, host, key, now: Date.now });
  }

  /** True when the next request will differ: once without the refused blocks, once without the parameter. */
  #dropRefusedThinking(request: ModelRequest, { refusesThinking }: RequestFailure, tried: ThinkingFallbacks): boolean {
    if (refusesThinking === undefined) return false;
    const signatures = thinkingSignatures(request);
    if (refusesThinking === 'block' && !tried.withoutBlocks && signatures.some((s) => !this.#refusedThinking.has(s))) {
      tried.withoutBlocks = true;
      for (const signature of signatures) this.#refusedThinking.add(signature);
      return true;
    }
    if (tried.withoutParameter || anthropicModel(request.model).thinking === 'none') return false;
    tried.withoutParameter = true;
    this.#withoutThinkingParameter.add(request.model);
    return true;
  }

  async #key(): Promise<string> {
    const key = (await this.#options.apiKey())?.trim();
    if (!key) throw new ModelError('no_key', NO_KEY_TEXT);
    if (!/^[\x21-\x7e]+$/.test(key)) throw new ModelError('wrong_key', UNUSABLE_KEY_TEXT);
    return key;
  }
}

interface ThinkingFallbacks {
  withoutBlocks: boolean;
  withoutParameter: boolean;
}

interface Endpoint {
  readonly url: string;
  readonly host: string;
}

function endpointOf(baseUrl: string | undefined): Endpoint {
  const url = (baseUrl ?? ANTHROPIC_URL).trim().replace(/\/+$/, '');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw new ModelError(
      'bad_request',
      'The base URL of the Anthropic provider is not a plain http or https address. Correct it in Settings (endpoints, providers) or in ANTHROPIC_BASE_URL.',
    );
  }
  return { url, host: parsed.host };
}

/** Everything that the SDK would otherwise take from the environment or from credential files is given explicitly. */
async function newClient(baseURL: string, apiKey: string, guardedFetch: typeof fetch): Promise<Anthropic> {
  const { default: AnthropicClient } = await import('@anthropic-ai/sdk');
  return new AnthropicClient({
    apiKey,
    authToken: null,
    webhookKey: null,
    baseURL,
    maxRetries: 0,
    // The guard detects silence; this timer would only cut off long waits before the first byte.
    timeout: 2 ** 31 - 1,
    fetch: guardedFetch,
    logger: SILENT,
    logLevel: 'off',
    openTelemetry: false,
  });
}

const nothing = () => undefined;
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing };

function thinkingSignatures({ messages }: ModelRequest): string[] {
  return messages.flatMap((message) =>
    message.role === 'user'
      ? []
      : message.content.flatMap((block) => {
          if (block.type === 'thinking' && block.signature !== '') return [block.signature];
          return block.type === 'redacted_thinking' && block.data !== '' ? [block.data] : [];
        }),
  );
}
