import { decisiveNames } from '../mcp/setup/decisive-values.ts';
import type { GivenSecret, PermissionGrant } from '../policy/permission-grant.ts';
import { isSecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { keychainNamesIn } from '../settings/keychain-placeholders.ts';
import type { ServerLaunch } from '../settings/permission-grants.ts';

type ReadSecrets = Pick<Secrets, 'get'>;

/** What the keychain already contains and decides what the server runs, for the question about a server. */
export async function decisiveSecretsOf(item: PermissionGrant, secrets: ReadSecrets): Promise<readonly GivenSecret[]> {
  const isOfServer = item.subject === 'mcp-server' && item.holder !== undefined;
  return isOfServer ? storedDecisiveSecrets(item.holder.server, item.value, secrets) : [];
}

/** A reference in a variable or an argument hides what stands behind it, whenever that was entered. */
export async function storedDecisiveSecrets(
  server: string,
  { args = [], env = {} }: ServerLaunch,
  secrets: ReadSecrets,
): Promise<readonly GivenSecret[]> {
  const values = new Map<string, string>();
  for (const name of keychainNamesIn([args, env])) {
    const stored = `mcp/${server}/${name}`;
    const secret = isSecretName(stored) ? await secrets.get(stored) : undefined;
    if (secret !== undefined) values.set(name, secret.value);
  }
  const decisive = decisiveNames({ args, env }, values);
  return [...values].flatMap(([name, whole]) =>
    decisive.has(name) ? [{ name, end: '', whole, keptIn: 'keychain' } as const] : [],
  );
}
