import type { Secrets } from '../secrets/secrets.ts';
import { endpointOf } from '../settings/endpoints.ts';
import type { Vendors } from '../tools/contract.ts';
import type { Credentials } from './credentials.ts';
import type { EffectiveSettings } from './effective-settings.ts';

export interface VendorsPorts {
  readonly effective: Pick<EffectiveSettings, 'config'>;
  readonly secrets: Pick<Secrets, 'use'>;
  readonly credentials: Pick<Credentials, 'has'>;
  readonly env: NodeJS.ProcessEnv;
}

/** The vendors as the settings, the keys and the environment are at each call. */
export function configuredVendors({ effective, secrets, credentials, env }: VendorsPorts): Vendors {
  return {
    baseUrlOf: (service) => endpointOf(service, effective.config, env).baseUrl,
    keyOf: async (name) => (await secrets.use(name))?.value,
    get searchProvider() {
      return effective.config.tools.webSearchProvider ?? (credentials.has('BRAVE_API_KEY') ? 'brave' : undefined);
    },
  };
}
