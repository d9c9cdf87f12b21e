import type { ProviderConfig } from '../settings/config-schema.ts';
import type { ListedModel } from './provider.ts';

/** What every provider of config.json is made from. Classes add what only their tests replace (`fetch`, `sleep`, …). */
export interface ProviderOptions {
  /** The name in the configuration. */
  readonly name: string;
  /** Called before each request, so that a key added meanwhile is used. `undefined`: none is set for this provider. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Without a key: `true` fails with `no_key`, `false` sends the request without one. */
  readonly needsKey: boolean;
  /**
   * Scheme, host, port and path prefix, never read from the environment here. openai: includes `/v1` (for Azure with
   * `apiVersion`, it is the resource); others: the vendor's path is appended.
   */
  readonly baseUrl: string;
  /** Azure OpenAI. */
  readonly apiVersion?: string | undefined;
  /** openai: the API to use instead of the usual choice. */
  readonly api?: ProviderConfig['api'];
  /** The context window, where the user knows better than the service; Ollama: `num_ctx`. */
  readonly contextTokens?: number | undefined;
  /**
   * What the service's own list said about a model, if it was fetched: for `limits`, `capabilities` and `price` beyond
   * a catalogue.
   */
  readonly listed?: ((model: string) => ListedModel | undefined) | undefined;
}
