import { ownValue } from '../base/json.ts';
import type { Config, McpServerConfig, ProviderConfig } from './config-schema.ts';
import { type ServerIdentity, serverIdentity } from './server-identity.ts';

/** What the subjects of config.json's permission grants name, exactly as it would take effect and is hashed. */
export interface ConfiguredValues {
  workspace: string;
  folder: string;
  endpoint: string;
  /**
   * The type belongs to it, because it decides which key is sent there. Without an address, the grant is about the use
   * of a key at its vendor.
   */
  provider: GrantedProvider;
  'mcp-server': ServerLaunch;
  'mcp-classes': NonNullable<McpServerConfig['classes']>;
  'mcp-text': NonNullable<McpServerConfig['text']>;
  /** The server's URL. */
  'mcp-roots': string;
  'client-socket': true;
  'update-check': true;
}

export interface GrantedProvider {
  readonly type: ProviderConfig['type'];
  readonly baseUrl?: string | undefined;
}

/** The program to start or the URL to reach; only what the entry has. */
export type ServerLaunch = Partial<
  Pick<McpServerConfig, 'transport' | 'command' | 'args' | 'env' | 'url' | 'headers' | 'oauth'>
>;

/**
 * An MCP server's other permissions hold only while this identity stays the same. It is remembered under `key`.
 */
export interface GrantHolder {
  readonly server: string;
  readonly key: string;
  readonly identity: ServerIdentity;
}

interface ConfiguredGrantOf<S extends keyof ConfiguredValues> {
  readonly subject: S;
  /**
   * The key of the grant, such as `workingDirectory`, `folders[/srv/reports]`, `endpoints.anthropic`,
   * `providers.local.baseUrl`, `mcpServers.files`, `mcpServers[files].classes`, `clientTools.socket` or
   * `updates.check`.
   */
  readonly key: string;
  readonly value: ConfiguredValues[S];
  /** Set for `mcp-server`. */
  readonly holder?: GrantHolder;
}

/**
 * A value in config.json that lets the assistant do more. It takes effect only once exactly this value was confirmed:
 * the policy's `PermissionGrant`, as far as config.json holds it.
 */
export type ConfiguredGrant<S extends keyof ConfiguredValues = keyof ConfiguredValues> = {
  [K in S]: ConfiguredGrantOf<K>;
}[S];

/** The value to confirm before programs can connect to the window. */
export const SOCKET_GRANT: ConfiguredGrant<'client-socket'> = {
  subject: 'client-socket',
  key: 'clientTools.socket',
  value: true,
};

/** The value to confirm before the releases are asked for a new version. */
export const UPDATE_CHECK_GRANT: ConfiguredGrant<'update-check'> = {
  subject: 'update-check',
  key: 'updates.check',
  value: true,
};

/** The value to confirm for a granted folder. */
export function folderGrant(folder: string): ConfiguredGrant<'folder'> {
  return { subject: 'folder', key: folderKey(folder), value: folder };
}

/** The permission grant of a workspace. */
export function workspaceGrant(folder: string): ConfiguredGrant<'workspace'> {
  return { subject: 'workspace', key: 'workingDirectory', value: folder };
}

/** The value to confirm for a provider's own address, or undefined if it has none. */
export function providerGrant(
  name: string,
  { type, baseUrl }: GrantedProvider,
): ConfiguredGrant<'provider'> | undefined {
  return baseUrl === undefined ? undefined : { subject: 'provider', key: providerKey(name), value: { type, baseUrl } };
}

/**
 * What has to be confirmed before a provider's own key is sent: its own address, else that it is used at the vendor of
 * this type.
 */
export function ownKeyGrant(name: string, place: GrantedProvider): ConfiguredGrant<'provider'> {
  return providerGrant(name, place) ?? { subject: 'provider', key: vendorUseKey(name), value: { type: place.type } };
}

export function grantsIn(config: Config): ConfiguredGrant[] {
  const items: ConfiguredGrant[] = [];
  if (config.workingDirectory !== undefined) items.push(workspaceGrant(config.workingDirectory));
  for (const folder of config.folders) items.push(folderGrant(folder));
  for (const [service, url] of Object.entries(config.endpoints)) {
    if (url !== undefined) items.push({ subject: 'endpoint', key: endpointKey(service), value: url });
  }
  for (const [name, provider] of Object.entries(config.providers)) {
    const item = providerGrant(name, provider);
    if (item !== undefined) items.push(item);
  }
  if (config.clientTools.socket) items.push(SOCKET_GRANT);
  if (config.updates.check) items.push(UPDATE_CHECK_GRANT);
  for (const [name, server] of Object.entries(config.mcpServers)) items.push(...grantsOfServer(name, server));
  return items;
}

/**
 * A server's grants: what is started or reached; what its tools may do without a question; whose text it returns.
 * Separate, so that reviewing tools does not ask about the command again. Telling a remote server about folders needs a
 * confirmation of its own, for its URL.
 */
