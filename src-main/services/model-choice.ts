import type { ServerInstructions } from '../assistant/server-instructions.ts';
import type { ToolCallServices } from '../assistant/tool-calls.ts';
import type { TurnServices } from '../assistant/turn.ts';
import type { ModelProvider } from '../models/provider.ts';
import { loadProvider, type ResolvedModel, resolveModel } from '../models/registry.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { endpointOf } from '../settings/endpoints.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { SamplingModel } from './server-sampling.ts';

/** The model name if no model answers. */
export const NO_MODEL = 'none';

/** The model that answers, and its name. */
export interface ChosenModel extends ResolvedModel {
  readonly label: string;
}

export interface ModelChoicePorts {
  readonly settings: EffectiveSettings;
  readonly secrets: Secrets;
  readonly env: NodeJS.ProcessEnv;
  readonly toolServices: () => ToolCallServices;
  /** The accepted instructions of MCP servers. */
  readonly serverInstructions: () => readonly ServerInstructions[];
}

const VENDOR_OF_BARE_IDS = 'anthropic';

/** Chooses the model, and provides what a turn with it needs. */
export class ModelChoice {
  readonly #ports: ModelChoicePorts;

  constructor(ports: ModelChoicePorts) {
    this.#ports = ports;
  }

  /** See `Services.chooseModel`. */
  async choose(specification: string | undefined): Promise<ChosenModel> {
    const { settings, secrets } = this.#ports;
    const { model: configured, providers } = settings.config;
    const wish = specification ?? configured;
    const model = resolveModel(wish, {
      providers,
      // Only the default depends on a key, and asking the keychain takes time.
      hasAnthropicKey: wish === undefined && (await secrets.get('anthropic-api-key')) !== undefined,
    });
    const isBare = model.provider === VENDOR_OF_BARE_IDS || model.type === 'guide';
    return { ...model, label: isBare ? model.model : `${model.provider}:${model.model}` };
  }

  /** The model of a conversation, from `Conversation.model`. Throws `ModelChoiceError`. */
  async answering(label: string): Promise<SamplingModel> {
    const model = await this.choose(label === NO_MODEL ? undefined : label);
    return { ...model, provider: await this.#provider(model) };
  }

  async turnServices(model: ChosenModel): Promise<TurnServices> {
    const { settings, toolServices, serverInstructions } = this.#ports;
    const { workspace, config } = settings;
    return {
      ...toolServices(),
      provider: await this.#provider(model),
      model: model.model,
      maxRounds: config.limits.rounds,
      promptFacts: () => ({
        workspace,
        folders: settings.config.folders,
        platform: process.platform,
        now: new Date(),
        servers: serverInstructions(),
      }),
    };
  }

  #provider(model: ChosenModel): Promise<ModelProvider> {
    const { settings, secrets, env } = this.#ports;
    return loadProvider(model, {
      apiKey: async () => (await secrets.use('anthropic-api-key'))?.value,
      baseUrl: model.baseUrl ?? endpointOf('anthropic', settings.config, env).baseUrl,
    });
  }
}
