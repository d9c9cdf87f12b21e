import { version } from '../../package.json';
import { McpManager } from '../mcp/manager.ts';
import { type McpToolPolicy, mcpTool } from '../mcp/mcp-tool.ts';
import { inheritedEnvironment } from '../mcp/server-environment.ts';
import type { ToolList } from '../mcp/tool-list.ts';
import type { HttpClient } from '../network/http.ts';
import { ProcessRunner } from '../processes/process-runner.ts';
import { ProcessWatcher } from '../processes/process-watcher.ts';
import { mcpSecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { KnownServers } from '../storage/records/known-servers.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import type { EffectiveSettings } from './effective-settings.ts';

export interface McpServicesPorts {
  readonly effective: EffectiveSettings;
  readonly registry: ToolRegistry;
  readonly http: HttpClient;
  readonly secrets: Secrets;
  readonly knownServers: KnownServers;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (message: string) => void;
}

/** Until a class is known, every call asks, each time, with everything that would go out. */
const EVERY_CALL_ASKS: McpToolPolicy = {
  accessClass: () => 'send',
  accessOf: (server, tool, input) => [
    { class: 'send', recipients: [`MCP server ${server}`], text: `${tool.name} ${JSON.stringify(input, null, 2)}` },
  ],
};

export interface McpServices {
  readonly manager: McpManager;
  /** Ends every server; none lives longer than six seconds. */
  close(): Promise<void>;
}

/** The servers of config.json, as far as they were confirmed, and their tools in the registry. Both follow the file. */
export function openMcpServices(ports: McpServicesPorts): McpServices {
  const { effective, registry, http, secrets, knownServers, env, log } = ports;
  // A runner of their own: servers end more slowly than what tools started, and neither waits for the other.
  const watcher = new ProcessWatcher({ log });
  const processes = new ProcessRunner({ environment: () => inheritedEnvironment(env), watcher });
  const killServers = () => processes.killAllNow();
  process.once('exit', killServers);
  const manager = new McpManager({
    ...{ processes, http, knownServers, version, log },
    env: () => env,
    now: () => new Date(),
    secretOf: async (server, name) => (await secrets.get(mcpSecretName(server, name)))?.value,
  });
  let offered: readonly ToolList[] = [];
  const register = () => {
    const connections = manager.servers.filter(({ mayBeCalled }) => mayBeCalled);
    const lists = connections.flatMap(({ list }) => list ?? []);
    // Servers change their state more often than their tools.
    if (lists.length === offered.length && lists.every((list, index) => list === offered[index])) return;
    offered = lists;
    registry.clear('mcp');
    for (const connection of connections) {
      for (const tool of connection.list?.tools ?? [])
        registry.register({ tool: mcpTool(connection, tool, EVERY_CALL_ASKS), category: 'mcp' });
    }
    registry.buildAll();
  };
  manager.onChange(register);
  manager.apply(effective.config.mcpServers);
  effective.onChange(() => manager.apply(effective.config.mcpServers));
  return {
    manager,
    close: async () => {
      await manager.close();
      await processes.killAll();
      await watcher.close();
      process.off('exit', killServers);
    },
  };
}
