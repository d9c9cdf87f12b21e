import { isLoopback } from '../../accounts/secure-address.ts';
import { isRecord } from '../../base/json.ts';
import { valueText } from './question-parts.ts';

/** Whose key a provider's requests are sent with, if that is settled; otherwise it follows from the address. */
export type KeySent = 'entered' | 'own' | 'vendor' | 'none';

const APIS: Readonly<Record<string, string>> = {
  anthropic: 'Claude (Anthropic)',
  openai: 'OpenAI',
  gemini: 'Gemini (Google)',
  ollama: 'Ollama',
};
const VENDORS: Readonly<Record<string, { readonly key: string; readonly host: string }>> = {
  anthropic: { key: 'your Anthropic key', host: 'api.anthropic.com' },
  openai: { key: 'your OpenAI key', host: 'api.openai.com' },
  gemini: { key: 'your Google Gemini key', host: 'generativelanguage.googleapis.com' },
};

/** Where a model provider is, and which key goes there. One fact per line. */
export function providerText(value: unknown): string {
  if (!isRecord(value) || typeof value.type !== 'string' || typeof value.baseUrl !== 'string') return valueText(value);
  const { type, baseUrl, key } = value;
  const url = new URL(baseUrl);
  const isHere = isLoopback(url);
  return [
    `Address: ${baseUrl}`,
    `API: ${APIS[type] ?? type}`,
    `Key: ${keyText(type, url, isHere, key)}`,
    ...(isHere ? ['This is a program on this computer.'] : []),
    ...(url.protocol === 'http:' && !isHere
      ? ['Not encrypted: others on the network can read the key and your conversations.']
      : []),
  ].join('\n');
}

function keyText(type: string, url: URL, isHere: boolean, sent: unknown): string {
  const vendor = VENDORS[type];
  switch (sent) {
    case 'entered':
      return 'the one that was entered';
    case 'own':
      return 'the one that is stored for this provider';
    case 'vendor':
      return vendor?.key ?? 'none';
    case 'none':
      return 'none is sent';
  }
  if (vendor === undefined) return 'only one that is stored for this provider';
  const isVendors = url.protocol === 'https:' && url.host === vendor.host;
  return isVendors || isHere
    ? `one that is stored for this provider, or else ${vendor.key}`
    : `only one that is stored for this provider; ${vendor.key} is never sent there`;
}
