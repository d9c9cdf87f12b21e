import type { CredentialList, ServerSecret, StoredSignIn } from '../../../src-preload/contract/credentials.ts';
import { SecretName } from '../../../src-preload/contract/settings.ts';
import { canBeTested } from '../../models/key-test.ts';
import { keychainBackend } from '../../secrets/keychain-backend.ts';
import {
  isSecretName,
  mcpRecordName,
  mcpSecretName,
  type SecretName as StoredName,
} from '../../secrets/secret-names.ts';
import type { Secret, Secrets } from '../../secrets/secrets.ts';
import { KEYCHAIN_SERVICE } from '../../secrets/system-keychain.ts';
import type { Services } from '../../services.ts';
import { keychainReferences } from '../../settings/keychain-placeholders.ts';

type CredentialServices = Pick<Services, 'config' | 'mcpAccounts' | 'secrets'>;

/** Every secret of Steward besides accounts: where it is kept and when it was used, never its value. */
export async function credentialList(
  services: CredentialServices,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<CredentialList> {
  const { config, secrets } = services;
  const keys = await Promise.all(
    SecretName.options.map(async (name) => {
      const source = (await secrets.get(name))?.source;
      if (source === undefined) return [];
      const entry = entryOf(name);
      return [
        { name, isSet: true, source, entry, canBeTested: canBeTested(name), lastUsedAt: lastUsedAt(name, secrets) },
      ];
    }),
  );
  const servers = Object.entries(config.mcpServers);
  const serverSecrets = servers.flatMap(([server, written]) =>
    keychainReferences(written).flatMap((name) => {
      const stored = `mcp/${server}/${name}`;
      // A reference that can't be a name is reported on the server's page.
      return isSecretName(stored) ? [serverSecret(server, name, secrets)] : [];
    }),
  );
  const signIns = servers.map(([server]) => storedSignIn(server, services));
  const backend = secrets.backend === 'keychain' ? keychainBackend(process.platform, env) : { kind: 'memory' as const };
  return {
    keychain: await backend,
    keys: keys.flat(),
    serverSecrets: await Promise.all(serverSecrets),
    signIns: (await Promise.all(signIns)).filter((each) => each !== undefined),
  };
}

async function serverSecret(server: string, name: string, secrets: Secrets): Promise<ServerSecret> {
  const stored = mcpSecretName(server, name);
  const secret = await secrets.get(stored);
  return {
    server,
    name,
    entry: entryOf(stored),
    isSet: secret !== undefined,
    keptIn: keptIn(secret),
    lastUsedAt: lastUsedAt(stored, secrets),
  };
}

async function storedSignIn(
  server: string,
  { mcpAccounts, secrets }: CredentialServices,
): Promise<StoredSignIn | undefined> {
  const record = await mcpAccounts.signIns.account(server)?.record();
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

function lastUsedAt(name: StoredName, secrets: Secrets): string | null {
  return secrets.lastUsed(name)?.toISOString() ?? null;
}

function entryOf(name: StoredName): string {
  return `${KEYCHAIN_SERVICE}/${name}`;
}

function keptIn(secret: Secret | undefined): 'keychain' | 'memory' {
  return secret?.source === 'memory' ? 'memory' : 'keychain';
}
