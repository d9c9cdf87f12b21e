import { isDeepStrictEqual } from 'node:util';
import { sharedKeyUse } from '../../src-preload/contract/provider-keys.ts';
import { newProviderNameProblem } from '../../src-preload/contract/provider-name.ts';
import type { ProviderForm } from '../../src-preload/contract/providers.ts';
import { isLoopback } from '../accounts/secure-address.ts';
import { ownValue } from '../base/json.ts';
import { CLAUDE } from '../models/built-in-providers.ts';
import type { KeyTestResult } from '../models/key-test.ts';
import type { ListedModel } from '../models/provider.ts';
import { isAtVendor, isAzure, type ProviderPlace, VENDOR_KEYS } from '../models/provider-address.ts';
import { providerNamed, withClaude } from '../models/registry.ts';
import type { PermissionGrant } from '../policy/permission-grant.ts';
import { providerSecretName, type SecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ProviderConfig } from '../settings/config-schema.ts';
import { ownKeyGrant, providerGrant } from '../settings/permission-grants.ts';
import type { Settings } from '../settings/settings.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { EntrySettingsError, shownEnd } from './entry-settings.ts';
import type { ModelCache } from './model-cache.ts';
import type { ModelServices } from './model-services.ts';
import { type ProviderPlan, planProvider } from './provider-plan.ts';
import { type TestedProvider, testProvider } from './provider-test.ts';

/** A page may ask for lists; a service is not asked more often. */
const LISTS_EVERY_MS = 10_000;

export interface ProviderSettingsPorts {
  readonly settings: Settings;
  readonly effective: EffectiveSettings;
  readonly secrets: Secrets;
  readonly cache: ModelCache;
  readonly services: ModelServices;
}

/** A form, and a key entered with it. Null stands for the stored key. */
export interface GivenProvider {
  readonly form: ProviderForm;
  readonly key: string | null;
}

/**
 * The model providers in config.json, with their own keys in the keychain. The user is asked first about whatever sends
 * keys or conversations to another address; a result of false means that they declined and nothing was saved. Methods
 * throw `EntrySettingsError`, `SettingsError` and `SecretsError`.
 */
export class ProviderSettings {
  readonly #ports: ProviderSettingsPorts;
  readonly #listing = new Map<string, Promise<void>>();
  /** The last test of a form, for when that is saved. */
  #tested: (TestedProvider & { readonly place: string }) | undefined;
  #ollama: Promise<readonly ListedModel[] | undefined> | undefined;

  constructor(ports: ProviderSettingsPorts) {
    this.#ports = ports;
  }

