import { join } from 'node:path';
import type { UnconfirmedValue } from '../src-preload/contract/settings.ts';
import { Assistant } from './assistant/assistant.ts';
import { FileReview } from './assistant/review/file-review.ts';
import type { ToolCallServices } from './assistant/tool-calls.ts';
import type { Notice } from './assistant/turn.ts';
import { Undo } from './assistant/undo/undo.ts';
import type { McpManager } from './mcp/manager.ts';
import type { ServerSurroundings } from './mcp/server-surroundings.ts';
import type { ConsentPort } from './policy/consent.ts';
import { PinnedDefinitions } from './policy/mcp/pinned-definitions.ts';
import { type PermissionGrant, PermissionGrants } from './policy/permission-grants.ts';
import { QuestionQueues } from './policy/question-queues.ts';
import type { RuleMatcher } from './policy/rules.ts';
import type { StartUtility } from './processes/utility-process.ts';
import { Secrets } from './secrets/secrets.ts';
import { Credentials } from './services/credentials.ts';
import { EffectiveSettings } from './services/effective-settings.ts';
import type { LeftRunningPrograms } from './services/left-running.ts';
import type { McpServices } from './services/mcp-services.ts';
import { type ChosenModel, ModelChoice } from './services/model-choice.ts';
import { type StartedTurn, startTurn, type TurnRequest } from './services/start-turn.ts';
import { openToolServices } from './services/tool-services.ts';
import type { Config } from './settings/config-schema.ts';
import { endpointOf, type ServiceName } from './settings/endpoints.ts';
import { problemText } from './settings/problems.ts';
import { ensureProfileDirectory } from './settings/profile.ts';
import { type ConfigPart, openSettings, type Settings } from './settings/settings.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import type { ToolRegistry } from './tools/registry/registry.ts';

export interface ServicesOptions {
  /** Absolute. */
  readonly profileDirectory: string;
  /** Absolute; the folder the app was launched from. */
  readonly launchDirectory: string;
  /** Absolute; given by the person, so it counts as confirmed. */
  readonly workspace: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly consent: ConsentPort;
  /** Asks one question at a time; a surface that shows how many wait brings its own. */
  readonly questions?: QuestionQueues;
  /**
   * Stays until the person quits: config.json is followed while it changes, what nobody confirmed is not asked about at start
   * but stays without effect until `confirmPending`, and a folder in it that cannot be used keeps nothing from starting.
   */
  readonly isLongLived?: boolean;
  /** Starts processes of the app's own code; default: this program runs as Node and can do it itself. */
  readonly startUtility?: StartUtility;
  /** Where to work if neither the person nor config.json names a folder; default: the launch directory. */
  readonly defaultWorkspace?: () => string;
  /** Opens an address in the person's browser; default: there is none, and nobody can sign in. */
  readonly openUrl?: (url: string) => Promise<void>;
  /** Hears of notices as they come, instead of `takeNotices`. */
  readonly onNotice?: (notice: Notice) => void;
  readonly signal: AbortSignal;
}

export { WorkspaceError } from './services/effective-settings.ts';
export type { LeftRunningPrograms } from './services/left-running.ts';
export type { ChosenModel } from './services/model-choice.ts';
export { NO_MODEL, type TurnRequest } from './services/start-turn.ts';

/** The whole assistant without a surface: what the window and `ask` stand on. */
export interface Services {
  readonly profileDirectory: string;
  /** Changes when the settings do, like `config` and `toolServices`; a turn keeps the workspace that it began in. */
  readonly workspace: string;
  readonly storage: Storage<RuleMatcher>;
  readonly settings: Settings;
  /** config.json without what nobody confirmed. */
  readonly config: Config;
  /** Values of config.json without effect until somebody confirms them. */
  readonly unconfirmed: readonly UnconfirmedValue[];
  readonly secrets: Secrets;
  readonly registry: ToolRegistry;
  /** MCP servers: what each is doing, and what it offers. */
  readonly mcp: McpManager;
  /** What they stand on, for the doctor. */
  readonly mcpSurroundings: ServerSurroundings;
  /** Signing in to remote MCP servers. `signIn` and `signOut` only as a person asks for it. */
  readonly mcpAccounts: Pick<McpServices, 'signIns' | 'signIn' | 'signOut'>;
  readonly undo: Undo;
  readonly review: FileReview;
  /** What MCP servers say of their tools, as it was accepted. */
  readonly definitions: PinnedDefinitions;
  /** MCP servers of which something is left out until a person has reviewed it. */
  readonly unreviewedServers: readonly string[];
  /** Asks about what nobody has seen yet of what MCP servers list; of a server that has not listed anything, once it does. */
  reviewServers(signal: AbortSignal): Promise<void>;
  readonly toolServices: ToolCallServices;
  /** What commands started and what goes on. `close` ends it. */
  readonly leftRunning: LeftRunningPrograms;
  /** Throws `ModelChoiceError` for a wish that cannot be met. */
  chooseModel(specification: string | undefined): Promise<ChosenModel>;
  /** Throws `ModelChoiceError`, or what storage throws. */
  startTurn(request: TurnRequest): Promise<StartedTurn>;
  /**
   * Asks about one permission grant; `save` puts it into config.json if it is confirmed, and then it is in
   * effect. False: it was declined.
   */
  grant(item: PermissionGrant, save: (draft: Config) => ConfigPart, signal: AbortSignal): Promise<boolean>;
  /** The same for what config.json does not keep as a value of its own: it is asked anew each time. */
  askForGrant(item: PermissionGrant, signal: AbortSignal): Promise<boolean>;
  /** Asks about every unconfirmed value of config.json, then as `reviewServers`. */
  confirmPending(signal: AbortSignal): Promise<void>;
  /** Tells of every change of what is in effect. Returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** Looks which keys are set, and registers tools by that. */
  refreshCredentials(): Promise<void>;
  /** Where a vendor's service is, by config.json and the environment. */
  baseUrlOf(service: ServiceName): string;
  /** What the person should know of the start (and of what happened since the last call). */
  takeNotices(): readonly Notice[];
  close(): Promise<void>;
}

