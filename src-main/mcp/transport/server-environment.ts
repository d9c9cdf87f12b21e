import type { McpServerConfig } from '../../settings/config-schema.ts';
import { placeholderParts } from '../../settings/keychain-placeholders.ts';
import { ServerFailure } from '../status/server-problem.ts';

/**
 * The variables that a server inherits. Source: `getDefaultEnvironment` of the MCP TypeScript SDK, tool catalogue C.2.
 */
const INHERITED = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  win32: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
};

/** The value of a server's keychain entry; `undefined` if it is missing. */
export type SecretOf = (name: string) => Promise<string | undefined>;

/**
 * The environment of a server's process: only listed variables of ours, so that keys of other services don't leak, plus
 * those in its configuration. An exported shell function (`() { …`) is code and is not passed on.
 */
export function inheritedEnvironment(
  ours: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const listed = platform === 'win32' ? INHERITED.win32 : INHERITED.posix;
  const isListed = (name: string) => listed.includes(platform === 'win32' ? name.toUpperCase() : name);
  return Object.fromEntries(
    Object.entries(ours).filter(([name, value]) => isListed(name) && value !== undefined && !value.startsWith('()')),
  );
}

export async function serverEnvironment(
  { env }: Pick<McpServerConfig, 'env'>,
  ours: Readonly<NodeJS.ProcessEnv>,
  secretOf: SecretOf,
): Promise<NodeJS.ProcessEnv> {
  return { ...inheritedEnvironment(ours), ...(await withSecrets(env, secretOf)) };
}

/**
 * The arguments with the secrets in place. Only here do they contain secrets: what is shown, logged and hashed has them
 * as written in config.json.
 */
export function serverArguments({ args }: Pick<McpServerConfig, 'args'>, secretOf: SecretOf): Promise<string[]> {
  return Promise.all(args.map((arg) => withSecret(arg, secretOf)));
}

/** The values with every `${keychain:NAME}` replaced. Rejects with `ServerFailure` if an entry is missing. */
export async function withSecrets(
  values: Readonly<Record<string, string>>,
  secretOf: SecretOf,
): Promise<Record<string, string>> {
  const filled = await Promise.all(
    Object.entries(values).map(async ([name, value]) => [name, await withSecret(value, secretOf)] as const),
  );
  return Object.fromEntries(filled);
}

async function withSecret(value: string, secretOf: SecretOf): Promise<string> {
  const { texts, names } = placeholderParts(value);
  let [filled = ''] = texts;
  for (const [index, name] of names.entries()) {
    const secret = await secretOf(name);
    if (secret === undefined) throw new ServerFailure({ code: 'secret_missing', secret: name });
    // Placeholders inside a secret are not expanded.
    filled += `${secret}${texts[index + 1] ?? ''}`;
  }
  return filled;
}