export function grantsOfServer(name: string, server: McpServerConfig): ConfiguredGrant[] {
  const { transport, command, args, env, url, headers, oauth, classes = {}, text = 'outside' } = server;
  const items: ConfiguredGrant[] = [];
  // The bundled server was confirmed with the app.
  if (transport !== 'bundled') {
    const launch: ServerLaunch = { transport, command, args, env, url, headers, oauth };
    const absent = new Set(Object.entries(launch).flatMap(([key, member]) => (member === undefined ? [key] : [])));
    const value = keepEntries(launch, (key) => !absent.has(key));
    const holder = { server: name, key: identityKey(name), identity: serverIdentity(server) };
    items.push({ subject: 'mcp-server', key: serverKey(name), value, holder });
  }
  if (Object.values(classes).some((each) => each !== 'send')) items.push(classesGrant(name, classes));
  if (text !== 'outside') items.push(textGrant(name, text));
  if (server.roots === true && isElsewhere(server))
    items.push({ subject: 'mcp-roots', key: rootsKey(name), value: url ?? '' });
  return items;
}

const isElsewhere = ({ transport }: McpServerConfig) => transport === 'http' || transport === 'sse';

/**
 * The config without the grants whose key is not in `confirmedKeys`. A provider with an unconfirmed base URL is left
 * out entirely: otherwise the key would go to the vendor, for a model it does not have.
 */
export function effectiveConfig(config: Config, confirmedKeys: ReadonlySet<string>): Config {
  const isConfirmed = (key: string) => confirmedKeys.has(key);
  return {
    ...config,
    workingDirectory: isConfirmed('workingDirectory') ? config.workingDirectory : undefined,
    folders: config.folders.filter((folder) => isConfirmed(folderKey(folder))),
    endpoints: keepEntries(config.endpoints, (service) => isConfirmed(endpointKey(service))),
    providers: keepEntries(
      config.providers,
      (name) => ownValue(config.providers, name)?.baseUrl === undefined || isConfirmed(providerKey(name)),
    ),
    mcpServers: effectiveServers(config.mcpServers, isConfirmed),
    clientTools: {
      ...config.clientTools,
      socket: config.clientTools.socket && isConfirmed(SOCKET_GRANT.key),
    },
    updates: { ...config.updates, check: config.updates.check && isConfirmed(UPDATE_CHECK_GRANT.key) },
  };
}

/** A server's main grant: what is started or reached. */
export function serverGrant(name: string, server: McpServerConfig): ConfiguredGrant<'mcp-server'> | undefined {
  return grantsOfServer(name, server).find((item) => item.subject === 'mcp-server');
}

export function classesGrant(
  name: string,
  classes: NonNullable<McpServerConfig['classes']>,
): ConfiguredGrant<'mcp-classes'> {
  return { subject: 'mcp-classes', key: classesKey(name), value: classes };
}

export function textGrant(name: string, text: NonNullable<McpServerConfig['text']>): ConfiguredGrant<'mcp-text'> {
  return { subject: 'mcp-text', key: textKey(name), value: text };
}

/** The keys of all confirmations a server can have. */
export function grantKeysOfServer(name: string): readonly string[] {
  return [serverKey(name), identityKey(name), templateKey(name), classesKey(name), textKey(name), rootsKey(name)];
}

function effectiveServers(servers: Config['mcpServers'], isConfirmed: (key: string) => boolean): Config['mcpServers'] {
  const kept = keepEntries(
    servers,
    (name) => ownValue(servers, name)?.transport === 'bundled' || isConfirmed(serverKey(name)),
  );
  return Object.fromEntries(
    Object.entries(kept).map(([name, { classes, text, roots, ...server }]) => [
      name,
      {
        ...server,
        ...(classes === undefined ? {} : { classes: isConfirmed(classesKey(name)) ? classes : onlySending(classes) }),
        ...(text !== undefined && isConfirmed(textKey(name)) ? { text } : {}),
        ...(roots === undefined || (roots && isElsewhere(server) && !isConfirmed(rootsKey(name))) ? {} : { roots }),
      },
    ]),
  );
}

/** A `send` class only makes a tool ask more, so it needs no confirmation. */
function onlySending(classes: NonNullable<McpServerConfig['classes']>): NonNullable<McpServerConfig['classes']> {
  return Object.fromEntries(Object.entries(classes).filter(([, each]) => each === 'send'));
}

const folderKey = (folder: string) => `folders[${folder}]`;
const endpointKey = (service: string) => `endpoints.${service}`;
const providerKey = (name: string) => `providers.${name}.baseUrl`;
export const vendorUseKey = (name: string) => `providers[${name}].ownKey`;
const serverKey = (name: string) => `mcpServers.${name}`;
// The name is in brackets and not behind a dot, which a server's name may contain: one server's confirmation must not
// apply to another.
const identityKey = (name: string) => `mcpServers[${name}].identity`;
/** The key under which it is remembered that a template made the entry. */
export const templateKey = (name: string) => `mcpServers[${name}].template`;
const classesKey = (name: string) => `mcpServers[${name}].classes`;
const textKey = (name: string) => `mcpServers[${name}].text`;
const rootsKey = (name: string) => `mcpServers[${name}].roots`;

function keepEntries<T extends object>(object: T, keep: (key: string) => boolean): T {
  const kept = { ...object };
  for (const key of Object.keys(kept)) if (!keep(key)) Reflect.deleteProperty(kept, key);
  return kept;
}
