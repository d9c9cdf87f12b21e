import { ModelCache } from './model-cache.ts';
import { ModelChoice, type ModelChoicePorts } from './model-choice.ts';
import { ModelServices } from './model-services.ts';
import type { OpenProfile } from './open-profile.ts';
import type { ProviderCommand } from './provider-command.ts';
import { ProviderSettings } from './provider-settings.ts';

export interface ModelsPorts extends Pick<ModelChoicePorts, 'toolServices' | 'servers'> {
  readonly profile: Pick<OpenProfile, 'directory' | 'settings' | 'effective' | 'secrets'>;
  readonly env: NodeJS.ProcessEnv;
}

export interface Models {
  readonly choice: ModelChoice;
  /** See `Services.modelServices`. */
  readonly services: ModelServices;
  /** See `Services.providerSettings`. */
  readonly settings: ProviderSettings;
  /** See `Services.answerProviderCommand`. */
  answerCommand(command: ProviderCommand): Promise<string>;
}

/** The providers of config.json: which one answers, where it is, and how the user changes that. */
export function openModels({ profile, env, ...ofTurns }: ModelsPorts): Models {
  const { directory, settings, effective, secrets } = profile;
  const cache = new ModelCache(directory);
  const services = new ModelServices({ settings: effective, secrets, cache, env });
  const configured = () => Object.keys(settings.current.providers);
  const choice = new ModelChoice({ settings: effective, services, configured, ...ofTurns });
  return {
    choice,
    services,
    settings: new ProviderSettings({ settings, effective, secrets, cache, services }),
    answerCommand: async (command) => {
      const { answerProviderCommand } = await import('./provider-command.ts');
      return answerProviderCommand(command, { settings, effective, models: choice, services });
    },
  };
}
