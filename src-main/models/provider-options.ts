import type { ProviderConfig } from '../settings/config-schema.ts';
import type { ListedModel } from './provider.ts';

/** What every provider of config.json is made from. Classes add what only their tests replace (`fetch`, `sleep`, …). */
export interface ProviderOptions {
  /** The name in the configuration. */
  readonly name: string;
  /**
   * Called before each request, so that a key added meanwhile is used. Resolves with `undefined` if none is set for
   * this provider.
   */
  readonly apiKey: () => Promise<string | undefined>;
  /** What a request without a key does: with `true` it fails with `no_key`, with `false` it is sent. */
  readonly needsKey: boolean;
  /**
   * The scheme, host, port and path prefix, which are never read from the environment here. For `openai` it includes
   * `/v1` (for Azure with `apiVersion`, it is the resource). For other types the vendor's path is appended.
   */
  readonly baseUrl: string;
  /** The version of the API, which only Azure OpenAI has. */
  readonly apiVersion?: string | undefined;
  /** The API of OpenAI's format to use instead of the usual choice. */
  readonly api?: ProviderConfig['api'];
  /** The context window, where the user knows better than the service. For Ollama it is `num_ctx`. */
  readonly contextTokens?: number | undefined;
  /**
   * Returns what the service's own list said about a model, if it was fetched. `limits`, `capabilities` and `price` use
   * it for what a catalogue does not know.
   */
  readonly listed?: ((model: string) => ListedModel | undefined) | undefined;
}
