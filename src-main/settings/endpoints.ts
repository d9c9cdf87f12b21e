import { VENDORS } from '../../src-preload/contract/provider-keys.ts';

export const serviceNames = [
  'anthropic',
  'openai',
  'gemini',
  'ollama',
  'brave',
  'duckduckgo',
  'searxng',
  'linkedin',
  'googleAuth',
  'googleToken',
  'googleApis',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** The default base URL of each service. */
export const vendorBaseUrls: Readonly<Record<ServiceName, string>> = {
  anthropic: VENDORS.anthropic.origin,
  openai: VENDORS.openai.origin,
  gemini: VENDORS.gemini.origin,
  ollama: VENDORS.ollama.origin,
  brave: 'https://api.search.brave.com',
  duckduckgo: 'https://html.duckduckgo.com',
  // There is no reliable public instance; this is the default of a local one (docs.searxng.org, server settings).
  searxng: 'http://127.0.0.1:8888',
  linkedin: 'https://www.linkedin.com',
  googleAuth: 'https://accounts.google.com',
  googleToken: 'https://oauth2.googleapis.com',
  googleApis: 'https://www.googleapis.com',
};

/**
 * A base URL in the form that is compared, confirmed and used: scheme, host, port and path prefix, without a trailing
 * slash. Returns the reason if it is invalid.
 */
export function baseUrl(text: string): { readonly url: string } | { readonly refused: string } {
  // The URL parser drops tabs and newlines and repairs `http:/host`, so the confirmed URL would differ from the written
  // one.
  if (/[\s\p{Cc}\\]/u.test(text)) return { refused: 'holds blanks, control characters or backslashes' };
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return { refused: 'is not an http or https URL' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return { refused: 'holds a user name or password (keep secrets in the keychain)' };
  if (text.includes('?')) return { refused: 'holds a query (after "?")' };
  if (text.includes('#')) return { refused: 'holds a fragment (after "#")' };
  return { url: url.origin + url.pathname.replace(/(?<!\/)\/+$/, '') };
}

/**
 * Appends a vendor's path (with query) to a base URL, keeping the base's path prefix. The result always has the base's
 * origin, whatever the path contains.
 */
export function joinBaseUrl(base: string, vendorPath: string): string {
  const url = new URL(base);
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}/${vendorPath.replace(/^\/+/, '')}`;
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly source: 'config' | 'environment' | 'vendor';
  /** A text for people, set if the environment has an unusable URL, which is then ignored. */
  readonly problem?: string;
}

/**
 * The base URL of a service: from config.json, then the real environment (`ANTHROPIC_BASE_URL` only), then the
 * vendor's. Never from a `.env` file: nothing in a folder may redirect a key. Expects the effective config (see
 * `effectiveConfig`).
 */
export function endpointOf(
  service: ServiceName,
  config: { readonly endpoints: Readonly<Partial<Record<ServiceName, string>>> },
  environment: Readonly<Record<string, string | undefined>>,
): Endpoint {
  const vendor = { baseUrl: vendorBaseUrls[service], source: 'vendor' } as const;
  const configured = config.endpoints[service];
  if (configured !== undefined) return { baseUrl: configured, source: 'config' };
  const fromEnvironment = service === 'anthropic' ? environment.ANTHROPIC_BASE_URL?.trim() : undefined;
  if (fromEnvironment === undefined || fromEnvironment === '') return vendor;
  const checked = baseUrl(fromEnvironment);
  if ('url' in checked) return { baseUrl: checked.url, source: 'environment' };
  return {
    ...vendor,
    problem: `The environment variable ANTHROPIC_BASE_URL ${checked.refused}; it is ignored. Expected an http or https URL like ${vendor.baseUrl}.`,
  };
}
