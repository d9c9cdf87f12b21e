import type {
  ProviderForm,
  ProviderList,
  ProviderRow,
  ProviderTemplate,
  ShownProviderKey,
  ShownProviderState,
} from '../../../src-preload/contract/providers.ts';
import { ProviderType } from '../../../src-preload/contract/providers.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import { anthropicModelId } from '../../models/anthropic/catalogue.ts';
import { CLAUDE } from '../../models/built-in-providers.ts';
import { needsKey } from '../../models/provider-address.ts';
import type { ModelsPart, SettingsPart } from '../../services.ts';
import type { ProviderConfig } from '../../settings/config-schema.ts';
import { isKeyIn, keyText } from '../../settings/problems.ts';
import { atOnce } from '../at-once.ts';
import { successorOf, usable } from './model-choices.ts';

/** The providers of config.json and Claude, as Settings shows them. */
export async function providerList(services: SettingsPart & ModelsPart): Promise<ProviderList> {
  const { providersAsWritten, current } = services.settings;
  const active = (await atOnce(usable(services.chooseModel(undefined)), undefined))?.provider;
  const configured = Object.keys(providersAsWritten).map((name) => {
    const provider = ownValue(current.providers, name);
    return provider === undefined
      ? invalidRow(name, ownValue(providersAsWritten, name), services)
      : validRow(name, provider, active, services);
  });
  const claude = Object.hasOwn(providersAsWritten, 'anthropic')
    ? []
    : [validRow('anthropic', CLAUDE, active, services)];
  return { rows: await Promise.all([...claude, ...configured]) };
}

/** A provider as it is written in config.json, without what has no effect there. */
export function providerForm(name: string, { settings }: SettingsPart): ProviderForm | undefined {
  const provider: Partial<ProviderConfig> | undefined =
    ownValue(settings.current.providers, name) ?? (name === 'anthropic' ? CLAUDE : undefined);
  const written = ownValue(settings.providersAsWritten, name);
  if (provider === undefined && written === undefined) return undefined;
  const { type = typeOf(written) ?? 'openai', model = '', baseUrl = '', apiVersion = '', ...others } = provider ?? {};
  const { api = null, maxTokens = null, temperature = null, effort = null, contextTokens = null } = others;
  const { description = '' } = others;
  return { name, type, model, baseUrl, apiVersion, api, maxTokens, temperature, effort, contextTokens, description };
}

async function validRow(
  name: string,
  provider: ProviderConfig,
  active: string | undefined,
  services: SettingsPart & ModelsPart,
): Promise<ProviderRow> {
  const { modelServices, config, settings } = services;
  const key = await atOnce(modelServices.key(name, provider), undefined);
  const shownKey: ShownProviderKey =
    key === undefined ? { of: 'nobody', isNeeded: needsKey(provider) } : { of: key.of, keptIn: key.source };
  const isBuiltIn = ownValue(settings.current.providers, name) === undefined;
  const isUnconfirmed = !isBuiltIn && ownValue(config.providers, name) === undefined;
  const state: ShownProviderState = isUnconfirmed
    ? { name: 'unconfirmed' }
    : { name: shownKey.of === 'nobody' && shownKey.isNeeded ? 'no-key' : 'ready' };
  const address = modelServices.addressOf(provider);
  const { test } = await modelServices.cached(name, provider);
  const isActive = name === active;
  const { type } = provider;
  const model = type === 'anthropic' ? anthropicModelId(provider.model) : provider.model;
  return {
    name,
    type,
    template: templateOf(provider, address),
    isBuiltIn,
    model,
    address,
    state,
    key: shownKey,
    isActive,
    successor: isActive && !isBuiltIn ? await successorOf(name, services) : null,
    test,
  };
}

function invalidRow(name: string, written: unknown, { settings }: SettingsPart): ProviderRow {
  const entry = keyText(['providers', name]);
  const messages = settings.problems.filter(({ key }) => isKeyIn(entry, key)).map(({ message }) => message);
  const type = typeOf(written) ?? null;
  return {
    name,
    type,
    template: 'other',
    isBuiltIn: false,
    model: '',
    address: '',
    state: { name: 'invalid', messages },
    key: { of: 'nobody', isNeeded: false },
    isActive: false,
    successor: null,
    test: null,
  };
}

function typeOf(written: unknown): ProviderType | undefined {
  return ProviderType.safeParse(isRecord(written) ? written.type : undefined).data;
}

export function templateOf({ type, baseUrl, apiVersion }: ProviderConfig, address: string): ProviderTemplate {
  if (type !== 'openai') return type;
  const { hostname, port } = new URL(address);
  if (baseUrl === undefined) return 'openai';
  if (apiVersion !== undefined || hostname.endsWith('.azure.com')) return 'azure';
  if (hostname === 'api.openai.com') return 'openai';
  if (hostname === 'api.groq.com') return 'groq';
  if (hostname === 'models.github.ai') return 'github-models';
  return port === '1234' ? 'lm-studio' : 'other';
}
