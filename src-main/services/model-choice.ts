import type { ToolCallServices } from '../assistant/call-services.ts';
import type { TurnServices } from '../assistant/turn.ts';
import { CLAUDE } from '../models/built-in-providers.ts';
import { ownPriceKey } from '../models/own-prices.ts';
import type { ModelLimits, ModelPrice, ModelProvider } from '../models/provider.ts';
import { type ResolvedModel, resolveModel, resolveProvider } from '../models/registry.ts';
import type { Tool } from '../tools/contract.ts';
import { withoutTools } from '../tools/registry/without-tools.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { McpServices } from './mcp-services.ts';
import type { ModelServices } from './model-services.ts';
import type { SamplingModel } from './server-sampling.ts';
import type { ServerTools } from './server-tools.ts';

/** The model name if no model answers. */
export const NO_MODEL = 'none';

/** The model that answers, and its name. */
export interface ChosenModel extends ResolvedModel {
  readonly label: string;
}

export interface ModelFacts extends ChosenModel {
  readonly limits: ModelLimits;
  /** Undefined if not known. */
  readonly price: ModelPrice | undefined;
  /** The entry of config.json that the price is from. */
  readonly ownPriceKey: string | undefined;
}

export interface ModelChoicePorts {
  readonly settings: EffectiveSettings;
  /** Names of all providers of config.json, confirmed or not. */
  readonly configured: () => readonly string[];
  readonly services: ModelServices;
  readonly toolServices: (conversationId: string) => ToolCallServices;
  readonly servers: Pick<McpServices, 'awaitTools'> & { readonly tools: Pick<ServerTools, 'instructions'> };
}

const VENDOR_OF_BARE_IDS = 'anthropic';

/** Chooses the model, and provides what a turn with it needs. */
export class ModelChoice {
  readonly #ports: ModelChoicePorts;

  constructor(ports: ModelChoicePorts) {
    this.#ports = ports;
  }

  /** Names of providers that take effect only once the user has confirmed their addresses. */
  get unconfirmed(): readonly string[] {
    const { settings, configured } = this.#ports;
    return configured().filter((name) => !Object.hasOwn(settings.config.providers, name));
  }

  /** See `Services.chooseModel`. */
  async choose(specification: string | undefined): Promise<ChosenModel> {
    const { settings, services } = this.#ports;
    const { model: configured, providers } = settings.config;
    const wish = specification ?? configured;
    const model = resolveModel(wish, {
      providers,
      unconfirmed: this.unconfirmed,
      // Only the default depends on a key, and asking the keychain takes time.
      hasAnthropicKey:
        wish === undefined && (await services.key('anthropic', providers.anthropic ?? CLAUDE)) !== undefined,
    });
    const isBare = model.provider === VENDOR_OF_BARE_IDS || model.type === 'guide';
    return { ...model, label: isBare ? model.model : `${model.provider}:${model.model}` };
  }

  /**
   * What answers by default once this provider and a `model` that needs it are taken out of config.json. Throws
   * `ModelChoiceError`.
   */
  async chooseWithout(name: string): Promise<ResolvedModel> {
    const { settings, services } = this.#ports;
    const { [name]: _, ...providers } = settings.config.providers;
    // The provider's own key is removed with it.
    const key =
      name === VENDOR_OF_BARE_IDS
        ? services.vendorKey(CLAUDE)
        : services.key(VENDOR_OF_BARE_IDS, providers.anthropic ?? CLAUDE);
    return resolveModel(undefined, {
      providers,
      unconfirmed: this.unconfirmed.filter((each) => each !== name),
      hasAnthropicKey: (await key) !== undefined,
    });
  }

  /** The model of a conversation, from `Conversation.model`. Throws `ModelChoiceError`. */
  async answering(label: string): Promise<SamplingModel> {
    const model = await this.choose(label === NO_MODEL ? undefined : label);
    return { ...model, provider: await this.#ports.services.provider(model) };
  }

  /** The model of a provider of config.json, or of a built-in one. Throws `ModelChoiceError`. */
  async ofProvider(name: string): Promise<{ readonly provider: ModelProvider; readonly model: string }> {
    const model = resolveProvider(name, {
      providers: this.#ports.settings.config.providers,
      unconfirmed: this.unconfirmed,
    });
    return { model: model.model, provider: await this.#ports.services.provider(model) };
  }

  /** What calls use besides the model that would answer. `specification` is as in `choose`. */
  async toolCallServices(specification: string | undefined, conversationId: string): Promise<ToolCallServices> {
    const isItself = await this.asksItself(specification);
    const services = this.#ports.toolServices(conversationId);
    return { ...services, tools: withoutTools(services.tools, isItself) };
  }

  /**
   * Whether a tool asks the provider whose model would answer; it is not offered then. `specification` is as in
   * `choose`.
   */
  async asksItself(specification: string | undefined): Promise<(tool: Tool) => boolean> {
    const model = await this.choose(specification).catch(() => undefined);
    return (tool) => tool.asksModel && tool.asks === model?.provider;
  }

  /** What is known of a model without asking its service. Throws `ModelChoiceError`. */
  async facts(specification: string | undefined): Promise<ModelFacts> {
    const model = await this.choose(specification);
    const provider = await this.#ports.services.provider(model);
    return {
      ...model,
      limits: provider.limits(model.model),
      price: provider.price(model.model),
      ownPriceKey: ownPriceKey(model, this.#ports.settings.config.prices),
    };
  }

  async turnServices(model: ChosenModel, conversationId: string): Promise<TurnServices> {
    const { settings, toolServices, servers } = this.#ports;
    const { workspace, config } = settings;
    const services = toolServices(conversationId);
    return {
      ...services,
      tools: withoutTools(services.tools, (tool) => tool.asksModel && tool.asks === model.provider),
      provider: await this.#ports.services.provider(model),
      model: model.model,
      maxRounds: config.limits.rounds,
      awaitTools: (whileRunning) => servers.awaitTools(whileRunning),
      promptFacts: () => ({
        workspace,
        folders: settings.config.folders,
        platform: process.platform,
        now: new Date(),
        servers: servers.tools.instructions,
      }),
    };
  }
}
