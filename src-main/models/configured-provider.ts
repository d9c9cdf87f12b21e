import type { Remedy } from '../../src-preload/contract/remedies.ts';
import type {
  ListedModel,
  ModelCapabilities,
  ModelErrorCode,
  ModelLimits,
  ModelPrice,
  ModelProvider,
  ModelRequest,
  ModelStreamEvent,
} from './provider.ts';

/** How a provider's models are asked. What a request itself says takes precedence. */
export type RequestSettings = Pick<ModelRequest, 'maxTokens' | 'temperature' | 'effort'>;

export interface ProviderConfiguration {
  readonly requests: RequestSettings;
  /** Replaces the context window that the provider knows. */
  readonly contextTokens?: number | undefined;
  /** Throws `ModelError` if the provider must not be asked any more. It is called before each request. */
  readonly check: () => void;
  /**
   * The user's own price for a model, or `undefined` if the provider's counts. It is read at each call, so that an edit
   * counts at once.
   */
  readonly priceOf: (model: string) => ModelPrice | undefined;
}

/** A provider with what config.json says about it, so that it is asked in the same way in a turn and for a server. */
export class ConfiguredProvider implements ModelProvider {
  readonly name: string;
  readonly isOffline: boolean;
  readonly #provider: ModelProvider;
  readonly #configuration: ProviderConfiguration;

  constructor(provider: ModelProvider, configuration: ProviderConfiguration) {
    this.name = provider.name;
    this.isOffline = provider.isOffline;
    this.#provider = provider;
    this.#configuration = configuration;
  }

  limits(model: string): ModelLimits {
    const limits = this.#provider.limits(model);
    const { contextTokens } = this.#configuration;
    if (contextTokens === undefined) return limits;
    return { contextTokens, maxOutputTokens: Math.min(limits.maxOutputTokens, contextTokens) };
  }

  price(model: string): ModelPrice | undefined {
    return this.#configuration.priceOf(model) ?? this.#provider.price(model);
  }

  capabilities(model: string): ModelCapabilities {
    return this.#provider.capabilities(model);
  }

  async list(signal: AbortSignal): Promise<readonly ListedModel[]> {
    this.#configuration.check();
    return this.#provider.list(signal);
  }

  remedies(code: ModelErrorCode): readonly Remedy[] {
    return this.#provider.remedies(code);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent> {
    this.#configuration.check();
    yield* this.#provider.stream({ ...this.#configuration.requests, ...request });
  }
}
