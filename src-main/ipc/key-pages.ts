import type { SecretName } from '../../src-preload/contract/settings.ts';

/** Where each key is made. */
export const KEY_PAGES: Readonly<Record<SecretName, string>> = {
  'anthropic-api-key': 'https://platform.claude.com/settings/keys',
  'anthropic-admin-api-key': 'https://platform.claude.com/settings/admin-keys',
  'openai-api-key': 'https://platform.openai.com/api-keys',
  'gemini-api-key': 'https://aistudio.google.com/apikey',
  'brave-api-key': 'https://api-dashboard.search.brave.com/app/keys',
  'google-client-id': 'https://console.cloud.google.com/apis/credentials',
  'google-client-secret': 'https://console.cloud.google.com/apis/credentials',
};
