import { sharedKeyUse, VENDORS } from '../../../src-preload/contract/provider-keys.ts';
import type {
  AnsweringModel,
  ProviderPageName,
  ProviderRow,
  ProviderTemplate,
  ProviderType,
  ShownProviderKey,
} from '../../../src-preload/contract/providers.ts';

export interface TemplateText {
  readonly label: string;
  /** The address of the service, or what it is for. */
  readonly note: string;
  readonly type: ProviderType;
  /** The suggested name. */
  readonly name: string;
  /** Empty for the vendor's own address. */
  readonly baseUrl: string;
  /** Shown where the address is still to be entered. */
  readonly exampleUrl?: string;
  readonly model: string;
  /** The empty field shows it as an example. */
  readonly exampleModel: string;
  readonly needsKey: boolean;
  /** The page where its key is made or its program downloaded, and the button that opens it. */
  readonly page?: { readonly name: ProviderPageName; readonly label: string };
  /** What to know before it works. */
  readonly hint?: string;
}

export const TEMPLATES: Readonly<Record<ProviderTemplate, TemplateText>> = {
  anthropic: {
    label: 'Anthropic',
    note: 'Claude, with a key of its own',
    type: 'anthropic',
    name: 'claude',
    baseUrl: '',
    model: 'claude-sonnet-5-5',
    exampleModel: 'claude-sonnet-5-5',
    needsKey: true,
    page: { name: 'anthropic', label: 'Get a key' },
  },
  openai: {
    label: 'OpenAI',
    note: 'GPT models',
    type: 'openai',
    name: 'openai',
    baseUrl: '',
    model: '',
    exampleModel: 'gpt-5',
    needsKey: true,
    page: { name: 'openai', label: 'Get a key' },
  },
  azure: {
    label: 'Azure OpenAI',
    note: 'Your own deployment',
    type: 'openai',
    name: 'azure',
    baseUrl: '',
    exampleUrl: 'https://my-resource.openai.azure.com',
    model: '',
    exampleModel: 'my-deployment',
    needsKey: true,
    page: { name: 'azure', label: 'Open Azure' },
    hint: 'The model is the name of your deployment. Address, key and API version are on the deployment’s page in Azure.',
  },
  groq: {
    label: 'Groq',
    note: 'Open models, very fast',
    type: 'openai',
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    model: '',
    exampleModel: 'llama-3.3-70b-versatile',
    needsKey: true,
    page: { name: 'groq', label: 'Get a key' },
  },
  'github-models': {
    label: 'GitHub Models',
    note: 'Models that GitHub hosts',
    type: 'openai',
    name: 'github-models',
    baseUrl: 'https://models.github.ai/inference',
    model: '',
    exampleModel: 'openai/gpt-4.1',
    needsKey: true,
    page: { name: 'github-models', label: 'Make a token' },
    hint: 'The key is a personal access token with the permission “Models: read”.',
  },
  'lm-studio': {
    label: 'LM Studio',
    note: 'Models on this computer',
    type: 'openai',
    name: 'lm-studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    model: '',
    exampleModel: 'qwen3-8b',
    needsKey: false,
    page: { name: 'lm-studio', label: 'Get LM Studio' },
    hint: 'Start the server in LM Studio first (Developer, Start server), with a context of at least 16,000 tokens.',
  },
  gemini: {
    label: 'Google Gemini',
    note: 'Gemini models',
    type: 'gemini',
    name: 'gemini',
    baseUrl: '',
    model: '',
    exampleModel: 'gemini-2.5-flash',
    needsKey: true,
    page: { name: 'gemini', label: 'Get a key' },
  },
  ollama: {
    label: 'Ollama',
    note: 'Models on this computer',
    type: 'ollama',
    name: 'ollama',
    baseUrl: '',
    model: '',
    exampleModel: 'qwen3',
    needsKey: false,
    page: { name: 'ollama', label: 'Get Ollama' },
    hint: 'Download a model first, for example with: ollama pull qwen3',
  },
  other: {
    label: 'Other service',
    note: 'Anything that speaks one of these APIs',
    type: 'openai',
    name: 'other',
    baseUrl: '',
    exampleUrl: 'https://api.example.com/v1',
    model: '',
    exampleModel: 'model-id',
    needsKey: false,
  },
};

