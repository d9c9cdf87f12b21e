import { isAtVendor as isAtVendorOf, sharedKeyUse } from '../../src-preload/contract/provider-keys.ts';
import type { SecretName } from '../secrets/secret-names.ts';
import type { ProviderConfig } from '../settings/config-schema.ts';
import { vendorBaseUrls } from '../settings/endpoints.ts';

export type ConfiguredType = ProviderConfig['type'];

/** What decides where a provider's requests go. */
export type ProviderPlace = Pick<ProviderConfig, 'type'> & Partial<Pick<ProviderConfig, 'baseUrl' | 'apiVersion'>>;

/** The key of the vendor itself. Ollama has none. */
export const VENDOR_KEYS: Readonly<Partial<Record<ConfiguredType, SecretName>>> = {
  anthropic: 'anthropic-api-key',
  openai: 'openai-api-key',
  gemini: 'gemini-api-key',
};

/**
 * Returns the base URL in the form that `ProviderOptions.baseUrl` has. `endpoint` is the vendor's address, or the one
 * that config.json and the environment put in its place.
 */
export function providerAddress({ type, baseUrl }: ProviderPlace, endpoint: string = vendorBaseUrls[type]): string {
  if (baseUrl !== undefined) return baseUrl;
  return type === 'openai' ? `${endpoint}/v1` : endpoint;
}

/**
 * Whether the vendor's key may be sent to this provider when it has none of its own. It may be sent to the vendor's
 * address (as `endpoints` replaces it) and on this machine, but never to another host, whose owner could use it.
 */
export function vendorKeyServes(place: ProviderPlace): boolean {
  const use = sharedKeyUse(place.type, place.baseUrl);
  return use === 'at_vendor' || use === 'here';
}

/** Whether a request without a key can only fail: at the vendors' addresses and at Azure. */
export function needsKey(place: ProviderPlace): boolean {
  if (place.type === 'ollama') return false;
  return place.apiVersion !== undefined || isAtVendor(place) || isAtAzure(place);
}

/** Whether no base URL of its own leads the provider elsewhere than to its vendor. */
export function isAtVendor({ type, baseUrl }: ProviderPlace): boolean {
  return isAtVendorOf(type, baseUrl);
}

/** Whether the provider is a resource of Azure, which has deployments and does not list them. */
export function isAzure(place: ProviderPlace): boolean {
  return place.type === 'openai' && (place.apiVersion !== undefined || isAtAzure(place));
}

function isAtAzure({ baseUrl }: ProviderPlace): boolean {
  return baseUrl !== undefined && /\.azure\.com$/.test(new URL(baseUrl).hostname);
}
