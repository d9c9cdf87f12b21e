import type {
  CredentialList,
  credentials,
  ServerSecret,
  StoredSignIn,
} from '../../../src-preload/contract/credentials.ts';
import { SecretName } from '../../../src-preload/contract/settings.ts';
import { canBeTested, testKey } from '../../models/key-test.ts';
import { keychainBackend } from '../../secrets/keychain-backend.ts';
import {
  isSecretName,
  mcpRecordName,
  mcpSecretName,
  type SecretName as StoredName,
} from '../../secrets/secret-names.ts';
import type { Secret } from '../../secrets/secrets.ts';
import { KEYCHAIN_SERVICE } from '../../secrets/system-keychain.ts';
import type { Services } from '../../services.ts';
import { keychainReferences } from '../../settings/keychain-placeholders.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';

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
  const lastUsedAt = (name: StoredName) => secrets.lastUsed(name)?.toISOString() ?? null;
  const list = async (): Promise<CredentialList> => {
    const keys = await Promise.all(
      SecretName.options.map(async (name) => {
        const source = (await secrets.get(name))?.source;
        if (source === undefined) return [];
        const entry = entryOf(name);
        return [{ name, isSet: true, source, entry, canBeTested: canBeTested(name), lastUsedAt: lastUsedAt(name) }];
      }),
    );
    const servers = Object.entries(services.config.mcpServers);
    const serverSecrets = servers.flatMap(([server, config]) =>
      keychainReferences(config).flatMap((name) => {
        const stored = `mcp/${server}/${name}`;
        // A reference that can't be a name is reported on the server's page.
        return isSecretName(stored) ? [serverSecret(server, name)] : [];
      }),
    );
    const signIns = servers.map(([server]) => storedSignIn(server));
    const backend =
      secrets.backend === 'keychain' ? keychainBackend(process.platform, env) : { kind: 'memory' as const };
    return {
      keychain: await backend,
      keys: keys.flat(),
      serverSecrets: await Promise.all(serverSecrets),
      signIns: (await Promise.all(signIns)).filter((each) => each !== undefined),
    };
  };

  async function serverSecret(server: string, name: string): Promise<ServerSecret> {
    const stored = mcpSecretName(server, name);
    const secret = await secrets.get(stored);
    return {
      server,
      name,
      entry: entryOf(stored),
      isSet: secret !== undefined,
      keptIn: keptIn(secret),
      lastUsedAt: lastUsedAt(stored),
    };
  }

  async function storedSignIn(server: string): Promise<StoredSignIn | undefined> {
    const record = await services.mcpAccounts.signIns.account(server)?.record();
    if (record === undefined) return undefined;
    const stored = mcpRecordName(server, 'oauth:tokens');
    return {
      server,
      entry: entryOf(stored),
      keptIn: keptIn(await secrets.get(stored)),
      scopes: record.scope?.split(' ').filter((scope) => scope !== '') ?? [],
      expiresAt: record.expiresAt === undefined ? null : new Date(record.expiresAt).toISOString(),
      isRenewed: record.refreshToken !== undefined,
    };
  }

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
      const config = services.config.mcpServers[server];
      if (config === undefined || !keychainReferences(config).includes(name))
        throw new IpcError('unknown_secret', `The MCP server ${JSON.stringify(server)} has no such secret.`);
      needGesture(desktop, circumstances);
      await secrets.remove(mcpSecretName(server, name));
      return list();
    },
  };
}

function entryOf(name: StoredName): string {
  return `${KEYCHAIN_SERVICE}/${name}`;
}

function keptIn(secret: Secret | undefined): 'keychain' | 'memory' {
  return secret?.source === 'memory' ? 'memory' : 'keychain';
}
