import { isNameOfDesktopTool } from '../../src-preload/contract/desktop-tools.ts';
import type { AskedModel, AskedModels } from '../assistant/sub-turn.ts';
import { canonicalHash } from '../base/canonical-json.ts';
import { ownValue } from '../base/json.ts';
import { BUILT_IN_PROVIDERS, type BuiltInProvider } from '../models/built-in-providers.ts';
import type { ModelProvider } from '../models/provider.ts';
import { providerAddress } from '../models/provider-address.ts';
import { endpointOf } from '../settings/endpoints.ts';
import { FixableError, type ModelQuestion, type Tool } from '../tools/contract.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import { freeWireName, wireNameOf } from '../tools/registry/wire-names.ts';
import { askModelTool, failedToConnect } from '../tools/session/ask-model.ts';
import type { EffectiveSettings } from './effective-settings.ts';

/** Source: tool catalogue E, "parameters". */
const DEFAULT_MAX_TOKENS = 1_024;

export interface AskableProvidersPorts {
  readonly settings: Pick<EffectiveSettings, 'config'>;
  /** Names of all providers of config.json, confirmed or not. */
  readonly configured: () => readonly string[];
  /** Whether this key is set, by its environment name. */
  readonly hasKey: (name: string) => boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly registry: Pick<ToolRegistry, 'register' | 'remove' | 'buildAll'>;
  /** Connects to nothing. */
  readonly load: (provider: string) => Promise<{ readonly provider: ModelProvider; readonly model: string }>;
}

/**
 * The providers of config.json, and the built-in ones whose key is set, as tools, `ask_{provider}`, and their models.
 * All of them are registered; the turn leaves out the one whose model it runs with. Source: tool catalogue E.
 */
export class AskableProviders implements AskedModels {
  readonly #ports: AskableProvidersPorts;
  /** The tools by their provider's name in config.json. `settings` is a hash of what the tool was made of. */
  readonly #registered = new Map<string, { readonly tool: Tool; readonly settings: string }>();
  /** Kept for later calls, while nothing changes. */
  readonly #open = new Map<string, { readonly model: Promise<AskedModel>; readonly settings: string }>();

  constructor(ports: AskableProvidersPorts) {
    this.#ports = ports;
  }

  /** Registers the tools anew after each change of config.json or of the keys. What has not changed stays as it is. */
  register(): void {
    const { registry } = this.#ports;
    const names = toolNames(Object.keys(this.#providers));
    let isChanged = false;
    for (const [provider, { tool, settings }] of this.#registered) {
      if (this.#hashOf(provider) === settings && names.get(provider) === tool.name) continue;
      registry.remove(tool.name);
      this.#registered.delete(provider);
      isChanged = true;
    }
    for (const [provider, name] of names) {
      if (this.#registered.has(provider)) continue;
      const tool = this.#tool(provider, name);
      if (tool === undefined || !registry.register({ tool, category: 'api' })) continue;
      this.#registered.set(provider, { tool, settings: this.#hashOf(provider) });
      isChanged = true;
    }
    if (isChanged) registry.buildAll();
  }

  /** Base URLs of all of them: the user configured them, wherever they are. */
  origins(): readonly string[] {
    return Object.keys(this.#providers).flatMap((provider) => this.#addressOf(provider) ?? []);
  }

  async open({ provider, address }: Pick<ModelQuestion, 'provider' | 'address'>): Promise<AskedModel> {
    // The policy has allowed that address and no other.
    if (this.#addressOf(provider) !== address) throw new FixableError(failedToConnect(provider));
    const settings = this.#hashOf(provider);
    const kept = this.#open.get(provider);
    if (kept?.settings === settings) return kept.model;
    const model = this.#ports.load(provider);
    this.#open.set(provider, { model, settings });
    model.catch(() => this.forget(provider));
    return model;
  }

  forget(provider: string): void {
    this.#open.delete(provider);
  }

  get #providers(): Readonly<Record<string, BuiltInProvider>> {
    const { settings, configured, hasKey } = this.#ports;
    // An entry of that name, even one that waits for a confirmation, says where the user wants it.
    const taken = new Set(configured().map((name) => name.toLowerCase()));
    const builtIn = [...BUILT_IN_PROVIDERS]
      .filter(([name, { key }]) => !taken.has(name) && hasKey(key))
      .map(([name, { settings: place }]) => [name, place] as const);
    return { ...settings.config.providers, ...Object.fromEntries(builtIn) };
  }

  #tool(provider: string, name: string): Tool | undefined {
    const configured = ownValue(this.#providers, provider);
    if (configured === undefined) return undefined;
    const { description, maxTokens = DEFAULT_MAX_TOKENS, model } = configured;
    return askModelTool({ name, provider, model, description, maxTokens, address: () => this.#addressOf(provider) });
  }

  #addressOf(provider: string): string | undefined {
    const configured = ownValue(this.#providers, provider);
    if (configured === undefined) return undefined;
    const { settings, env } = this.#ports;
    return providerAddress(configured, endpointOf(configured.type, settings.config, env).baseUrl);
  }

  #hashOf(provider: string): string {
    return canonicalHash({
      configured: ownValue(this.#providers, provider) ?? null,
      address: this.#addressOf(provider) ?? null,
    });
  }
}

/**
 * The name of each provider's tool, in the order of config.json. A name that is taken gets the hash form of tool
 * catalogue A.9.
 */
function toolNames(providers: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const provider of providers) {
    const taken = new Set([...names.values()].map((name) => name.toLowerCase()));
    const isTaken = (wire: string) => taken.has(wire.toLowerCase()) || isNameOfDesktopTool(wire);
    const plain = wireNameOf(`ask_${provider.toLowerCase()}`);
    names.set(provider, isTaken(plain) ? freeWireName(`ask_${provider}`, isTaken) : plain);
  }
  return names;
}
