import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SharedCallServices, ToolCallServices } from '../assistant/call-services.ts';
import type { FileReview } from '../assistant/review/file-review.ts';
import type { Notice } from '../assistant/turn.ts';
import { LeftRunningPrograms } from '../background/left-running.ts';
import { MailOutbox } from '../background/outbox/outbox.ts';
import { errorMessage } from '../base/errors.ts';
import { realPathOrItself } from '../base/real-path.ts';
import type { Clients } from '../client-tools/conversation-clients.ts';
import type { BundledProcess } from '../mcp/transport/bundled-process.ts';
import type { HttpClient } from '../network/http.ts';
import { createHttpClient } from '../network/http-client.ts';
import type { ConsentPort } from '../policy/consent.ts';
import { Gate } from '../policy/gate.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import type { QuestionQueues } from '../policy/question-queues.ts';
import type { RuleMatcher } from '../policy/rules.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import { ProcessRunner } from '../processes/process-runner.ts';
import { ProcessWatcher } from '../processes/process-watcher.ts';
import { KnownSecrets } from '../secrets/known-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { endpointOf } from '../settings/endpoints.ts';
import { serverLogsIn } from '../settings/profile.ts';
import type { Settings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import { registerBuiltInTools } from '../tools/built-in-tools.ts';
import type { Vendors } from '../tools/contract.ts';
import { OutgoingGmail } from '../tools/google/gmail-outgoing.ts';
import { ToolRegistry } from '../tools/registry/registry.ts';
import { BackgroundShells } from '../tools/shell/background-shells.ts';
import { AskableProviders, type AskableProvidersPorts } from './askable-providers.ts';
import { ConversationTools } from './conversation-tools.ts';
import type { Credentials } from './credentials.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { GoogleAccountServices } from './google-accounts.ts';
import { type McpServices, openMcpServices } from './mcp-services.ts';
import { ServerContents } from './server-contents.ts';
import type { SamplingModel } from './server-sampling.ts';

/** How long closing waits for Gmail's answer to a mail on its way. */
const MAIL_GRACE_MS = 5_000;

export interface ToolServicesPorts {
  readonly settings: Settings;
  readonly effective: EffectiveSettings;
  readonly storage: Storage<RuleMatcher>;
  readonly review: FileReview;
  readonly secrets: Secrets;
  readonly credentials: Credentials;
  readonly consent: ConsentPort;
  readonly definitions: PinnedDefinitions;
  /** See `ServicesOptions`. */
  readonly isLongLived: boolean;
  /** See `ServicesOptions`. */
  readonly bundled: BundledProcess;
  readonly questions: QuestionQueues;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute. */
  readonly profileDirectory: string;
  /** See `ServicesOptions`. */
  readonly openUrl: ((url: string) => Promise<void>) | undefined;
  readonly notify: (notice: Notice) => void;
  /** See `McpServicesPorts`. */
  readonly modelOf: (conversationId: string) => Promise<SamplingModel>;
  /** See `AskableProvidersPorts`. */
  readonly providerNamed: AskableProvidersPorts['load'];
}

export interface ToolServices {
  readonly registry: ToolRegistry;
  readonly mcp: McpServices;
  readonly serverContents: ServerContents;
  readonly google: GoogleAccountServices;
  readonly vendors: Vendors;
  /** `close` ends its connections. */
  readonly http: HttpClient;
  /** The environment for calls from now on; a turn keeps the workspace that it started in. */
  current(): SharedCallServices;
  /** The same with the tools of a conversation. */
  forConversation(conversationId: string): ToolCallServices;
  /** Keeps them for the length of a turn. Returns a function that ends it. */
  useConversation(conversationId: string): () => void;
  /** The programs that bring tools along, by conversation. */
  readonly clients: Clients;
  readonly leftRunning: LeftRunningPrograms;
  readonly outbox: MailOutbox;
  readonly asked: AskableProviders;
  /** Ends every process and connection that tools started. */
  close(): Promise<void>;
}

/** The tools, their gate, and the services they use: processes, the network, vendors' services. */
export function openToolServices(ports: ToolServicesPorts): ToolServices {
  const { effective, storage, review, secrets, credentials, consent, questions, env, notify } = ports;
  const log = (message: string, code: string = 'tools') => notify({ code, message });
  const registry = toolRegistry(ports, log);
  const vendors: Vendors = {
    baseUrlOf: (service) => endpointOf(service, effective.config, env).baseUrl,
    keyOf: async (name) => (await secrets.use(name))?.value,
    get searchProvider() {
      return effective.config.tools.webSearchProvider ?? (credentials.has('BRAVE_API_KEY') ? 'brave' : undefined);
    },
  };
  const asked = new AskableProviders({
    settings: effective,
    env,
    registry,
    load: ports.providerNamed,
    configured: () => Object.keys(ports.settings.current.providers),
    hasKey: (name) => credentials.has(name),
  });
  asked.register();
  effective.onChange(() => asked.register());
  const gate = new Gate({
    rules: storage.rules,
    consent,
    unreviewedFiles: review,
    get realWorkspace() {
      return effective.realWorkspace;
    },
    isInsideRoots: (path) => effective.files.contains(path),
    home: realPathOrItself(homedir()),
    get allowPrivateNetwork() {
      return effective.config.tools.allowPrivateNetwork;
    },
    endpointOrigins: () =>
      [...Object.values(effective.config.endpoints), vendors.baseUrlOf('anthropic')].filter((url) => url !== undefined),
    providerOrigins: () => asked.origins(),
    questions,
  });
  const watcher = new ProcessWatcher({ log });
  const processes = new ProcessRunner({ environment: () => childEnvironment(env), watcher });
  const shells = new BackgroundShells(processes);
  const knownSecrets = new KnownSecrets(() => secrets.redactionValues());
  const http = createHttpClient();
  const { settings, definitions, isLongLived, bundled, profileDirectory, openUrl, modelOf } = ports;
  const locksFolder = join(profileDirectory, 'locks');
  const mcp = openMcpServices({
    settings,
    effective,
    registry,
    http,
    secrets,
    definitions,
    isLongLived,
    bundled,
    locksFolder,
    openUrl,
    env,
    log,
    notify,
    consent,
    questions,
    modelOf,
    serverLogsFolder: serverLogsIn(profileDirectory),
    knownServers: storage.knownServers,
    confirmations: storage.confirmations,
    serverNotes: storage.serverNotes,
    rules: storage.rules,
  });
  const serverContents = new ServerContents({
    manager: mcp.manager,
    gate,
    http,
    knownSecrets,
    factsOf: mcp.factsOf,
    isReviewed: (server) => mcp.tools.isReviewed(server),
  });
  const google = new GoogleAccountServices({
    http,
    secrets,
    vendors,
    effective,
    locksFolder,
    openBrowser: openUrl,
    notes: storage.accountNotes,
  });
  const gmail = new OutgoingGmail({ http, google, baseUrl: () => vendors.baseUrlOf('googleApis') });
  const outbox = new MailOutbox({
    storage,
    gmail,
    google,
    consent,
    questions,
    // Without a window, no one could undo it.
    waitSeconds: () => (isLongLived ? effective.config.outboxSeconds : 0),
    onFault: (error) => log(errorMessage(error), 'outbox'),
  });
  // A second Ctrl-C or a crash ends this process without close(); nothing that it started may survive.
  const killChildren = () => processes.killAllNow();
  process.once('exit', killChildren);
  const conversations = new ConversationTools({
    registry,
    config: () => effective.config,
    states: storage.clientStates,
    serverUsedAt: (server) => storage.serverNotes.get(server).usedAt,
    log: (message) => log(message, 'client_tools'),
  });
  const current = (): SharedCallServices => {
    // It may have been changed since the last turn.
    knownSecrets.readFolder(secrets.launchDirectory);
    return {
      gate,
      environment: {
        workspace: effective.workspace,
        files: effective.files,
        processes,
        shells,
        now: () => new Date(),
        http,
        vendors,
        mcpResources: serverContents,
        google,
        outbox,
        memory: storage.memory,
        env,
      },
      beforeImages: storage.beforeImages,
      provenance: review,
      maxResultChars: effective.config.tools.maxResultChars,
      knownSecrets,
      askedModels: asked,
    };
  };
  return {
    registry,
    mcp,
    serverContents,
    google,
    vendors,
    http,
    leftRunning: new LeftRunningPrograms(processes),
    outbox,
    current,
    forConversation: (conversationId) => ({ ...current(), tools: conversations.toolset(conversationId) }),
    useConversation: (conversationId) => conversations.use(conversationId),
    clients: conversations,
    asked,
    close: async () => {
      // In parallel: servers have five seconds to exit on their own, other processes have none.
      const serversEnded = mcp.close();
      const mailSettled = outbox.close();
      await google.close();
      await processes.killAll();
      await watcher.close();
      process.off('exit', killChildren);
      await serversEnded;
      await Promise.race([mailSettled, wait(MAIL_GRACE_MS)]);
      await http.close();
      await mailSettled;
    },
  };
}

function toolRegistry(
  { settings, effective, secrets, credentials }: ToolServicesPorts,
  log: (message: string) => void,
): ToolRegistry {
  const registry = new ToolRegistry({
    available: {
      hasCredential: (name) => credentials.has(name),
      get searchProvider() {
        return effective.config.tools.webSearchProvider;
      },
    },
    get profile() {
      return effective.config.tools.profile;
    },
    disabledTools: {
      load: () => settings.current.tools.disabled,
      update: async (change) => {
        // Changes the draft, so that only this key is written and no defaults are pinned.
        const { tools } = await settings.update((draft) => {
          draft.tools.disabled = [...change(draft.tools.disabled)];
          return undefined;
        });
        return tools.disabled;
      },
    },
    secrets: () => secrets.redactionValues(),
    log,
  });
  registerBuiltInTools(registry);
  // The search provider is set in config.json.
  effective.onChange(() => registry.refresh());
  return registry;
}
