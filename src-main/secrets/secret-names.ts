/** Every secret that the app defines. Source: design section 6. */
export const secretNames = [
  'anthropic-api-key',
  'anthropic-admin-api-key',
  'brave-api-key',
  'google-client-id',
  'google-client-secret',
  'openai-api-key',
  'gemini-api-key',
  'google-gmail',
  'google-calendar',
] as const;

export type AppSecretName = (typeof secretNames)[number];
/** Referred to as `${keychain:NAME}` in an MCP server's configuration. */
export type McpSecretName = `mcp/${string}/${string}`;
/**
 * What Steward itself keeps of a sign-in to an MCP server. A configuration cannot refer to it: no variable's name has a
 * colon.
 */
const mcpRecords = ['oauth:client', 'oauth:tokens'] as const;
export type McpRecordName = `mcp/${string}/${(typeof mcpRecords)[number]}`;
/** The own key of a model provider in config.json. */
export type ProviderSecretName = `provider/${string}`;
export type SecretName = AppSecretName | McpSecretName | McpRecordName | ProviderSecretName;

/** The only variables that are read from the environment and from `.env`. */
export const environmentNames: Readonly<Record<string, string>> = {
  'anthropic-api-key': 'ANTHROPIC_API_KEY',
  'anthropic-admin-api-key': 'ANTHROPIC_ADMIN_API_KEY',
  'brave-api-key': 'BRAVE_API_KEY',
  'google-client-id': 'GOOGLE_CLIENT_ID',
  'google-client-secret': 'GOOGLE_CLIENT_SECRET',
  'openai-api-key': 'OPENAI_API_KEY',
  'gemini-api-key': 'GEMINI_API_KEY',
};

const variableName = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/;
/** The name of an MCP server or a model provider. */
const entryName = /^[^\p{Cc}]{1,100}$/u;

/** Throws a `RangeError` for a server or variable name that cannot be part of a keychain entry. */
export function mcpSecretName(server: string, variable: string): McpSecretName {
  const name: McpSecretName = `mcp/${server}/${variable}`;
  if (!isSecretName(name))
    throw new RangeError(
      `${JSON.stringify(variable)} of MCP server ${JSON.stringify(server)} cannot be the name of a secret. Use letters, digits, "_", "-" and ".".`,
    );
  return name;
}

/** Throws a `RangeError` for a server name that cannot be part of a keychain entry. */
export function mcpRecordName(server: string, record: (typeof mcpRecords)[number]): McpRecordName {
  if (!entryName.test(server))
    throw new RangeError(`${JSON.stringify(server)} cannot be part of the name of a secret.`);
  return `mcp/${server}/${record}`;
}

/** Throws a `RangeError` for a provider's name that cannot be part of a keychain entry. */
export function providerSecretName(provider: string): ProviderSecretName {
  if (!entryName.test(provider))
    throw new RangeError(`${JSON.stringify(provider)} cannot be part of the name of a secret.`);
  return `provider/${provider}`;
}

export function isSecretName(name: string): name is SecretName {
  if (secretNames.some((known) => known === name)) return true;
  if (name.startsWith('provider/')) return entryName.test(name.slice('provider/'.length));
  const [, server, variable] = /^mcp\/(.+)\/([^/]*)$/s.exec(name) ?? [];
  if (server === undefined || variable === undefined || !entryName.test(server)) return false;
  return variableName.test(variable) || mcpRecords.some((record) => record === variable);
}
