import type { ProviderPageName } from '../../src-preload/contract/providers.ts';
import type { SecretName, VendorPage } from '../../src-preload/contract/settings.ts';
import { API_PAGES } from '../accounts/google/google-problem.ts';

/** The page on which each key is created. */
export const KEY_PAGES: Readonly<Record<SecretName, string>> = {
  'anthropic-api-key': 'https://platform.claude.com/settings/keys',
  'anthropic-admin-api-key': 'https://platform.claude.com/settings/admin-keys',
  'openai-api-key': 'https://platform.openai.com/api-keys',
  'gemini-api-key': 'https://aistudio.google.com/apikey',
  'brave-api-key': 'https://api-dashboard.search.brave.com/app/keys',
  'google-client-id': 'https://console.cloud.google.com/auth/clients',
  'google-client-secret': 'https://console.cloud.google.com/auth/clients',
};

export const VENDOR_PAGES: Readonly<Record<VendorPage, string>> = {
  'anthropic-billing': 'https://platform.claude.com/settings/billing',
  'anthropic-status': 'https://status.claude.com',
  'openai-billing': 'https://platform.openai.com/settings/organization/billing/overview',
  'openai-status': 'https://status.openai.com',
};

/** The page on which a provider's key is made, or its program is downloaded. */
export const PROVIDER_PAGES: Readonly<Record<ProviderPageName, string>> = {
  anthropic: KEY_PAGES['anthropic-api-key'],
  openai: KEY_PAGES['openai-api-key'],
  azure: 'https://ai.azure.com/',
  groq: 'https://console.groq.com/keys',
  'github-models': 'https://github.com/settings/personal-access-tokens/new',
  'lm-studio': 'https://lmstudio.ai/download',
  gemini: KEY_PAGES['gemini-api-key'],
  ollama: 'https://ollama.com/download',
};

/** The pages on which a Google client is made and a sign-in ended, as docs/GOOGLE.md says. */
const GOOGLE_PAGES = [
  'https://console.cloud.google.com/projectcreate',
  ...Object.values(API_PAGES),
  'https://console.cloud.google.com/auth/overview',
  'https://console.cloud.google.com/auth/audience',
  'https://console.cloud.google.com/auth/scopes',
  'https://console.cloud.google.com/auth/clients',
  'https://myaccount.google.com/connections',
];

const OWN_ADDRESSES: ReadonlySet<string> = new Set(
  [...Object.values(KEY_PAGES), ...Object.values(VENDOR_PAGES), ...Object.values(PROVIDER_PAGES), ...GOOGLE_PAGES].map(
    (address) => new URL(address).href,
  ),
);
/**
 * The page of a mail, from a card. Only the user's own mailbox receives the id, so there is no one to leak anything to.
 */
const MAIL_PAGE = /^https:\/\/mail\.google\.com\/mail\/#all\/([0-9a-f]{8,32})$/;

/**
 * Whether Steward itself shows this address, for example in an error. Such an address can't leak anything, whichever
 * page requests it. `url` is as `URL` writes it.
 */
export function isOwnAddress(url: string): boolean {
  return OWN_ADDRESSES.has(url) || MAIL_PAGE.test(url);
}

/**
 * The page of a mail in the mailbox with this address, because a browser may be signed in to several. Any other page is
 * returned as given, and so is every page if there is no address.
 */
export function inMailbox(url: string, address: string | undefined): string {
  const [, id] = MAIL_PAGE.exec(url) ?? [];
  if (id === undefined || address === undefined) return url;
  return `https://mail.google.com/mail/u/?authuser=${encodeURIComponent(address)}#all/${id}`;
}
