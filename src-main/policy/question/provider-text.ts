import {
  isOnThisComputer,
  type SharedKeyUse,
  sharedKeyUse,
  VENDORS,
} from '../../../src-preload/contract/provider-keys.ts';
import { ProviderType } from '../../../src-preload/contract/providers.ts';
import { isRecord } from '../../base/json.ts';
import { valueText } from './question-parts.ts';

/**
 * Which key a provider's requests are sent with, if that is settled: one key, or its own and else what `SharedKeyUse`
 * says of the vendor's. Otherwise it follows from the address.
 */
export type KeySent = 'entered' | 'own' | 'vendor' | 'none_sent' | SharedKeyUse;

const APIS: Readonly<Record<ProviderType, string>> = {
  anthropic: 'Claude (Anthropic)',
  openai: 'OpenAI',
  gemini: 'Gemini (Google)',
  ollama: 'Ollama',
};

/** Where a model provider is, and which key goes there. One fact per line. */
export function providerText(value: unknown): string {
  const type = isRecord(value) ? ProviderType.safeParse(value.type).data : undefined;
  if (!isRecord(value) || type === undefined || typeof value.baseUrl !== 'string') return valueText(value);
  const { baseUrl, key } = value;
  const url = new URL(baseUrl);
  const isHere = isOnThisComputer(url);
  return [
    `Address: ${baseUrl}`,
    `API: ${APIS[type]}`,
    `Key: ${keyText(type, key ?? sharedKeyUse(type, baseUrl))}`,
    ...(isHere ? ['This is a program on this computer.'] : []),
    ...(url.protocol === 'http:' && !isHere
      ? ['Not encrypted: others on the network can read the key and your conversations.']
      : []),
  ].join('\n');
}

function keyText(type: ProviderType, sent: unknown): string {
  const vendors = `your ${VENDORS[type].key}`;
  switch (sent) {
    case 'entered':
      return 'the one that was entered';
    case 'own':
      return 'the one that is stored for this provider';
    case 'vendor':
      return vendors;
    case 'none_sent':
      return 'none is sent';
    case 'at_vendor':
    case 'here':
      return `one that is stored for this provider, or else ${vendors}`;
    case 'never':
      return `only one that is stored for this provider; ${vendors} is never sent there`;
    default:
      return 'only one that is stored for this provider';
  }
}
