import type { SecretName, VendorPage } from '../../src-preload/contract/settings.ts';

/** Where to create each key. */
export const KEY_PAGES: Readonly<Record<SecretName, string>> = {
  'anthropic-api-key': 'https://platform.claude.com/settings/keys',
  'anthropic-admin-api-key': 'https://platform.claude.com/settings/admin-keys',
  'openai-api-key': 'https://platform.openai.com/api-keys',
  'gemini-api-key': 'https://aistudio.google.com/apikey',
  'brave-api-key': 'https://api-dashboard.search.brave.com/app/keys',
  'google-client-id': 'https://console.cloud.google.com/apis/credentials',
  'google-client-secret': 'https://console.cloud.google.com/apis/credentials',
};

export const VENDOR_PAGES: Readonly<Record<VendorPage, string>> = {
  'anthropic-billing': 'https://platform.claude.com/settings/billing',
  'anthropic-status': 'https://status.claude.com',
};

const OWN_ADDRESSES: ReadonlySet<string> = new Set(
  [...Object.values(KEY_PAGES), ...Object.values(VENDOR_PAGES)].map((address) => new URL(address).href),
);

/** Whether Steward itself shows this address, for example in an error: it can't leak anything, whichever page requests it. `url`: as `URL` writes it. */
export function isOwnAddress(url: string): boolean {
  return OWN_ADDRESSES.has(url);
}
