import type { ProviderForm } from '../../src-preload/contract/providers.ts';
import { isRecord, ownValue } from '../base/json.ts';
import { providerAddress } from '../models/provider-address.ts';
import type { ProviderConfig } from '../settings/config-schema.ts';
import { baseUrl } from '../settings/endpoints.ts';
import type { SettingsProblem } from '../settings/problems.ts';
import { readConfig } from '../settings/read-config.ts';

/** What saving a form would change; nothing is changed yet. */
export interface ProviderPlan {
  readonly name: string;
  /** The provider as it would be read from the config.json that is to be written. */
  readonly provider: ProviderConfig;
  /** The differences only, so that the rest of the entry stays as written. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Plans the change, or returns what is wrong, by the keys of config.json. `entry` is the entry as written now, or
 * undefined if it is new.
 */
export function planProvider(
  form: ProviderForm,
  entry: unknown,
  profileDirectory: string,
): ProviderPlan | { readonly problems: readonly SettingsProblem[] } {
  const name = form.name.trim();
  const wanted: Readonly<Record<string, unknown>> = {
    type: form.type,
    model: form.model.trim(),
    baseUrl: addressIn(form),
    apiVersion: form.type === 'openai' ? textOr(form.apiVersion) : undefined,
    api: form.type === 'openai' ? (form.api ?? undefined) : undefined,
    maxTokens: form.maxTokens ?? undefined,
    temperature: form.temperature ?? undefined,
    effort: form.effort ?? undefined,
    contextTokens: form.contextTokens ?? undefined,
    description: textOr(form.description),
  };
  const before = providerIn(name, entry, profileDirectory).provider;
  const written = isRecord(entry) ? entry : {};
  const { provider, problems } = providerIn(name, { ...written, ...wanted }, profileDirectory);
  if (provider === undefined || problems.length > 0) return { problems };
  const changed = Object.entries(wanted).filter(([key, value]) => {
    const old = before && (Reflect.get(before, key) as unknown);
    return old !== value && (value !== undefined || Object.hasOwn(written, key));
  });
  return { name, provider, values: Object.fromEntries(changed) };
}

/** An entry of `providers` as it takes effect. */
export function providerIn(
  name: string,
  entry: unknown,
  profileDirectory: string,
): { readonly provider: ProviderConfig | undefined; readonly problems: readonly SettingsProblem[] } {
  if (entry === undefined) return { provider: undefined, problems: [] };
  const isUsable = isRecord(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))
    : entry;
  const { config, problems } = readConfig({ providers: { [name]: isUsable } }, profileDirectory);
  return {
    provider: ownValue(config.providers, name),
    problems: problems.filter(({ severity }) => severity === 'error'),
  };
}

/** What the vendor's path begins with, or all of it. */
const REQUEST_PATHS: Readonly<Record<ProviderForm['type'], RegExp>> = {
  anthropic: /\/v1(?:\/messages)?\/*$/,
  openai: /\/(?:chat\/completions|responses|models)\/*$/,
  gemini: /\/v1(?:beta)?(?:\/models)?\/*$/,
  ollama: /\/(?:v1|api(?:\/(?:chat|tags))?)\/*$/,
};

/** The vendor's own address needs no base URL. People also paste the address of a request. */
function addressIn({ type, baseUrl: given }: ProviderForm): string | undefined {
  const text = given.trim();
  if (text === '') return undefined;
  const checked = baseUrl(text.replace(REQUEST_PATHS[type], ''));
  if (!('url' in checked)) return text;
  return checked.url === providerAddress({ type }) ? undefined : checked.url;
}

function textOr(given: string): string | undefined {
  return given.trim() === '' ? undefined : given.trim();
}
