import manifest from '../../package.json' with { type: 'json' };
import type { Notice } from '../assistant/turn.ts';
import { withBundledServer } from '../mcp/bundled-server.ts';
import { McpManager } from '../mcp/manager.ts';
import { SignIns } from '../mcp/oauth/sign-ins.ts';
import { inheritedEnvironment } from '../mcp/server-environment.ts';
import type { ServerSurroundings } from '../mcp/server-surroundings.ts';
import type { HttpClient } from '../network/http.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import { LoginShellPath, type SearchPath } from '../processes/login-shell-path.ts';
import { ProcessRunner } from '../processes/process-runner.ts';
import { ProcessWatcher } from '../processes/process-watcher.ts';
import type { StartUtility } from '../processes/utility-process.ts';
import { mcpSecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { wasRead } from '../settings/problems.ts';
import type { Settings } from '../settings/settings.ts';
import type { KnownServers } from '../storage/records/known-servers.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { ServerTools } from './server-tools.ts';
import { signInAddressGrant, signInGrant } from './sign-in-grants.ts';

export interface McpServicesPorts {
  readonly settings: Settings;
  readonly effective: EffectiveSettings;
  readonly registry: ToolRegistry;
  readonly http: HttpClient;
  readonly secrets: Secrets;
  readonly knownServers: KnownServers;
  readonly definitions: PinnedDefinitions;
  /** See `ServicesOptions`. */
  readonly isLongLived: boolean;
  /** See `ServicesOptions`. */
  readonly startUtility: StartUtility | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute. */
  readonly locksFolder: string;
  /** See `ServicesOptions`. */
  readonly openUrl: ((url: string) => Promise<void>) | undefined;
  readonly log: (message: string) => void;
  readonly notify: (notice: Notice) => void;
}

export interface McpServices {
  readonly manager: McpManager;
  readonly tools: ServerTools;
  readonly surroundings: ServerSurroundings;
  readonly signIns: SignIns;
  /** As a person asks for it: signs in and connects anew. Rejects with `SignInFailure`. */
  signIn(server: string): Promise<void>;
  /** Forgets who the person is to the server, and connects anew. Rejects with `SecretsError`. */
  signOut(server: string): Promise<void>;
  /** Ends every server; none lives longer than six seconds. */
  close(): Promise<void>;
}

/** The servers of config.json, as far as they were confirmed, and their tools in the registry. Both follow the file. */
export function openMcpServices(ports: McpServicesPorts): McpServices {
  const { settings, effective, registry, http, secrets, knownServers, definitions, isLongLived, env, log, notify } =
    ports;
  // A runner of their own: servers end more slowly than what tools started, and neither waits for the other.
  const watcher = new ProcessWatcher({ log });
  const processes = new ProcessRunner({ environment: () => inheritedEnvironment(env), watcher });
  const loginShell = new LoginShellPath({ processes, env });
  const killServers = () => processes.killAllNow();
  process.once('exit', killServers);
  const secretOf = async (server: string, name: string) => (await secrets.get(mcpSecretName(server, name)))?.value;
  const knownSecrets = () => secrets.redactionValues();
  const surroundings: ServerSurroundings = {
    ...{ processes, secretOf, knownSecrets },
    searchPath: () => loginShell.get(),
    environment: () => environmentWith(loginShell.get(), env),
  };
  const signIns = new SignIns({
    ...{ http, secrets, secretOf, locksFolder: ports.locksFolder, openBrowser: ports.openUrl },
    configOf: (server) => effective.config.mcpServers[server],
    confirm: (server, question, signal) => effective.askForGrant(signInGrant(server, question), signal),
    confirmPrivate: async (server, url, signal) =>
      effective.config.tools.allowPrivateNetwork !== 'never' &&
      effective.askForGrant(signInAddressGrant(server, url), signal),
    now: () => Date.now(),
  });
  const manager = new McpManager({
    ...{ processes, http, knownServers, version: manifest.version, log, secretOf, knownSecrets, signIns },
    bundled: { startUtility: watched(ports.startUtility, watcher) },
    env: surroundings.environment,
    now: () => new Date(),
  });
  const tools = new ServerTools({ manager, definitions, registry, notify, asksFirst: !isLongLived });
  const apply = () => {
    if (wasRead(settings.problems)) definitions.forgetRemoved(new Set(Object.keys(settings.current.mcpServers)));
    manager.apply(withBundledServer(effective.config.mcpServers));
  };
  apply();
  effective.onChange(apply);
  return {
    manager,
    tools,
    surroundings,
    signIns,
    signIn: async (server) => {
      await signIns.signIn(server);
      await manager.get(server)?.restart();
    },
    signOut: async (server) => {
      await signIns.signOut(server);
      await manager.get(server)?.restart();
    },
    close: async () => {
      tools.close();
      await signIns.close();
      await manager.close();
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

async function environmentWith(searched: Promise<SearchPath>, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { path, source } = await searched;
  return source === 'environment' ? env : { ...env, PATH: path };
}
