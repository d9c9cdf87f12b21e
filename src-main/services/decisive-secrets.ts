import { isRecord } from '../base/json.ts';
import { decisiveNames } from '../mcp/setup/decisive-values.ts';
import type { GivenSecret } from '../policy/consent.ts';
import type { PermissionGrant } from '../policy/permission-grants.ts';
import { isSecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { keychainNamesIn } from '../settings/keychain-placeholders.ts';

type ReadSecrets = Pick<Secrets, 'get'>;

/** For the question about a server: what the keychain holds already, and decides what the server runs. */
export async function decisiveSecretsOf(
  { holder, value }: Pick<PermissionGrant, 'holder' | 'value'>,
  secrets: ReadSecrets,
): Promise<readonly GivenSecret[]> {
  return holder === undefined ? [] : storedDecisiveSecrets(holder.server, value, secrets);
}

/** A reference in a variable or an argument hides what stands behind it, whenever that was entered. */
export async function storedDecisiveSecrets(
  server: string,
  launch: unknown,
  secrets: ReadSecrets,
): Promise<readonly GivenSecret[]> {
  if (!isRecord(launch)) return [];
  const args = Array.isArray(launch.args) ? launch.args.filter((each) => typeof each === 'string') : [];
  const env = Object.fromEntries(
    Object.entries(isRecord(launch.env) ? launch.env : {}).flatMap(([name, text]): [string, string][] =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  );
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