/**
 * Opens a profile and puts the assistant together. Throws `ProfileError`, `StorageError`, or an error that says what is
 * wrong with the workspace; nothing is left open then.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const notices: Notice[] = [];
  const notify = options.onNotice ?? ((notice: Notice) => void notices.push(notice));
  const profileDirectory = ensureProfileDirectory(options.profileDirectory);
  const settings = openSettings({
    profileDirectory,
    onProblem: (problem) => notify({ code: `config_${problem.code}`, message: problemText(problem) }),
  });
  const storage = await openStorage<RuleMatcher>({ directory: profileDirectory, onNotice: notify });
  try {
    return await compose(options, { profileDirectory, settings, storage, notices, notify });
  } catch (error) {
    settings.close();
    await storage.close();
    throw error;
  }
}

interface Opened {
  readonly profileDirectory: string;
  readonly settings: Settings;
  readonly storage: Storage<RuleMatcher>;
  readonly notices: Notice[];
  readonly notify: (notice: Notice) => void;
}

async function compose(
  { launchDirectory, workspace, env, consent, signal, ...options }: ServicesOptions,
  { profileDirectory, settings, storage, notices, notify }: Opened,
): Promise<Services> {
  const {
    questions = new QuestionQueues({ isOneForAll: true }),
    isLongLived = false,
    defaultWorkspace = () => launchDirectory,
    openUrl,
  } = options;
  const grants = new PermissionGrants({ consent, confirmations: storage.confirmations, questions });
  const effective = await EffectiveSettings.open(
    { settings, grants, profileDirectory, workspace, defaultWorkspace, isLongLived, notify },
    signal,
  );
  const { problem } = endpointOf('anthropic', effective.config, env);
  if (problem !== undefined) notify({ code: 'bad_base_url', message: problem });

  const secrets = new Secrets({ launchDirectory, env, onNotice: notify });
  const credentials = new Credentials(secrets);
  const rootsOf = (path: string) => effective.rootsOf(path);
  const review = new FileReview({ ...storage, files: () => effective.files, rootsOf, consent, questions });
  const definitions = new PinnedDefinitions({ store: storage.mcpDefinitions, consent, questions });
  const tools = openToolServices({
    ...{ settings, effective, storage, review, secrets, credentials, consent, definitions, questions, env, notify },
    ...{ isLongLived, startUtility: options.startUtility, openUrl, locksFolder: join(profileDirectory, 'locks') },
  });
  const models = new ModelChoice({ settings: effective, secrets, env, toolServices: () => tools.current() });
  const { registry } = tools;
  const assistant = new Assistant(storage.events, storage.leases);
  const undo = new Undo({ ...storage, review, registry, files: () => effective.files, consent, questions });

  return {
    profileDirectory,
    get workspace() {
      return effective.workspace;
    },
    storage,
    settings,
    get config() {
      return effective.config;
    },
    get unconfirmed() {
      return effective.unconfirmed;
    },
    secrets,
    registry,
    mcp: tools.mcp.manager,
    mcpSurroundings: tools.mcp.surroundings,
    mcpAccounts: tools.mcp,
    undo,
    review,
    definitions,
    get unreviewedServers() {
      return tools.mcp.tools.unreviewed;
    },
    reviewServers: (whileOpen) => tools.mcp.tools.review(whileOpen),
    get toolServices() {
      return tools.current();
    },
    leftRunning: tools.leftRunning,
    chooseModel: (specification) => models.choose(specification),
    startTurn: (request) =>
      startTurn(request, {
        assistant,
        models,
        conversations: storage.conversations,
        toolServices: () => tools.current(),
        workspace: () => effective.workspace,
      }),
    grant: (item, save, whileOpen) => effective.grant(item, save, whileOpen),
    askForGrant: (item, whileOpen) => effective.askForGrant(item, whileOpen),
    confirmPending: async (whileOpen) => {
      await effective.confirmPending(whileOpen);
      await tools.mcp.tools.review(whileOpen);
    },
    onChange: (listener) => {
      const ends = [effective.onChange(listener), tools.mcp.tools.onChange(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    refreshCredentials: async () => {
      await credentials.refresh();
      registry.refresh();
    },
    baseUrlOf: tools.vendors.baseUrlOf,
    takeNotices: () => notices.splice(0),
    close: async () => {
      await tools.close();
      await undo.settle();
      settings.close();
      await storage.close();
    },
  };
}