  async add(given: GivenProvider, signal: AbortSignal): Promise<boolean> {
    const { effective, secrets, settings } = this.#ports;
    this.#needFree(given.form.name.trim());
    const plan = this.#planOf(given);
    const save = async () => {
      // A key that was left behind by an earlier provider of this name was meant for another address.
      await this.#removeKey(plan.name);
      await settings.editProvider({ name: plan.name, values: plan.values });
      await this.#keepKey(plan, given.key);
    };
    if (given.key !== null) secrets.check(providerSecretName(plan.name), given.key);
    if (!(await this.#grant(effective, plan, given.key, undefined, save, signal))) return false;
    await this.#keepTest(plan);
    return true;
  }

  /** `name` is what the provider is called now. The user is asked if name, type, address or key change. */
  async change(name: string, given: GivenProvider, signal: AbortSignal): Promise<boolean> {
    const { effective, secrets, settings, cache } = this.#ports;
    const plan = this.#planOf(given, name);
    const isRenamed = plan.name !== name;
    if (isRenamed) this.#needFree(plan.name, name);
    const before = ownValue(settings.current.providers, name);
    const isSamePlace = before !== undefined && isSame(before, plan.provider);
    const isAsked = isRenamed || !isSamePlace || given.key !== null;
    const save = async () => {
      const keyMoves = isRenamed || given.key !== null;
      const own = keyMoves ? (await secrets.get(providerSecretName(name), { isFresh: true }))?.value : undefined;
      const renamed = isRenamed ? { renamed: plan.name } : {};
      // A key that was left behind by an earlier provider of the new name was meant for another address.
      if (isRenamed) await this.#removeKey(plan.name);
      // The old key was not confirmed for the new place.
      if (given.key !== null && own !== undefined) await this.#removeKey(name);
      try {
        await settings.editProvider({ name, ...renamed, values: plan.values });
      } catch (error) {
        if (given.key !== null && own !== undefined) await secrets.set(providerSecretName(name), own);
        throw error;
      }
      if (isAsked) await this.#keepKey(plan, given.key ?? (isRenamed ? (own ?? null) : null));
      if (!isRenamed) return;
      await cache.rename(name, plan.name);
      await this.#forget(name);
    };
    if (given.key !== null) secrets.check(providerSecretName(plan.name), given.key);
    if (isAsked) {
      if (!(await this.#grant(effective, plan, given.key, before, save, signal))) return false;
    } else {
      await save();
      effective.follow();
    }
    await this.#keepTest(plan);
    return true;
  }

  /** Asks about its address in config.json. */
  async confirm(name: string, signal: AbortSignal): Promise<boolean> {
    const { settings, effective } = this.#ports;
    this.#needEntry(name);
    const provider = ownValue(settings.current.providers, name);
    const item = provider && providerGrant(name, provider);
    return item === undefined || effective.grantWith(item, async () => undefined, signal);
  }

  /** Removes the provider with its own key. */
  async remove(name: string): Promise<void> {
    const { settings, effective } = this.#ports;
    this.#needEntry(name);
    await this.#forget(name);
    await settings.removeProvider(name);
    effective.follow();
  }

  async removeKey(name: string): Promise<void> {
    this.#needEntry(name);
    await this.#ports.secrets.remove(providerSecretName(name));
  }

  /**
   * Asks the service with the form's values. `name` is that of the stored provider, or null for a new one. Resolves
   * with undefined if the user declined.
   */
  async test(name: string | null, given: GivenProvider, signal: AbortSignal): Promise<TestedProvider | undefined> {
    const { effective, services, secrets, cache } = this.#ports;
    const hasModel = given.form.model.trim() !== '';
    // Which models there are is what such a test is for.
    const form = hasModel ? given.form : { ...given.form, model: 'none' };
    const { provider, name: asNamed } = this.#planOf({ ...given, form }, name ?? undefined);
    if (!hasModel && isAzure(provider))
      throw new EntrySettingsError('bad_provider', 'Enter the name of a deployment: Azure needs one for a test.');
    const stored = name === null ? undefined : this.#usable(name);
    const isStoredPlace = stored !== undefined && isSame(stored, provider);
    const entered = given.key === null ? undefined : secrets.check(providerSecretName(asNamed), given.key);
    const kept = await (name === null ? services.vendorKey(provider) : services.storedKey(name, provider));
    const isOwnElsewhere =
      entered === undefined && kept?.of === 'provider' && !services.mayHaveOwnKey(name ?? asNamed, provider);
    const key = entered === undefined ? (kept?.of ?? 'none_sent') : 'entered';
    if (isOwnElsewhere || (!isStoredPlace && !isAtVendor(provider))) {
      const item = {
        subject: 'provider-test',
        key: `test of ${asNamed}`,
        value: {
          type: provider.type,
          baseUrl: services.addressOf(provider),
          key: key === 'provider' ? 'own' : key,
        },
      } as const;
      if (!(await effective.askForGrant(item, signal))) return undefined;
    }
    const { type } = provider;
    const model = hasModel ? provider.model : '';
    const resolved = { provider: name ?? asNamed, type, model, settings: provider };
    const isHere = isLoopback(new URL(services.addressOf(provider)));
    const tested = await testProvider(await services.provider(resolved, entered ?? kept?.value ?? null), {
      model,
      type,
      address: services.addressOf(provider),
      signal,
      // A local server would load the model for it, which takes minutes.
      sendsMessage: hasModel && (!isHere || isAzure(provider)),
    });
    this.#tested = { ...tested, place: services.cachePlace(provider) };
    if (name !== null && isStoredPlace && entered === undefined)
      await cache.keep(name, this.#tested.place, newsOf(tested));
    return tested;
  }

  /**
   * What was found out about a vendor's key is true of the providers at the vendor that are sent it. `result` is null
   * if the key was replaced or removed.
   */
  async vendorKeyTested(secret: SecretName, result: KeyTestResult | null): Promise<void> {
    const { services, cache, effective } = this.#ports;
    const at = new Date().toISOString();
    const test = result && { ...result, code: result.works ? 'ok' : 'wrong_key', at };
    for (const [name, provider] of Object.entries(withClaude(effective.config.providers))) {
      if (VENDOR_KEYS[provider.type] !== secret || !isAtVendor(provider)) continue;
      const key = await services.key(name, provider);
      if (key?.of !== 'provider') await cache.keep(name, services.cachePlace(provider), { test });
    }
  }

  /** Asks its service for the models and keeps them. Throws `ModelError`. */
  async refreshModels(name: string, signal: AbortSignal): Promise<void> {
    const { services, cache } = this.#ports;
    const settings = this.#usable(name);
    if (settings === undefined) throw unknown(name);
    const { listedAt } = await services.cached(name, settings);
    if (listedAt !== null && Date.now() - Date.parse(listedAt) < LISTS_EVERY_MS) return;
    const running = this.#listing.get(name);
    if (running !== undefined) return running;
    const listing = (async () => {
      const provider = await services.provider({
        provider: name,
        type: settings.type,
        model: settings.model,
        settings,
      });
      await cache.keep(name, services.cachePlace(settings), { models: await provider.list(signal) });
    })();
    this.#listing.set(name, listing);
    return listing.finally(() => this.#listing.delete(name));
  }

  /** The models of an Ollama on this computer that no provider uses yet. Asks it once each time. */
  async findOllama(signal: AbortSignal): Promise<{ address: string; models: readonly ListedModel[] } | undefined> {
    const { settings, services } = this.#ports;
    const place = { type: 'ollama' } as const;
    const address = services.addressOf(place);
    if (!isLoopback(new URL(address))) return undefined;
    const isUsed = Object.values(settings.current.providers).some((each) => services.addressOf(each) === address);
    if (isUsed) return undefined;
    this.#ollama ??= services
      .provider({ provider: 'ollama', type: 'ollama', model: '' }, null)
      .then((provider) => provider.list(AbortSignal.any([signal, AbortSignal.timeout(OLLAMA_WITHIN_MS)])))
      .catch(() => undefined)
      // Ollama may be started, or quit, before the next look.
      .finally(() => {
        this.#ollama = undefined;
      });
    const models = await this.#ollama;
    return models === undefined ? undefined : { address, models };
  }

  /**
   * Asks about the address (and the key) that requests would go to; config.json remembers the answer for an own
   * address.
   */
  async #grant(
    effective: EffectiveSettings,
    { name, provider }: ProviderPlan,
    key: string | null,
    before: ProviderConfig | undefined,
    save: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const keptIn = await this.#ports.secrets.placeFor(providerSecretName(name));
    const shown = {
      ...(key === null ? {} : { secrets: [{ name: 'API key', end: shownEnd(key), keptIn }] }),
      ...(before === undefined ? {} : { previous: this.#valueOf(before) }),
    };
    const item = providerGrant(name, provider);
    if (item !== undefined) return effective.grantWith({ ...item, ...shown }, save, signal);
    const asked: PermissionGrant<'provider'> = {
      subject: 'provider',
      key: `providers.${name}`,
      value: this.#valueOf(provider),
      ...shown,
    };
    if (!(await effective.askForGrant(asked, signal))) return false;
    await save();
    effective.follow();
    return true;
  }

  #valueOf(provider: ProviderConfig) {
    const { type, baseUrl } = provider;
    return { type, baseUrl: this.#ports.services.addressOf(provider), key: sharedKeyUse(type, baseUrl) };
  }

  /**
   * Call it once the provider's place is in effect, because a running turn must not send this key to an earlier place.
   * Null keeps the stored key.
   */
  async #keepKey({ name, provider }: ProviderPlan, key: string | null): Promise<void> {
    const { effective, secrets } = this.#ports;
    effective.follow();
    if (key !== null) await secrets.set(providerSecretName(name), key);
    await effective.adopt(ownKeyGrant(name, provider), async () => undefined);
  }

  async #removeKey(name: string): Promise<void> {
    const { secrets } = this.#ports;
    const secret = providerSecretName(name);
    if ((await secrets.get(secret)) !== undefined) await secrets.remove(secret);
  }

  /** The key first: if that fails, nothing is removed. */
  async #forget(name: string): Promise<void> {
    await this.#removeKey(name);
    await this.#ports.cache.forget(name);
  }

  /** What the test of the form found out is true of the saved provider. */
  async #keepTest({ name, provider }: ProviderPlan): Promise<void> {
    const { services, cache } = this.#ports;
    const place = services.cachePlace(provider);
    if (this.#tested?.place === place) await cache.keep(name, place, newsOf(this.#tested));
    this.#tested = undefined;
  }

  #planOf({ form }: GivenProvider, name?: string): ProviderPlan {
    const { settings } = this.#ports;
    const entry =
      name === undefined ? undefined : (this.#entryOf(name) ?? (name === 'anthropic' ? {} : this.#needEntry(name)));
    const plan = planProvider(form, entry, settings.profileDirectory);
    if ('problems' in plan)
      throw new EntrySettingsError('bad_provider', plan.problems.map(({ message }) => message).join('\n'));
    return plan;
  }

  /** Names differ in more than case, because `NAME:model` may be written in any. */
  #needFree(name: string, except?: string): void {
    const names = ['guide', ...Object.keys(this.#ports.settings.providersAsWritten)];
    const taken = providerNamed(
      name,
      names.filter((each) => each !== except),
    );
    if (taken !== undefined)
      throw new EntrySettingsError('name_taken', `A provider named “${taken}” already exists. Choose another name.`);
    const problem = newProviderNameProblem(name);
    if (problem !== null) throw new EntrySettingsError('bad_provider', problem);
  }

  /** The provider's entry as far as it is confirmed. Claude needs none. */
  #usable(name: string): ProviderConfig | undefined {
    const { providers } = this.#ports.effective.config;
    return (
      ownValue(providers, name) ?? (name === 'anthropic' && this.#entryOf(name) === undefined ? CLAUDE : undefined)
    );
  }

  #entryOf(name: string): unknown {
    const { providersAsWritten } = this.#ports.settings;
    return ownValue(providersAsWritten, name);
  }

  #needEntry(name: string): unknown {
    const entry = this.#entryOf(name);
    if (entry === undefined) throw unknown(name);
    return entry;
  }
}

const OLLAMA_WITHIN_MS = 3_000;

function unknown(name: string): EntrySettingsError {
  return new EntrySettingsError('unknown_provider', `There is no provider named “${name}”.`);
}

/** Both would send to the same address in the same way. */
function isSame(one: ProviderPlace, other: ProviderPlace): boolean {
  return isDeepStrictEqual([one.type, one.baseUrl], [other.type, other.baseUrl]);
}

function newsOf({ test, models }: TestedProvider) {
  return { test, ...(models.length === 0 ? {} : { models }) };
}
