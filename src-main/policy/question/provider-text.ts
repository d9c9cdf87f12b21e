import { isOnThisComputer, sharedKeyUse, VENDORS } from '../../../src-preload/contract/provider-keys.ts';
import type { ProviderType } from '../../../src-preload/contract/providers.ts';
import type { GrantedValue, KeySent, ProviderWithKey } from '../permission-grant.ts';
import { valuePart } from './grant-subject.ts';
import { type QuestionPart, valueText } from './question-parts.ts';

const APIS: Readonly<Record<ProviderType, string>> = {
  anthropic: 'Claude (Anthropic)',
  openai: 'OpenAI',
  gemini: 'Gemini (Google)',
  ollama: 'Ollama',
};

/** The address of a model provider and which key goes there, one fact per line. */
export function providerText(value: ProviderWithKey): string {
  const { type, baseUrl, key } = value;
  if (baseUrl === undefined) return valueText(value);
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

/** Shows the address and the key. One that was entered is used from now on. */
export function providerParts(grant: GrantedValue<'provider'>): readonly QuestionPart[] {
  const { value, secrets = [] } = grant;
  const shown: ProviderWithKey = secrets.length === 0 ? value : { ...value, key: 'entered' };
  return [valuePart('Provider', { ...grant, value: shown }, providerText)];
}

function keyText(type: ProviderType, sent: KeySent): string {
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
    case 'none':
      return 'only one that is stored for this provider';
  }
}
