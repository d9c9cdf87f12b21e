import type { Secrets } from '../secrets/secrets.ts';
import type { Settings } from '../settings/settings.ts';
import { registerBuiltInTools } from '../tools/built-in-tools.ts';
import { ToolRegistry } from '../tools/registry/registry.ts';
import type { Credentials } from './credentials.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { SandboxService } from './sandbox-service.ts';

export interface ConfiguredRegistryPorts {
  readonly settings: Settings;
  readonly effective: EffectiveSettings;
  readonly secrets: Pick<Secrets, 'redactionValues'>;
  readonly credentials: Pick<Credentials, 'has'>;
  readonly sandbox: Pick<SandboxService, 'isThere'>;
  readonly log: (message: string) => void;
}

/** The registry with the built-in tools. Which of them can be used follows config.json and the keys. */
export function configuredRegistry({
  settings,
  effective,
  secrets,
  credentials,
  sandbox,
  log,
}: ConfiguredRegistryPorts): ToolRegistry {
  const registry = new ToolRegistry({
    available: {
      hasCredential: (name) => credentials.has(name),
      get searchProvider() {
        return effective.config.tools.webSearchProvider;
      },
      get hasSandbox() {
        return sandbox.isThere();
      },
    },
    get profile() {
      return effective.config.tools.profile;
    },
    disabledTools: {
      load: () => settings.current.tools.disabled,
      update: async (change) => {
        // Changes the draft, so that only this key is written and no defaults are pinned.
        const { tools } = await settings.update((draft) => {
          draft.tools.disabled = [...change(draft.tools.disabled)];
          return undefined;
        });
        return tools.disabled;
      },
    },
    secrets: () => secrets.redactionValues(),
    log,
  });
  registerBuiltInTools(registry);
  // The search provider is set in config.json.
  effective.onChange(() => registry.refresh());
  return registry;
}
