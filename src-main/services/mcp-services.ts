import manifest from '../../package.json' with { type: 'json' };
import type { Notice } from '../assistant/turn.ts';
import { withBundledServer } from '../mcp/bundled-server.ts';
import { McpManager } from '../mcp/manager.ts';
import { inheritedEnvironment } from '../mcp/server-environment.ts';
import type { HttpClient } from '../network/http.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import type { RuleMatcher } from '../policy/rules.ts';
import { ProcessRunner } from '../processes/process-runner.ts';
import { ProcessWatcher } from '../processes/process-watcher.ts';
import type { StartUtility } from '../processes/utility-process.ts';
import { mcpSecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { wasRead } from '../settings/problems.ts';
import type { Settings } from '../settings/settings.ts';
import type { KnownServers } from '../storage/records/known-servers.ts';
import type { Rules } from '../storage/records/rules.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { ServerSettings } from './server-settings.ts';
import { ServerTools } from './server-tools.ts';

export interface McpServicesPorts {
  readonly settings: Settings;
  readonly effective: EffectiveSettings;
  readonly registry: ToolRegistry;
  readonly http: HttpClient;
  readonly secrets: Secrets;
  readonly knownServers: KnownServers;
  readonly definitions: PinnedDefinitions;
  readonly rules: Pick<Rules<RuleMatcher>, 'all' | 'revoke'>;
  /** See `ServicesOptions`. */
  readonly isLongLived: boolean;
  /** See `ServicesOptions`. */
  readonly startUtility: StartUtility | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (message: string) => void;
  readonly notify: (notice: Notice) => void;
}

export interface McpServices {
  readonly manager: McpManager;
  readonly tools: ServerTools;
  /** Changes what config.json and the keychain hold of them. */
  readonly setup: ServerSettings;
  /** Ends every server; none lives longer than six seconds. */
  close(): Promise<void>;
}

/** The servers of config.json, as far as they were confirmed, and their tools in the registry. Both follow the file. */
export function openMcpServices(ports: McpServicesPorts): McpServices {
  const { settings, effective, registry, http, secrets, knownServers, definitions, rules, isLongLived, env } = ports;
  const { log, notify } = ports;
  // A runner of their own: servers end more slowly than what tools started, and neither waits for the other.
  const watcher = new ProcessWatcher({ log });
  const processes = new ProcessRunner({ environment: () => inheritedEnvironment(env), watcher });
  const killServers = () => processes.killAllNow();
  process.once('exit', killServers);
  const manager = new McpManager({
    ...{ processes, http, knownServers, version: manifest.version, log },
    bundled: { startUtility: watched(ports.startUtility, watcher) },
    env: () => env,
    now: () => new Date(),
    secretOf: async (server, name) => (await secrets.get(mcpSecretName(server, name)))?.value,
  });
  const tools: ServerTools = new ServerTools({
    ...{ manager, definitions, registry, notify, asksFirst: !isLongLived },
    keepClasses: (server, chosen, signal) => setup.keepClasses(server, chosen, signal),
  });
  const apply = () => {
    const servers = withBundledServer(effective.config.mcpServers);
    if (wasRead(settings.problems)) {
      // One whose entry has a mistake is not gone, and the removal of another may be undone.
      const named = new Set([...Object.keys(settings.serversAsWritten), ...effective.keptServers]);
      definitions.forgetRemoved(named);
      for (const { id, matcher } of rules.all()) {
        if (matcher.kind !== 'mcp-tool' || named.has(matcher.server) || Object.hasOwn(servers, matcher.server)) continue;
        rules.revoke(id);
      }
    }
    manager.apply(servers);
  };
  apply();
  effective.onChange(apply);
  const setup: ServerSettings = new ServerSettings({ settings, effective, secrets, manager, tools });
  return {
    manager,
    tools,
    setup,
    close: async () => {
      tools.close();
      // A locked keychain may keep the one waiting; servers end meanwhile.
      await Promise.all([setup.close(), manager.close()]);
      await processes.killAll();
      await watcher.close();
      process.off('exit', killServers);
    },
  };
}

/** What the desktop starts is known to the watcher like what the runner starts. */
function watched(startUtility: StartUtility | undefined, watcher: ProcessWatcher): StartUtility | undefined {
  if (startUtility === undefined) return undefined;
  return async (request) => {
    const utility = await startUtility(request);
    watcher.add(utility.pid);
    void utility.exited.then(() => watcher.forget(utility.pid));
    return utility;
  };
}
