import { anthropicModelId, DEFAULT_ANTHROPIC_MODEL } from './anthropic/catalogue.ts';
import type { ModelProvider } from './provider.ts';

export type ProviderType = 'anthropic' | 'openai' | 'gemini' | 'ollama' | 'guide';

/** One entry of `providers` in config.json. */
export interface ProviderSettings {
  readonly type: Exclude<ProviderType, 'guide'>;
  readonly model?: string;
  readonly baseUrl?: string;
}

export interface ModelChoices {
  /** `providers` of config.json: name → settings. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
  /** `model` of config.json, in the same form as `--model`. */
  readonly defaultModel?: string;
  readonly hasAnthropicKey: boolean;
}

export interface ResolvedModel {
  readonly provider: string;
  readonly type: ProviderType;
  /** The id that the provider expects. */
  readonly model: string;
  /** Set in `providers`; the caller adds an endpoint of config.json or ANTHROPIC_BASE_URL. */
  readonly baseUrl?: string;
}

/** The model can't be used. The message says which can. */
export class ModelChoiceError extends Error {
  override readonly name = 'ModelChoiceError';
  readonly code = 'model_choice';
}

const BUILT: ReadonlySet<ProviderType> = new Set(['anthropic', 'guide']);

/**
 * The model that a `--model` value means: `provider:model`, a bare id (Anthropic's) or `guide`. Without one: config's `model`, else Claude
 * if a key is set, else the Guide. Throws `ModelChoiceError`.
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
  const colon = wish.indexOf(':');
  if (colon !== -1) return ofProvider(wish.slice(0, colon).trim(), wish.slice(colon + 1).trim(), choices);
  return wish.toLowerCase() === 'guide' ? ofProvider('guide', '', choices) : ofProvider('anthropic', wish, choices);
}

function ofProvider(wanted: string, model: string, { providers = {} }: ModelChoices): ResolvedModel {
  if (wanted.toLowerCase() === 'guide') return { provider: 'guide', type: 'guide', model: 'guide' };
  const names = Object.keys(providers);
  const name = names.find((n) => n === wanted) ?? names.find((n) => n.toLowerCase() === wanted.toLowerCase());
  const settings = name === undefined ? undefined : providers[name];
  if (settings === undefined && wanted.toLowerCase() !== 'anthropic') {
    const known = [...new Set(['anthropic', 'guide', ...names])].join(', ');
    throw new ModelChoiceError(
      `Unknown provider: "${wanted}". Known providers: ${known}. Add others under providers in config.json.`,
    );
  }
  const type = settings?.type ?? 'anthropic';
  if (!BUILT.has(type)) {
    throw new ModelChoiceError(
      `The provider "${wanted}" is of type ${type}, which this version of Steward cannot use yet. Use anthropic or guide.`,
    );
  }
  return {
    provider: name ?? 'anthropic',
    type,
    model: anthropicModelId(model || settings?.model || DEFAULT_ANTHROPIC_MODEL),
    ...(settings?.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
  };
}

export interface ProviderAccess {
  readonly apiKey: () => Promise<string | undefined>;
  /** Takes precedence over the provider's own. */
  readonly baseUrl?: string;
}

/** Loads only what the chosen provider needs; with the Guide, no other provider. */
export async function loadProvider(resolved: ResolvedModel, access: ProviderAccess): Promise<ModelProvider> {
  switch (resolved.type) {
    case 'guide': {
      const { GuideProvider } = await import('./guide/guide-provider.ts');
      return new GuideProvider();
    }
    case 'anthropic': {
      const { AnthropicProvider } = await import('./anthropic/anthropic-provider.ts');
      const baseUrl = access.baseUrl ?? resolved.baseUrl;
      return new AnthropicProvider({ name: resolved.provider, apiKey: access.apiKey, baseUrl });
    }
    default:
      throw new ModelChoiceError(`Providers of type ${resolved.type} cannot be used yet. Use anthropic or guide.`);
  }
}
