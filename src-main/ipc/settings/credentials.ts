import type { credentials } from '../../../src-preload/contract/credentials.ts';
import { ownValue } from '../../base/json.ts';
import { testKey } from '../../models/key-test.ts';
import { mcpSecretName } from '../../secrets/secret-names.ts';
import type { Services } from '../../services.ts';
import { keychainReferences } from '../../settings/keychain-placeholders.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { credentialList } from './credential-list.ts';

export interface CredentialsPorts {
  readonly services: Pick<Services, 'baseUrlOf' | 'config' | 'mcpAccounts' | 'providerSettings' | 'secrets'>;
  readonly desktop: Pick<Desktop, 'takeGesture'>;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly onChanged: () => void;
}

export function credentialHandlers({
  services,
  desktop,
  env,
  onChanged,
}: CredentialsPorts): Handlers<typeof credentials> {
  const { secrets } = services;
  const list = () => credentialList(services, env);

  return {
    list,

    testKey: async ({ name }, circumstances) => {
      needGesture(desktop, circumstances);
      const key = (await secrets.get(name, { isFresh: true }))?.value;
      if (key === undefined) throw new IpcError('unknown_key', 'This key is no longer set.');
      const result = await testKey(name, key, services.baseUrlOf);
      await services.providerSettings.vendorKeyTested(name, result);
      onChanged();
      return result;
    },

    removeServerSecret: async ({ server, name }, circumstances) => {
      const config = ownValue(services.config.mcpServers, server);
      if (config === undefined || !keychainReferences(config).includes(name))
        throw new IpcError('unknown_secret', `The MCP server ${JSON.stringify(server)} has no such secret.`);
      needGesture(desktop, circumstances);
      await secrets.remove(mcpSecretName(server, name));
      return list();
    },
  };
}