/** The templates in the order in which they are offered. */
export const TEMPLATE_IDS = Object.keys(TEMPLATES) as readonly ProviderTemplate[];

/** What a service can speak, in the form. */
export const TYPES = [
  { id: 'openai', label: 'OpenAI' },
  { id: 'anthropic', label: 'Anthropic' },
  { id: 'gemini', label: 'Gemini' },
  { id: 'ollama', label: 'Ollama' },
] as const satisfies readonly { id: ProviderType; label: string }[];

/** What becomes of a temperature, or null if it is sent. Newer thinking models take none. */
export function temperatureText(type: ProviderType): string | null {
  if (type === 'anthropic') return 'Not sent: Claude’s API has no temperature.';
  return type === 'ollama' ? null : 'Not sent to models that don’t take one.';
}

/** What is sent to when no address is entered. */
export function vendorAddress(type: ProviderType): string {
  return type === 'openai' ? `${VENDORS.openai.origin}/v1` : VENDORS[type].origin;
}

/**
 * The key that is used if the field is left empty. With `needsAddress`, an empty address is not the vendor's, and says
 * nothing yet.
 */
export function emptyKeyText(type: ProviderType, baseUrl: string, { needsAddress = false } = {}): string {
  const address = baseUrl.trim();
  if (needsAddress && address === '') return '';
  const { key } = VENDORS[type];
  // Until the text is an address, nothing is sent anywhere.
  const use = address === '' || URL.canParse(address) ? sharedKeyUse(type, address || undefined) : 'never';
  switch (key === null ? 'none' : use) {
    case 'none':
      return 'Ollama needs no key. Enter one only if a proxy in front of it asks for it.';
    case 'at_vendor':
      return `If you leave it empty, your ${key} from Keys is used.`;
    case 'here':
      return `Most programs on this computer need none. If you leave it empty, your ${key} is sent if there is one.`;
    case 'never':
      return `Only this key is sent there; your ${key} never is.`;
  }
}

/** Says which key its requests are sent with. */
export function keyText(key: ShownProviderKey, type: ProviderType | null): string | null {
  if (key.of === 'nobody') return key.isNeeded ? null : 'Without a key';
  const shared = type === null ? null : VENDORS[type].key;
  if (key.of === 'vendor') return `Your ${shared ?? 'key'}${key.keptIn === 'environment' ? ' (environment)' : ''}`;
  return key.keptIn === 'memory' ? 'Own key, until Steward quits' : 'Own key';
}

export function stateText({ state, test }: ProviderRow): {
  readonly tone: 'good' | 'waiting' | 'wrong' | 'quiet';
  readonly text: string;
} {
  switch (state.name) {
    case 'no-key':
      return { tone: 'waiting', text: 'Needs a key' };
    case 'unconfirmed':
      return { tone: 'waiting', text: 'Not confirmed' };
    case 'invalid':
      return { tone: 'wrong', text: 'Error in config.json' };
    case 'ready':
      if (test === null) return { tone: 'quiet', text: 'Not tested' };
      return test.works ? { tone: 'good', text: 'Works' } : { tone: 'wrong', text: 'Last test failed' };
  }
}

/** What is said before it is removed, one paragraph each. */
export function removalText({ isActive, successor, key }: ProviderRow): readonly string[] {
  const isOwnKey = key.of === 'provider';
  const keyGone =
    key.of !== 'provider' ? '' : `, and its key from ${key.keptIn === 'memory' ? 'memory' : 'the keychain'}`;
  const gone = `It’s removed from config.json${keyGone}. Conversations are kept.`;
  return [...(isActive ? [successorText(successor)] : []), isOwnKey ? `${gone} This can’t be undone.` : gone];
}

function successorText(successor: AnsweringModel | null): string {
  const now = 'It answers your messages now.';
  if (successor === null) return `${now} Once it is removed, no model answers until you choose one.`;
  const { label, sentTo } = successor;
  if (sentTo === null)
    return `${now} Once it is removed, the ${label} answers, which is offline and not an AI, until you choose another model.`;
  return `${now} Once it is removed, ${label} answers: every conversation you continue is then sent to ${sentTo}.`;
}
