import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '../base/json.ts';
import { ConfiguredProvider, type ProviderConfiguration } from '../models/configured-provider.ts';
import { ownPrice } from '../models/own-prices.ts';
import { ModelError, type ModelProvider } from '../models/provider.ts';
import {
  type ConfiguredType,
  type ProviderPlace,
  providerAddress,
  VENDOR_KEYS,
  vendorKeyServes,
} from '../models/provider-address.ts';
import { loadProvider, type ProviderSettings, type ResolvedModel, vendorPlace } from '../models/registry.ts';
import { providerSecretName } from '../secrets/secret-names.ts';
import type { Secret, Secrets } from '../secrets/secrets.ts';
import { endpointOf } from '../settings/endpoints.ts';
import { ownKeyGrant, providerGrant } from '../settings/permission-grants.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { CachedService, ModelCache } from './model-cache.ts';

export interface ModelServicesPorts {
  readonly settings: Pick<EffectiveSettings, 'config' | 'isConfirmed'>;
  readonly secrets: Pick<Secrets, 'get' | 'use'>;
  readonly cache: ModelCache;
  readonly env: NodeJS.ProcessEnv;
}

export interface ProviderKey extends Secret {
  /** `vendor` is the key that all providers at this vendor share. */
  readonly of: 'provider' | 'vendor';
}

/** The services behind the providers: where each is, the key it is sent, what it said about its models. */
export class ModelServices {
  readonly #ports: ModelServicesPorts;

  constructor(ports: ModelServicesPorts) {
    this.#ports = ports;
  }

  /** The base URL in effect. */
  addressOf(place: ProviderPlace): string {
    return providerAddress(place, this.#endpoint(place.type));
  }

  /** What its service said last. */
  cached(name: string, place: ProviderPlace): Promise<CachedService> {
    return this.#ports.cache.of(name, this.cachePlace(place));
  }

  /** What the cached facts of a provider hold for. */
  cachePlace(place: ProviderPlace): string {
    return `${place.type} ${this.addressOf(place)}`;
  }

  /**
   * The key that the provider's requests are sent with: its own or, where it may go to the provider's address, the
   * vendor's. Undefined if there is none.
   */
  key(name: string, place: ProviderPlace): Promise<ProviderKey | undefined> {
    return this.#key(name, place, (secret) => this.#ports.secrets.get(secret));
  }

  /** The stored key in the same way, but even if it is an own key that nobody has confirmed for this place. */
  async storedKey(name: string, place: ProviderPlace): Promise<ProviderKey | undefined> {
    const own = await this.#ports.secrets.get(providerSecretName(name));
    return own === undefined ? this.vendorKey(place) : { ...own, of: 'provider' };
  }

  /** Whether the own key of this provider may be sent there. */
  mayHaveOwnKey(name: string, place: ProviderPlace): boolean {
    return this.#ports.settings.isConfirmed(ownKeyGrant(name, place));
  }

  /** The vendor's key in the same way, for a provider that has no key of its own. */
  vendorKey(place: ProviderPlace): Promise<ProviderKey | undefined> {
    return vendorKey(place, (secret) => this.#ports.secrets.get(secret));
  }

  /**
   * The provider of this model, which can be asked as long as it stays at the same place in config.json. `apiKey` is
   * another key than the stored one, or null for none; if it is given, the provider need not be in config.json.
   */
  async provider(model: ResolvedModel, apiKey?: string | null): Promise<ModelProvider> {
    const { type, provider: name } = model;
    if (type === 'guide') return loadProvider(model, { apiKey: async () => undefined });
    const place: ProviderSettings = model.settings ?? { type };
    const { models } = await this.cached(name, place);
    const endpoint = this.#endpoint(type);
    const check = () => {
      if (apiKey === undefined) this.#checkPlace(name, place, endpoint);
    };
    const storedKey = async () => {
      const key = await this.#key(name, place, (secret) => this.#ports.secrets.use(secret));
      // A new key is stored after its place, so a key that was read before this check is not for a later place.
      check();
      return key?.value;
    };
    const provider = await loadProvider(model, {
      apiKey: async () => (apiKey === undefined ? storedKey() : (apiKey ?? undefined)),
      endpoint,
      listed: (id) => models.get(id),
    });
    return new ConfiguredProvider(provider, { ...this.#configurationOf(name, place), check });
  }

  #configurationOf(name: string, place: ProviderSettings): Omit<ProviderConfiguration, 'check'> {
    const { maxTokens, temperature, effort, contextTokens } = place;
    return {
      requests: {
        ...(maxTokens === undefined ? {} : { maxTokens }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(effort === undefined ? {} : { effort }),
      },
      contextTokens,
      priceOf: (model) => ownPrice({ provider: name, type: place.type, model }, this.#ports.settings.config.prices),
    };
  }

  /** Throws `ModelError` if requests to this provider now go elsewhere, or nowhere. */
  #checkPlace(name: string, { type, baseUrl, apiVersion }: ProviderPlace, endpoint: string): void {
    const { config, isConfirmed } = this.#inEffect(name);
    const isSame =
      config !== undefined &&
      isDeepStrictEqual([config.type, config.baseUrl, config.apiVersion], [type, baseUrl, apiVersion]) &&
      this.#endpoint(type) === endpoint;
    if (isSame && isConfirmed) return;
    throw new ModelError(
      'no_permission',
      `The model provider “${name}” was changed or removed in the settings meanwhile.`,
    );
  }

  #inEffect(name: string): { readonly config: ProviderPlace | undefined; readonly isConfirmed: boolean } {
    const { settings } = this.#ports;
    const config = ownValue(settings.config.providers, name) ?? vendorPlace(name);
    // Another process may have confirmed another address since.
    const grant = config && providerGrant(name, config);
    return { config, isConfirmed: grant === undefined || settings.isConfirmed(grant) };
  }

  #endpoint(type: ConfiguredType): string {
    return endpointOf(type, this.#ports.settings.config, this.#ports.env).baseUrl;
  }

  async #key(name: string, place: ProviderPlace, read: Secrets['get']): Promise<ProviderKey | undefined> {
    const own = this.mayHaveOwnKey(name, place) ? await read(providerSecretName(name)) : undefined;
    return own === undefined ? vendorKey(place, read) : { ...own, of: 'provider' };
  }
}

async function vendorKey(place: ProviderPlace, read: Secrets['get']): Promise<ProviderKey | undefined> {
  const name = vendorKeyServes(place) ? VENDOR_KEYS[place.type] : undefined;
  const shared = name === undefined ? undefined : await read(name);
  return shared === undefined ? undefined : { ...shared, of: 'vendor' };
}
