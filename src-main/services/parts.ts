import type { StoredEvent } from '../../src-preload/contract/events.ts';
import type { SandboxLack } from '../../src-preload/contract/sandbox-lack.ts';
import type { UnconfirmedValue } from '../../src-preload/contract/settings.ts';
import type { SharedCallServices, ToolCallServices } from '../assistant/call-services.ts';
import type { FileReview } from '../assistant/review/file-review.ts';
import type { Notice } from '../assistant/turn.ts';
import type { Undo } from '../assistant/undo/undo.ts';
import type { LeftRunningPrograms } from '../background/left-running.ts';
import type { MailOutbox } from '../background/outbox/outbox.ts';
import type { LateUpdates } from '../background/updates/late-updates.ts';
import type { Clients } from '../client-tools/conversation-clients.ts';
import type { McpManager } from '../mcp/manager.ts';
import type { ServerSurroundings } from '../mcp/server-surroundings.ts';
import type { ResolvedModel } from '../models/registry.ts';
import type { PinnedDefinitions } from '../policy/mcp/pinned-definitions.ts';
import type { PermissionGrant } from '../policy/permission-grant.ts';
import type { RuleMatcher } from '../policy/rules.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Config } from '../settings/config-schema.ts';
import type { ServiceName } from '../settings/endpoints.ts';
import type { ConfigPart, Settings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tool } from '../tools/contract.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { FileSkills } from './file-skills.ts';
import type { GoogleAccountServices } from './google-accounts.ts';
import type { McpServices } from './mcp-services.ts';
import type { ChosenModel, ModelFacts } from './model-choice.ts';
import type { ModelServices } from './model-services.ts';
import type { OpenedPrompt } from './prompt.ts';
import type { ProviderCommand } from './provider-command.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { ServerContents } from './server-contents.ts';
import type { ServerSettings } from './server-settings.ts';
import type { StartedTurn } from './start-turn.ts';

/** The open profile. */
export interface ProfilePart {
  readonly profileDirectory: string;
  readonly storage: Storage<RuleMatcher>;
  /** Notices for the user about the start, and everything since the last call. */
  takeNotices(): readonly Notice[];
  close(): Promise<void>;
}

/** config.json and keys: what is in effect, and every way to change it. */
export interface SettingsPart {
  /** Changes with the settings, like `config` and `toolServices`; a turn keeps the workspace it began in. */
  readonly workspace: string;
  /**
   * Why tools can't work in the workspace now, or undefined if they can. It is looked at each time, because a drive can
   * come and go.
   */
  workspaceFlaw(): ReturnType<EffectiveSettings['workspaceFlaw']>;
  readonly settings: Settings;
  /** config.json without its unconfirmed values. */
  readonly config: Config;
  /** Values of config.json that have no effect until confirmed. */
  readonly unconfirmed: readonly UnconfirmedValue[];
  readonly secrets: Secrets;
  /**
   * Asks about one permission grant. If it is confirmed, `save` adds it to config.json and it takes effect. Returns
   * false if it was declined.
   */
  grant(item: PermissionGrant, save: (draft: Config) => ConfigPart, signal: AbortSignal): Promise<boolean>;
  /** Asks each time about a grant that config.json does not store. */
  askForGrant(item: PermissionGrant, signal: AbortSignal): Promise<boolean>;
  /** Asks about every unconfirmed value of config.json, then like `reviewServers`. */
  confirmPending(signal: AbortSignal): Promise<void>;
  /** Called on every change of what is in effect. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Checks which keys are set, and registers tools accordingly. */
  refreshCredentials(): Promise<void>;
  /** Why commands can't be held in a sandbox in the folders of now, or null if they can. That is tried once. */
  sandboxLack(): Promise<SandboxLack | null>;
  /** A vendor's base URL, from config.json and the environment. */
  baseUrlOf(service: ServiceName): string;
}

