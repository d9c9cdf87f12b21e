import { ownValue } from '../base/json.ts';
import type { ProviderConfig } from '../settings/config-schema.ts';
import { anthropicModelId, DEFAULT_ANTHROPIC_MODEL, knownAnthropicModel } from './anthropic/catalogue.ts';
import { BUILT_IN_PROVIDERS, CLAUDE } from './built-in-providers.ts';
import type { ListedModel, ModelProvider } from './provider.ts';
import { type ConfiguredType, needsKey, providerAddress } from './provider-address.ts';
import type { ProviderOptions } from './provider-options.ts';

export type ProviderType = ConfiguredType | 'guide';

/** An entry of `providers` in config.json. */
export type ProviderSettings = Pick<ProviderConfig, 'type'> & Readonly<Partial<ProviderConfig>>;

/** Returns the providers that can be used: Claude first, unless `configured` has an entry of that name. */
export function withClaude(
  configured: Readonly<Record<string, ProviderConfig>>,
): Readonly<Record<string, ProviderConfig>> {
  return Object.hasOwn(configured, 'anthropic') ? configured : { anthropic: CLAUDE, ...configured };
}

export interface ModelChoices {
  /** The entries of `providers` in config.json, by name. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
  /** Names in config.json whose address the user has not confirmed yet. They are not in `providers`. */
  readonly unconfirmed?: readonly string[];
  /** `model` of config.json, in the same form as `--model`. */
  readonly defaultModel?: string;
  readonly hasAnthropicKey: boolean;
}

export interface ResolvedModel {
  readonly provider: string;
  readonly type: ProviderType;
  /** The id that the provider expects. */
  readonly model: string;
  /** The provider's entry in `providers`, if it has one. */
  readonly settings?: ProviderSettings;
}

/** The model can't be used. The message says which can. */
export class ModelChoiceError extends Error {
  override readonly name = 'ModelChoiceError';
  readonly code = 'model_choice';
}

/** A provider of config.json whose address the user has not confirmed yet. */
export class UnconfirmedProviderError extends ModelChoiceError {
  constructor(provider: string) {
    super(`The provider ${provider} of config.json can be used once you have confirmed its address in Settings.`);
  }
}

/** Types with one vendor, each usable by that name without an entry in config.json. */
const VENDORS: Readonly<Record<string, ConfiguredType>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  gemini: 'gemini',
  ollama: 'ollama',
};

/**
 * Returns the model that a `--model` value means: `provider:model`, a provider's name, a bare id (Anthropic's) or
 * `guide`. If the option is missing, config.json's `model` counts, else Claude if a key is set, else the Guide. Throws
 * `ModelChoiceError`.
 */
export function resolveModel(spec: string | undefined, choices: ModelChoices): ResolvedModel {
  const { defaultModel, hasAnthropicKey } = choices;
  if (spec !== undefined) return named(spec, '--model', choices);
  if (defaultModel !== undefined && defaultModel.trim() !== '') {
    return named(defaultModel, 'config.json, model', choices);
  }
  return hasAnthropicKey ? ofProvider('anthropic', '', choices) : ofProvider('guide', '', choices);
}

function named(spec: string, where: string, choices: ModelChoices): ResolvedModel {
  const wish = spec.trim();
  if (wish === '') {
    throw new ModelChoiceError(`No model is named (${where}). Name one: an id, provider:model, or guide.`);
  }
  if (isProviderAlone(wish, choices)) return ofProvider(wish, '', choices);
  const colon = colonBehindProvider(wish, choices);
  if (colon !== -1) return ofProvider(wish.slice(0, colon).trim(), wish.slice(colon + 1).trim(), choices);
  return wish.toLowerCase() === 'guide' ? ofProvider('guide', '', choices) : ofProvider('anthropic', wish, choices);
}

/**
 * Whether the value is the name of a provider without a model. Otherwise the message of a user who forgets the model
 * would go to Anthropic, whatever provider was meant. A Claude id stays one whatever is configured.
 */
function isProviderAlone(wish: string, { providers = {}, unconfirmed = [] }: ModelChoices): boolean {
  if (/^claude-/i.test(wish) || knownAnthropicModel(wish) !== undefined) return false;
  const isConfigured = providerNamed(wish, [...Object.keys(providers), ...unconfirmed]) !== undefined;
  return isConfigured || vendorPlace(wish.toLowerCase()) !== undefined;
}

/**
 * Returns the place of the colon behind a provider's name, or -1 if none is named. A name in config.json may contain
 * colons itself; the longest one that fits is meant.
 */
