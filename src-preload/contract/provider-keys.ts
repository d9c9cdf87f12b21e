import type { ProviderType } from './providers.ts';

/** A vendor's own service. */
interface Vendor {
  /** The scheme, host and port of the vendor. */
  readonly origin: string;
  /** What people call the key that all providers at this vendor share. Null if it has none. */
  readonly key: string | null;
}

export const VENDORS: Readonly<Record<ProviderType, Vendor>> = {
  anthropic: { origin: 'https://api.anthropic.com', key: 'Anthropic key' },
  openai: { origin: 'https://api.openai.com', key: 'OpenAI key' },
  gemini: { origin: 'https://generativelanguage.googleapis.com', key: 'Google Gemini key' },
  ollama: { origin: 'http://127.0.0.1:11434', key: null },
};

/**
 * Whether a provider without a key of its own is sent its vendor's. It is at the vendor and on this computer, but never
 * at another host, whose owner could use the key. `none` means that the vendor has no key. `baseUrl` is a valid address
 * of the provider's own; undefined means that it is at its vendor, or where `endpoints` says that this is.
 */
export type SharedKeyUse = 'at_vendor' | 'here' | 'never' | 'none';

export function sharedKeyUse(type: ProviderType, baseUrl: string | undefined): SharedKeyUse {
  if (VENDORS[type].key === null) return 'none';
  if (isAtVendor(type, baseUrl)) return 'at_vendor';
  return isOnThisComputer(new URL(baseUrl ?? VENDORS[type].origin)) ? 'here' : 'never';
}

/** Whether no base URL other than the vendor's takes its place. */
export function isAtVendor(type: ProviderType, baseUrl: string | undefined): boolean {
  return baseUrl === undefined || new URL(baseUrl).origin === VENDORS[type].origin;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])\.*$/;

/** Judges the host by its name alone, as the URL parser writes it. */
export function isOnThisComputer({ hostname }: Pick<URL, 'hostname'>): boolean {
  return LOOPBACK.test(hostname);
}
