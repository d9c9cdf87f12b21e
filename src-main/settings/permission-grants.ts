import type { Config, McpServerConfig } from './config-schema.ts';

/** A permission grant: a value in config.json that lets the assistant do more. It takes effect once a person confirmed exactly it. */
export interface PermissionGrant {
  readonly subject: 'workspace' | 'folder' | 'endpoint' | 'provider' | 'mcp-server';
  /** `workingDirectory`, `folders[/srv/reports]`, `endpoints.anthropic`, `providers.local.baseUrl`, `mcpServers.files`. */
  readonly key: string;
  /** As it would be used. For a provider also what it speaks, because that decides which key is sent there. */
  readonly value: unknown;
}

/** The exact value that is asked about and confirmed for one granted folder. */
export function folderGrant(folder: string): PermissionGrant {
  return { subject: 'folder', key: folderKey(folder), value: folder };
}

/** The same for the workspace. */
export function workspaceGrant(folder: string): PermissionGrant {
  return { subject: 'workspace', key: 'workingDirectory', value: folder };
}

export function grantsIn(config: Config): PermissionGrant[] {
  const items: PermissionGrant[] = [];
  if (config.workingDirectory !== undefined) items.push(workspaceGrant(config.workingDirectory));
  for (const folder of config.folders) items.push(folderGrant(folder));
  for (const [service, url] of Object.entries(config.endpoints)) {
    if (url !== undefined) items.push({ subject: 'endpoint', key: endpointKey(service), value: url });
  }
  for (const [name, { type, baseUrl }] of Object.entries(config.providers)) {
    if (baseUrl !== undefined) items.push({ subject: 'provider', key: providerKey(name), value: { type, baseUrl } });
  }
  for (const [name, server] of Object.entries(config.mcpServers))
    items.push({ subject: 'mcp-server', key: serverKey(name), value: reachOf(server) });
  return items;
}

/** What gives a server power. When it starts and how long it may take is nobody's risk; switching it off is none either. */
function reachOf({ transport, command, args, env, url, headers }: McpServerConfig): Partial<McpServerConfig> {
  return {
    transport,
    ...(command === undefined ? {} : { command }),
    args,
    env,
    ...(url === undefined ? {} : { url }),
    headers,
  };
}

/**
 * The config without the permission grants whose key is not in `confirmedKeys`. A provider with an unconfirmed base URL is left
 * out as a whole: without it, the key would go to the vendor for a model that is not there.
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
      (name) => config.providers[name]?.baseUrl === undefined || isConfirmed(providerKey(name)),
    ),
    mcpServers: keepEntries(config.mcpServers, (name) => isConfirmed(serverKey(name))),
  };
}

const folderKey = (folder: string) => `folders[${folder}]`;
const endpointKey = (service: string) => `endpoints.${service}`;
const providerKey = (name: string) => `providers.${name}.baseUrl`;
const serverKey = (name: string) => `mcpServers.${name}`;

function keepEntries<T extends object>(object: T, keep: (key: string) => boolean): T {
  const kept = { ...object };
  for (const key of Object.keys(kept)) if (!keep(key)) Reflect.deleteProperty(kept, key);
  return kept;
}