/** MCP servers. */
export interface ServersPart {
  /** The MCP servers: state and tools. */
  readonly mcp: McpManager;
  /** What is known of one, by its entry in config.json. */
  readonly serverFactsOf: McpServices['factsOf'];
  /** The environment of the servers, for the doctor. */
  readonly mcpSurroundings: ServerSurroundings;
  /** Sign-ins to remote MCP servers. Call `signIn` and `signOut` only on the user's request. */
  readonly mcpAccounts: Pick<McpServices, 'signIns' | 'signIn' | 'signOut'>;
  /** Their resources and prompts, which pass the gate. */
  readonly serverContents: ServerContents;
  /** Adds, changes and removes them; asks before a permission grant. */
  readonly serverSettings: ServerSettings;
  /** The accepted tool definitions of MCP servers. */
  readonly definitions: PinnedDefinitions;
  /** MCP servers with tools that are left out until reviewed. */
  readonly unreviewedServers: readonly string[];
  /** MCP servers that answer only after signing in. */
  readonly serversToSignIn: readonly string[];
  /**
   * Asks about the unreviewed definitions of MCP servers; for a server that has not listed its tools yet, once it does.
   */
  reviewServers(signal: AbortSignal): Promise<void>;
}

/** Model providers, and which model answers. */
export interface ModelsPart {
  /** The addresses and keys of model providers, and what these said about their models. */
  readonly modelServices: ModelServices;
  /** Adds, changes, tests and removes model providers; asks before a permission grant. */
  readonly providerSettings: ProviderSettings;
  /** The answer to `/provider …`, as plain text. Throws `ModelChoiceError` for an unknown name. */
  answerProviderCommand(command: ProviderCommand): Promise<string>;
  /** Throws `ModelChoiceError` if the requested model can't be used. */
  chooseModel(specification: string | undefined): Promise<ChosenModel>;
  /** What answers by default once this provider of config.json is removed. Throws like `chooseModel`. */
  chooseModelWithout(provider: string): Promise<ResolvedModel>;
  /**
   * Whether a tool asks the model that would answer itself; it is not offered then. `specification` is as in
   * `chooseModel`.
   */
  asksItself(specification: string | undefined): Promise<(tool: Tool) => boolean>;
  /** What is known of a model without asking its service. Throws like `chooseModel`. */
  modelFacts(specification: string | undefined): Promise<ModelFacts>;
}

/** What a conversation can be offered. */
export interface ToolsPart {
  readonly registry: ToolRegistry;
  readonly toolServices: SharedCallServices;
  /** The same services with the tools of a conversation. */
  toolServicesOf(conversationId: string): ToolCallServices;
  /** The programs that bring tools along, by conversation. */
  readonly clients: Clients;
  /** The skills of the profile and the workspace. */
  readonly skills: Pick<FileSkills, 'list' | 'confirm' | 'review' | 'enable' | 'disable' | 'isOffered'>;
  /** The Google accounts. Call `connect`, `disconnect` and `disconnectAll` only on the user's request. */
  readonly googleAccounts: GoogleAccountServices;
}

/** Turns, and what they did to files. */
export interface TurnsPart {
  /** The only way to a turn, for every surface. Throws `ModelChoiceError`, or storage errors. */
  openPrompt(prompt: OpenedPrompt): Promise<StartedTurn>;
  readonly undo: Undo;
  /**
   * Adds to their conversations what commands changed while Steward ended. The listener gets the events. Rejects with
   * what can't be listed now; it is tried again at the next start.
   */
  recoverChanges(listener: (event: StoredEvent) => void): Promise<void>;
  readonly review: FileReview;
}

/** What outlives a turn. */
export interface BackgroundPart {
  /** Running commands and programs they left running. `close` ends them. */
  readonly leftRunning: LeftRunningPrograms;
  /** Approved mail that waits to be sent. `close` keeps it for the next start. */
  readonly outbox: MailOutbox;
  /** New versions of this app. */
  readonly updates: LateUpdates;
}