function colonBehindProvider(wish: string, { providers = {}, unconfirmed = [] }: ModelChoices): number {
  const lengths = [...Object.keys(providers), ...unconfirmed]
    .filter((name) => name.includes(':') && wish.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    .map(({ length }) => length);
  return lengths.length === 0 ? wish.indexOf(':') : Math.max(...lengths);
}

/**
 * Returns the model of a provider, which is named as in config.json or is a built-in one. Throws `ModelChoiceError`.
 */
export function resolveProvider(name: string, choices: Pick<ModelChoices, 'providers' | 'unconfirmed'>): ResolvedModel {
  const builtIn = BUILT_IN_PROVIDERS.get(name)?.settings.model ?? '';
  const isConfigured = providerNamed(name, Object.keys(choices.providers ?? {})) !== undefined;
  return ofProvider(name, isConfigured ? '' : builtIn, { ...choices, hasAnthropicKey: false });
}

function ofProvider(wanted: string, model: string, { providers = {}, unconfirmed = [] }: ModelChoices): ResolvedModel {
  if (wanted.toLowerCase() === 'guide') return { provider: 'guide', type: 'guide', model: 'guide' };
  const name = providerNamed(wanted, Object.keys(providers));
  const settings = name === undefined ? undefined : ownValue(providers, name);
  const waiting = name === undefined ? providerNamed(wanted, unconfirmed) : undefined;
  // The vendor of that name does not take its place either: the user meant another address.
  if (waiting !== undefined) throw new UnconfirmedProviderError(waiting);
  const provider = name ?? wanted.toLowerCase();
  const type = settings?.type ?? vendorPlace(provider)?.type;
  if (type === undefined) {
    const known = [...new Set(['anthropic', 'guide', ...Object.keys(providers)])].join(', ');
    throw new ModelChoiceError(
      `Unknown provider: "${wanted}". Known providers: ${known}. Add others in Settings, or under providers in config.json.`,
    );
  }
  const id = model || settings?.model || (type === 'anthropic' ? DEFAULT_ANTHROPIC_MODEL : '');
  if (id === '') throw new ModelChoiceError(`No model of ${provider} is named. Name one: ${provider}:MODEL.`);
  return {
    provider,
    type,
    model: type === 'anthropic' ? anthropicModelId(id) : id,
    ...(settings === undefined ? {} : { settings }),
  };
}

/** Returns where a provider without an entry in config.json is, as far as its name says. */
export function vendorPlace(name: string): { readonly type: ConfiguredType } | undefined {
  const type = Object.hasOwn(VENDORS, name) ? VENDORS[name] : undefined;
  return type && { type };
}

/** Returns the configured name that is meant: exactly this one, else one that differs only in letter case. */
export function providerNamed(wanted: string, names: readonly string[]): string | undefined {
  return names.find((name) => name === wanted) ?? names.find((name) => name.toLowerCase() === wanted.toLowerCase());
}

export interface ProviderAccess {
  /** The key that may be sent to this provider: its own, or its vendor's as far as `vendorKeyServes` allows. */
  readonly apiKey: () => Promise<string | undefined>;
  /** The address that config.json or the environment puts in place of the vendor's; by default the vendor's. */
  readonly endpoint?: string;
  readonly listed?: (model: string) => ListedModel | undefined;
}

/** Loads only what the chosen provider needs. If it is the Guide, no other provider is loaded. */
export async function loadProvider(resolved: ResolvedModel, access: ProviderAccess): Promise<ModelProvider> {
  if (resolved.type === 'guide') {
    const { GuideProvider } = await import('./guide/guide-provider.ts');
    return new GuideProvider();
  }
  const options = optionsOf(resolved, resolved.type, access);
  switch (resolved.type) {
    case 'anthropic': {
      const { AnthropicProvider } = await import('./anthropic/anthropic-provider.ts');
      return new AnthropicProvider(options);
    }
    case 'openai': {
      const { OpenAiProvider } = await import('./openai/openai-provider.ts');
      return new OpenAiProvider(options);
    }
    case 'gemini': {
      const { GeminiProvider } = await import('./gemini/gemini-provider.ts');
      return new GeminiProvider(options);
    }
    case 'ollama': {
      const { OllamaProvider } = await import('./ollama/ollama-provider.ts');
      return new OllamaProvider(options);
    }
  }
}

function optionsOf(
  { provider, settings }: ResolvedModel,
  type: ConfiguredType,
  { apiKey, endpoint, listed }: ProviderAccess,
): ProviderOptions {
  const place: ProviderSettings = settings ?? { type };
  const { apiVersion, api, contextTokens } = place;
  return {
    name: provider,
    apiKey,
    listed,
    apiVersion,
    api,
    contextTokens,
    needsKey: needsKey(place),
    baseUrl: providerAddress(place, endpoint),
  };
}
