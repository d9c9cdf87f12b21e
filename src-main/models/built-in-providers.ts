import type { ProviderConfig } from '../settings/config-schema.ts';
import { DEFAULT_ANTHROPIC_MODEL } from './anthropic/catalogue.ts';

export type BuiltInProvider = Pick<ProviderConfig, 'type' | 'model'> & Readonly<Partial<ProviderConfig>>;

/** What `anthropic` means without an entry in config.json, which it does not need. */
export const CLAUDE = { type: 'anthropic', model: DEFAULT_ANTHROPIC_MODEL } as const satisfies BuiltInProvider;

/**
 * What these names mean without an entry in config.json, and the environment name of the key that makes them usable.
 * Their models are named here and not in the catalogues, which are loaded with their providers. Ollama is none of them:
 * one that merely runs on this computer was chosen by nobody. Source: tool catalogue E, "configured".
 */
export const BUILT_IN_PROVIDERS: ReadonlyMap<string, { readonly key: string; readonly settings: BuiltInProvider }> =
  new Map([
    ['anthropic', { key: 'ANTHROPIC_API_KEY', settings: CLAUDE }],
    ['openai', { key: 'OPENAI_API_KEY', settings: { type: 'openai', model: 'gpt-6.2-sol' } }],
    ['gemini', { key: 'GEMINI_API_KEY', settings: { type: 'gemini', model: 'gemini-3.8-flash' } }],
  ]);
