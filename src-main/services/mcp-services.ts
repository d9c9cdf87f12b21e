import manifest from '../../package.json' with { type: 'json' };
import type { Notice, TurnServices } from '../assistant/turn.ts';
import { withBundledServer } from '../mcp/bundled-server.ts';
import type { McpConnection } from '../mcp/connection.ts';
import { McpManager } from '../mcp/manager.ts';
import { SignIns } from '../mcp/oauth/sign-ins.ts';
import { ServerRequests } from '../mcp/requests/server-requests.ts';
import { serverFacts } from '../mcp/server-facts.ts';
import type { ServerSurroundings } from '../mcp/server-surroundings.ts';
import { ServerLogFiles } from '../mcp/status/server-log-files.ts';
import type { BundledProcess } from '../mcp/transport/bundled-process.ts';
import { inheritedEnvironment } from '../mcp/transport/server-environment.ts';
import type { HttpClient } from '../network/http.ts';
import type { ConsentPort } from '../policy/consent.ts';
import type { McpServerFacts } from '../policy/mcp/mcp-call.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import { ServerConsent } from '../policy/mcp/server-consent.ts';
import type { Confirmations } from '../policy/permission-grants.ts';
import type { QuestionQueues } from '../policy/question-queues.ts';
import type { RuleMatcher } from '../policy/rules.ts';
import { LoginShellPath, type SearchPath } from '../processes/login-shell-path.ts';
import { ProcessRunner } from '../processes/process-runner.ts';
import { ProcessWatcher } from '../processes/process-watcher.ts';
import type { StartUtility } from '../processes/utility-process.ts';
import { mcpSecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { wasRead } from '../settings/problems.ts';
import type { Settings } from '../settings/settings.ts';
import type { KnownServers } from '../storage/records/known-servers.ts';
import type { Rules } from '../storage/records/rules.ts';
import type { ServerNotes } from '../storage/records/server-notes.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { notListedNotices } from './not-listed.ts';
import { type SamplingModel, serverSampling } from './server-sampling.ts';
import { ServerSettings } from './server-settings.ts';
import { ServerTools } from './server-tools.ts';
import { signInAddressGrant, signInGrant } from './sign-in-grants.ts';
import { TemplateEntries } from './template-entries.ts';

/** How long servers may take to end where nobody does anything else meanwhile. Source: tool catalogue C.1. */
const UNATTENDED_END_MS = 2_000;

export interface McpServicesPorts {
  readonly settings: Settings;
  readonly effective: EffectiveSettings;
  readonly registry: ToolRegistry;
  readonly http: HttpClient;
  readonly secrets: Secrets;
  readonly knownServers: KnownServers;
  readonly serverNotes: ServerNotes;
  readonly confirmations: Confirmations;
  readonly definitions: PinnedDefinitions;
  readonly rules: Pick<Rules<RuleMatcher>, 'all' | 'revoke'>;
  /** See `ServicesOptions`. */
  readonly isLongLived: boolean;
  /** See `ServicesOptions`. */
  readonly bundled: BundledProcess;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute. */
  readonly locksFolder: string;
  /** Absolute: where the logs of servers are kept. */
  readonly serverLogsFolder: string;
  /** See `ServicesOptions`. */
  readonly openUrl: ((url: string) => Promise<void>) | undefined;
  readonly log: (message: string, code?: 'mcp_sign_in') => void;
  readonly notify: (notice: Notice) => void;
  readonly consent: ConsentPort;
  /** Shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
  /** The conversation's model. */
  readonly modelOf: (conversationId: string) => Promise<SamplingModel>;
}

export interface McpServices {
  readonly manager: McpManager;
  readonly tools: ServerTools;
  readonly factsOf: (server: string, config: McpServerConfig) => McpServerFacts;
  /** See `TurnServices`. */
  readonly awaitTools: TurnServices['awaitTools'];
  readonly surroundings: ServerSurroundings;
  readonly signIns: SignIns;
  /** On the user's request: signs in and reconnects. Rejects with `SignInFailure`. */
  signIn(server: string): Promise<void>;
  /** Deletes the sign-in and reconnects. Rejects with `SecretsError`. */
  signOut(server: string): Promise<void>;
  /** Changes their entries in config.json and the keychain. */
  readonly setup: ServerSettings;
  /** Ends every server, within six seconds. */
  close(): Promise<void>;
}

/** The confirmed servers of config.json, and their tools in the registry. Both follow the file. */
export function openMcpServices(ports: McpServicesPorts): McpServices {
  const { settings, effective, registry, http, secrets, knownServers, definitions, rules, isLongLived, env } = ports;
  const { log, notify } = ports;
  // A separate runner: servers take longer to end than what tools started, and neither should wait for the other.
  const watcher = new ProcessWatcher({ log });
  const processes = new ProcessRunner({ environment: () => inheritedEnvironment(env), watcher });
  const loginShell = new LoginShellPath({ processes, env });
  const killServers = () => processes.killAllNow();
  process.once('exit', killServers);
  const secretOf = async (server: string, name: string) => (await secrets.use(mcpSecretName(server, name)))?.value;
  const knownSecrets = () => secrets.redactionValues();
  const serverConsent = new ServerConsent(ports);
  const sample = serverSampling({ consent: serverConsent, modelOf: ports.modelOf });
  const requests = new WeakMap<McpConnection, ServerRequests>();
  const openUrl = ports.openUrl ?? (() => Promise.reject(new Error('No browser can be opened from here')));
  const folders = () => [effective.workspace, ...effective.config.folders];
  const surroundings: ServerSurroundings = {
    processes,
    secretOf,
    knownSecrets,
    searchPath: () => loginShell.get(),
    environment: () => environmentWith(loginShell.get(), env),
  };
  const signIns = new SignIns({
    http,
    secrets,
    secretOf,
    locksFolder: ports.locksFolder,
    openBrowser: ports.openUrl,
    configOf: (server) => effective.config.mcpServers[server],
    confirm: (server, question, signal) => effective.askForGrant(signInGrant(server, question), signal),
    confirmPrivate: async (server, url, signal) =>
      effective.config.tools.allowPrivateNetwork !== 'never' &&
      effective.askForGrant(signInAddressGrant(server, url), signal),
    now: () => Date.now(),
  });
  const logFiles = new ServerLogFiles(ports.serverLogsFolder);
  const flushLogs = () => logFiles.flush();
  process.once('exit', flushLogs);
  const manager = new McpManager({
    processes,
    http,
    knownServers,
    version: manifest.version,
    log,
    secretOf,
    knownSecrets,
    signIns,
    bundled: { ...ports.bundled, startUtility: watched(ports.bundled.startUtility, watcher) },
    features: (connection) => {
      serverConsent.forget(connection.name);
      const own = new ServerRequests(connection, { consent: serverConsent, sample, openUrl, folders });
      requests.set(connection, own);
      return own;
    },
    env: surroundings.environment,
    notes: ports.serverNotes,
    logFiles,
    ...(isLongLived ? {} : { endByItselfMs: UNATTENDED_END_MS }),
    now: () => new Date(),
  });
  const templates = new TemplateEntries(ports.confirmations);
  const factsOf: McpServices['factsOf'] = (server, config) =>
    serverFacts(server, config, templates.madeBy(server, config));
  const tools: ServerTools = new ServerTools({
    manager,
    definitions,
    registry,
    factsOf,
    notify,
    asksFirst: !isLongLived,
    keepClasses: (server, chosen, signal) => setup.keepClasses(server, chosen, signal),
  });
  const apply = () => {
    const servers = withBundledServer(effective.config.mcpServers);
    if (wasRead(settings.problems)) {
      // An invalid entry is not a removed one, and the removal of another may be undone.
      const named = new Set([...Object.keys(settings.serversAsWritten), ...effective.keptServers]);
      definitions.forgetRemoved(named);
      for (const { id, matcher } of rules.all()) {
        if (matcher.kind !== 'mcp-tool' || named.has(matcher.server) || Object.hasOwn(servers, matcher.server))
          continue;
        rules.revoke(id);
      }
    }
    manager.apply(servers);
    for (const connection of manager.servers) requests.get(connection)?.foldersChanged();
  };
  apply();
  effective.onChange(apply);
  const setup: ServerSettings = new ServerSettings({
    settings,
    effective,
    secrets,
    manager,
    tools,
    signIns,
    templates,
  });
  return {
    manager,
    tools,
    factsOf,
    awaitTools: async (signal) => notListedNotices(await manager.listedSoon(signal)),
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
    setup,
    close: async () => {
      tools.close();
      await signIns.close();
      // `setup` may wait for a locked keychain; servers end in the meantime.
      await Promise.all([setup.close(), manager.close()]);
      await processes.killAll();
      await watcher.close();
      process.off('exit', flushLogs);
      process.off('exit', killServers);
    },
  };
}

/** The watcher also tracks processes that the desktop starts. */
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
