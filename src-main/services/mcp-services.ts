import manifest from '../../package.json' with { type: 'json' };
import type { FileReview } from '../assistant/review/file-review.ts';
import type { Notice, TurnServices } from '../assistant/turn.ts';
import { visible } from '../base/text.ts';
import { withBundledServer } from '../mcp/bundled-server.ts';
import type { McpConnection } from '../mcp/connection.ts';
import { McpManager } from '../mcp/manager.ts';
import type { SignIns } from '../mcp/oauth/sign-ins.ts';
import { ServerRequests } from '../mcp/requests/server-requests.ts';
import { serverFacts } from '../mcp/server-facts.ts';
import type { ServerSurroundings } from '../mcp/server-surroundings.ts';
import { ServerLogFiles } from '../mcp/status/server-log-files.ts';
import { inheritedEnvironment } from '../mcp/transport/server-environment.ts';
import type { HttpClient } from '../network/http.ts';
import type { McpServerFacts } from '../policy/mcp/mcp-call.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import { ServerConsent } from '../policy/mcp/server-consent.ts';
import { LoginShellPath, type SearchPath } from '../processes/login-shell-path.ts';
import type { ProcessWatcher } from '../processes/process-watcher.ts';
import type { StartUtility } from '../processes/utility-process.ts';
import { WatchedProcesses } from '../processes/watched-processes.ts';
import { mcpSecretName } from '../secrets/secret-names.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { locksIn, serverLogsIn } from '../settings/profile.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import { looksBuiltIn } from './built-in-names.ts';
import type { OpenProfile } from './open-profile.ts';
import { endPermissionsOfRemoved } from './removed-servers.ts';
import { type SamplingModel, serverSampling } from './server-sampling.ts';
import { ServerSettings } from './server-settings.ts';
import { serverSignIns } from './server-sign-ins.ts';
import { ServerTools } from './server-tools.ts';
import type { SurfacePorts } from './surface-ports.ts';
import { TemplateEntries } from './template-entries.ts';

/** How long servers may take to end where nobody does anything else meanwhile. Source: tool catalogue C.1. */
const UNATTENDED_END_MS = 2_000;

export interface McpServicesPorts {
  readonly profile: OpenProfile;
  readonly surface: SurfacePorts;
  readonly registry: ToolRegistry;
  readonly http: HttpClient;
  readonly definitions: PinnedDefinitions;
  readonly review: Pick<FileReview, 'inRootsOf' | 'pending' | 'onChange'>;
  readonly log: (message: string, code?: 'mcp_sign_in') => void;
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
  /** Signs in and reconnects. Call it only on the user's request. Rejects with `SignInFailure`. */
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
  const { profile, surface, registry, http, definitions, review, log } = ports;
  const { settings, effective, storage, secrets } = profile;
  const { isLongLived, bundled, openUrl: openBrowser, env, notify } = surface;
  // A separate runner: servers take longer to end than what tools started, and neither should wait for the other.
  const watched = new WatchedProcesses({ environment: () => inheritedEnvironment(env), log });
  const processes = watched.runner;
  const loginShell = new LoginShellPath({ processes, env });
  const secretOf = async (server: string, name: string) => (await secrets.use(mcpSecretName(server, name)))?.value;
  const knownSecrets = () => secrets.redactionValues();
  const serverConsent = new ServerConsent(surface);
  const sample = serverSampling({ consent: serverConsent, modelOf: ports.modelOf });
  const requests = new WeakMap<McpConnection, ServerRequests>();
  const openUrl = openBrowser ?? (() => Promise.reject(new Error('No browser can be opened from here')));
  const folders = () => [effective.workspace, ...effective.config.folders];
  const surroundings: ServerSurroundings = {
    processes,
    secretOf,
    knownSecrets,
    searchPath: () => loginShell.get(),
    environment: () => environmentWith(loginShell.get(), env),
  };
  const locksFolder = locksIn(profile.directory);
  const signIns = serverSignIns({ http, secrets, secretOf, locksFolder, openBrowser, effective });
  const logFiles = new ServerLogFiles(serverLogsIn(profile.directory));
  const flushLogs = () => logFiles.flush();
  process.once('exit', flushLogs);
  const manager = new McpManager({
    processes,
    http,
    knownServers: storage.knownServers,
    version: manifest.version,
    log,
    secretOf,
    unreviewedFor: async (program) => {
      const { placesOfProgram } = await import('../policy/mcp/program-places.ts');
      return review.inRootsOf(placesOfProgram(program));
    },
    knownSecrets,
    looksBuiltIn: looksBuiltIn(registry),
    signIns,
    bundled: { ...bundled, startUtility: watchedStart(bundled.startUtility, watched.watcher) },
    features: (connection) => {
      serverConsent.forget(connection.name);
      const own = new ServerRequests(connection, { consent: serverConsent, sample, openUrl, folders });
      requests.set(connection, own);
      return own;
    },
    env: surroundings.environment,
    notes: storage.serverNotes,
    logFiles,
    ...(isLongLived ? {} : { endByItselfMs: UNATTENDED_END_MS }),
    now: () => new Date(),
  });
  const templates = new TemplateEntries(storage.confirmations);
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
    endPermissionsOfRemoved({ settings, effective, definitions, rules: storage.rules });
    manager.apply(withBundledServer(effective.config.mcpServers));
    for (const connection of manager.servers) requests.get(connection)?.foldersChanged();
  };
  apply();
  effective.onChange(apply);
  review.onChange(() => manager.startReviewed(review.pending()));
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
      await watched.close();
      process.off('exit', flushLogs);
    },
  };
}

/** The watcher also tracks processes that the desktop starts. */
function watchedStart(startUtility: StartUtility | undefined, watcher: ProcessWatcher): StartUtility | undefined {
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

/** A turn goes on without the tools of these servers. */
function notListedNotices(servers: readonly string[]): readonly Notice[] {
  if (servers.length === 0) return [];
  const [one] = servers.length === 1 ? servers : [];
  const who =
    one === undefined
      ? `These MCP servers have not listed their tools yet: ${servers.map(visible).join(', ')}.`
      : `MCP server '${visible(one)}' has not listed its tools yet.`;
  const message = `${who} The answer begins without them, and uses them as soon as they are there.`;
  return [{ code: 'mcp_not_listed', message }];
}
