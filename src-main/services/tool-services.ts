import { setTimeout as wait } from 'node:timers/promises';
import type { SharedCallServices, ToolCallServices } from '../assistant/call-services.ts';
import type { FileReview } from '../assistant/review/file-review.ts';
import { mayChangeFiles } from '../assistant/undo/command-changes.ts';
import { LeftRunningPrograms } from '../background/left-running.ts';
import type { MailOutbox } from '../background/outbox/outbox.ts';
import { errorMessage } from '../base/errors.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { Clients } from '../client-tools/conversation-clients.ts';
import type { HttpClient } from '../network/http.ts';
import { createHttpClient } from '../network/http-client.ts';
import type { ConsentPort } from '../policy/consent.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import type { RuleStore } from '../policy/rules.ts';
import { UnaskedChanges } from '../policy/unasked-changes.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import { WatchedProcesses } from '../processes/watched-processes.ts';
import { KnownSecrets } from '../secrets/known-secrets.ts';
import type { Vendors } from '../tools/contract.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import { BackgroundShells } from '../tools/shell/background-shells.ts';
import { AskableProviders, type AskableProvidersPorts } from './askable-providers.ts';
import { configuredRegistry } from './configured-registry.ts';
import { ConversationTools } from './conversation-tools.ts';
import type { GoogleAccountServices } from './google-accounts.ts';
import { type McpServices, openMcpServices } from './mcp-services.ts';
import { openGates } from './open-gates.ts';
import { openGoogle } from './open-google.ts';
import type { OpenProfile } from './open-profile.ts';
import type { SandboxService } from './sandbox-service.ts';
import { ServerContents } from './server-contents.ts';
import type { SamplingModel } from './server-sampling.ts';
import type { SurfacePorts } from './surface-ports.ts';
import { toolGate } from './tool-gate.ts';
import { configuredVendors } from './vendors.ts';

/** How long closing waits for Gmail's answer to a mail on its way. */
const MAIL_GRACE_MS = 5_000;

export interface ToolServicesPorts {
  readonly profile: OpenProfile;
  readonly surface: SurfacePorts;
  readonly review: FileReview;
  readonly checkpoints: Checkpoints;
  readonly definitions: PinnedDefinitions;
  readonly sandbox: SandboxService;
  /** The stored rules, and those for this run. */
  readonly rules: RuleStore;
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
  /** The same services with the tools of a conversation. */
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
  const { profile, surface, review, checkpoints, definitions, sandbox, rules } = ports;
  const { settings, effective, storage, secrets, credentials } = profile;
  const { consent, questions, env, notify } = surface;
  const log = (message: string, code: string = 'tools') => notify({ code, message });
  const registry = configuredRegistry({ settings, effective, secrets, credentials, sandbox, log });
  const vendors = configuredVendors({ effective, secrets, credentials, env });
  const asked = new AskableProviders({
    settings: effective,
    env,
    registry,
    load: ports.providerNamed,
    configured: () => Object.keys(settings.current.providers),
    hasKey: (name) => credentials.has(name),
  });
  asked.register();
  effective.onChange(() => asked.register());
  const gate = toolGate({
    rules,
    consent: preparing(consent, () => checkpoints.prepare(effective.files.realRoots)),
    questions,
    unreviewedFiles: review,
    variables: () => childEnvironment(env),
    effective,
    vendors,
    asked,
    sandbox,
  });
  const watched = new WatchedProcesses({ environment: () => childEnvironment(env), log });
  const processes = watched.runner;
  const shells = new BackgroundShells(processes);
  const gates = openGates();
  const unaskedChanges = new UnaskedChanges();
  const knownSecrets = new KnownSecrets(() => secrets.redactionValues());
  const http = createHttpClient();
  const mcp = openMcpServices({ profile, surface, registry, http, definitions, review, log, modelOf: ports.modelOf });
  const serverContents = new ServerContents({
    manager: mcp.manager,
    gate,
    http,
    files: () => effective.files,
    knownSecrets,
    factsOf: mcp.factsOf,
    isReviewed: (server) => mcp.tools.isReviewed(server),
  });
  const onMailFault = (error: unknown) => log(errorMessage(error), 'outbox');
  const { google, outbox } = openGoogle({ profile, surface, http, vendors, onFault: onMailFault });
  const conversations = new ConversationTools({
    registry,
    config: () => effective.config,
    states: storage.clientStates,
    serverUsedAt: (server) => storage.serverNotes.get(server).usedAt,
    log: (message) => log(message, 'client_tools'),
  });
  const current = (): SharedCallServices => {
    // The file may have been changed since the last turn.
    knownSecrets.readFolder(secrets.launchDirectory);
    return {
      gate,
      environment: {
        workspace: effective.workspace,
        files: effective.files,
        processes,
        shells,
        gates,
        sandbox,
        unaskedChanges,
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
      checkpoints,
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
      // Both happen in parallel. Servers have five seconds to exit on their own, other processes none.
      const serversEnded = mcp.close();
      const mailSettled = outbox.close();
      await google.close();
      await Promise.all([watched.close(), gates.close()]);
      await serversEnded;
      await Promise.race([mailSettled, wait(MAIL_GRACE_MS)]);
      await http.close();
      await mailSettled;
    },
  };
}

/** A question that stands for this long is read by somebody. */
const READ_AFTER_MS = 150;

/** While the user reads a question about a command, what is in the roots is kept. */
function preparing(consent: ConsentPort, prepare: () => void): ConsentPort {
  const { asksTogether = false } = consent;
  return {
    asksTogether,
    ask: async (request, signal) => {
      const isOfCommand = request.kind === 'tool' && mayChangeFiles(request.access);
      const timer = isOfCommand ? setTimeout(prepare, READ_AFTER_MS) : undefined;
      try {
        return await consent.ask(request, signal);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
