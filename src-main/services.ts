import { Assistant } from './assistant/assistant.ts';
import { FileReview } from './assistant/review/file-review.ts';
import type { Notice } from './assistant/turn.ts';
import { recoverChanges } from './assistant/undo/command-changes.ts';
import { Undo } from './assistant/undo/undo.ts';
import { LateUpdates } from './background/updates/late-updates.ts';
import type { UpdateProgram } from './background/updates/update-program.ts';
import { Checkpoints } from './checkpoints/checkpoints.ts';
import type { BundledProcess } from './mcp/transport/bundled-process.ts';
import type { ConsentPort } from './policy/consent.ts';
import { PinnedDefinitions } from './policy/mcp/pinned-definitions.ts';
import type { PermissionGrant } from './policy/permission-grant.ts';
import { PermissionGrants } from './policy/permission-grants.ts';
import { QuestionQueues } from './policy/question-queues.ts';
import type { RuleMatcher } from './policy/rules.ts';
import { childEnvironment } from './processes/child-environment.ts';
import { Secrets } from './secrets/secrets.ts';
import { configuredSkills } from './services/configured-skills.ts';
import { Credentials } from './services/credentials.ts';
import { decisiveSecretsOf } from './services/decisive-secrets.ts';
import { EffectiveSettings } from './services/effective-settings.ts';
import type { FileSkills } from './services/file-skills.ts';
import { heldPermissions } from './services/held-permissions.ts';
import { NO_MODEL } from './services/model-choice.ts';
import { type Models, openModels } from './services/open-models.ts';
import type { OpenProfile } from './services/open-profile.ts';
import type {
  BackgroundPart,
  ModelsPart,
  ProfilePart,
  ServersPart,
  SettingsPart,
  ToolsPart,
  TurnsPart,
} from './services/parts.ts';
import { turnOfPrompt } from './services/prompt.ts';
import { openSandbox, type SandboxService } from './services/sandbox-service.ts';
import { startTurn } from './services/start-turn.ts';
import type { SurfacePorts } from './services/surface-ports.ts';
import { openToolServices, type ToolServices } from './services/tool-services.ts';
import { endpointOf } from './settings/endpoints.ts';
import { problemText } from './settings/problems.ts';
import { ensureProfileDirectory } from './settings/profile.ts';
import { openSettings, type Settings } from './settings/settings.ts';
import { openStorage, type Storage } from './storage/storage.ts';

export interface ServicesOptions {
  /** The absolute path of a profile whose version this one can read; see `refuseOtherVersions`. */
  readonly profileDirectory: string;
  /** Absolute; the folder the app was launched from. */
  readonly launchDirectory: string;
  /** Absolute; given by the user, so it counts as confirmed. */
  readonly workspace: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly consent: ConsentPort;
  /** Asks one question at a time; a surface that shows how many wait brings its own. */
  readonly questions?: QuestionQueues;
  /**
   * Runs until the user quits: follows changes of config.json, leaves unconfirmed values without effect until
   * `confirmPending` instead of asking at start, and starts even if a configured folder can't be used.
   */
  readonly isLongLived?: boolean;
  /** How the bundled server is started. Without this, the program runs as Node and can do it itself. */
  readonly bundled?: BundledProcess;
  /** The folder to work in if neither the user nor config.json names one. Without this, it is the launch directory. */
  readonly defaultWorkspace?: () => string;
  /** With `off`, no command is held in a sandbox. By default it is `auto`: where this system can hold them. */
  readonly sandbox?: 'auto' | 'off';
  /** The user lets the assistant work freely in the workspace and the granted folders, until `close`. */
  readonly worksFreely?: boolean;
  /** Opens a checked address in the user's browser. Without this, none can be opened, so sign-ins are not possible. */
  readonly openUrl?: (url: string) => Promise<void>;
  /** The program to look for new versions of. Without this, there is none. */
  readonly updateProgram?: UpdateProgram;
  /** Called with each notice, instead of `takeNotices`. */
  readonly onNotice?: (notice: Notice) => void;
  readonly signal: AbortSignal;
}

export type { LeftRunningPrograms } from './background/left-running.ts';
export { UpdateProblem } from './background/updates/update-problem.ts';
export type {
  DownloadedUpdate,
  InstalledExtension,
  UpdateInstaller,
  UpdateProgram,
} from './background/updates/update-program.ts';
export { ContentFailure } from './services/content-failure.ts';
export { WorkspaceError } from './services/effective-settings.ts';
export { EntrySettingsError, shownEnd } from './services/entry-settings.ts';
export { type ChosenModel, NO_MODEL } from './services/model-choice.ts';
export type {
  BackgroundPart,
  ModelsPart,
  ProfilePart,
  ServersPart,
  SettingsPart,
  ToolsPart,
  TurnsPart,
} from './services/parts.ts';
export {
  type OpenedPrompt,
  type PromptOrigin,
  promptless,
  type ReadPrompt,
  readPrompt,
  serverPromptIn,
  textOf,
  type UnknownCall,
  unknownCall,
} from './services/prompt.ts';
export type { ProviderCommand } from './services/provider-command.ts';
export type { GivenProvider } from './services/provider-settings.ts';
export type { ContentPurpose, GivenContent, ServerContents } from './services/server-contents.ts';
export type { GivenServer } from './services/server-settings.ts';
export type { StartedTurn, TurnRequest } from './services/start-turn.ts';

/**
 * The whole assistant without a surface, shared by the window and `ask`. By what is used together: whoever is given it
 * takes the parts, or of one the members, that it needs.
 */
export interface Services
  extends ProfilePart,
    SettingsPart,
    ServersPart,
    ModelsPart,
    ToolsPart,
    TurnsPart,
    BackgroundPart {}

/**
 * Opens a profile and sets up the assistant. Throws `ProfileError`, `StorageError`, or an error about the workspace;
 * nothing is left open then.
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
    const parts = await compose(options, { profileDirectory, settings, storage, notify });
    return servicesOf(parts, () => notices.splice(0));
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
  readonly notify: (notice: Notice) => void;
}

interface Parts {
  readonly profile: OpenProfile;
  readonly review: FileReview;
  readonly checkpoints: Checkpoints;
  readonly definitions: PinnedDefinitions;
  readonly sandbox: SandboxService;
  readonly tools: ToolServices;
  readonly models: Models;
  readonly skills: FileSkills;
  readonly updates: LateUpdates;
  readonly undo: Undo;
}

/** Which part gets which. */
async function compose(
  { launchDirectory, workspace, env, consent, signal, ...options }: ServicesOptions,
  { profileDirectory, settings, storage, notify }: Opened,
): Promise<Parts> {
  const {
    questions = new QuestionQueues({ isOneForAll: true }),
    isLongLived = false,
    bundled = {},
    defaultWorkspace = () => launchDirectory,
    openUrl,
    worksFreely = false,
  } = options;
  const surface: SurfacePorts = { consent, questions, isLongLived, bundled, openUrl, env, notify };
  const { confirmations, rules, mcpDefinitions } = storage;
  const held = heldPermissions({ settings, confirmations, rules, definitions: mcpDefinitions });
  const secrets = new Secrets({ launchDirectory, env, onNotice: notify });
  const storedSecrets = (item: PermissionGrant) => decisiveSecretsOf(item, secrets);
  const grants = new PermissionGrants({ consent, confirmations, held, questions, storedSecrets });
  const effective = await EffectiveSettings.open(
    { settings, grants, profileDirectory, workspace, defaultWorkspace, isLongLived, notify },
    signal,
  );
  const { problem } = endpointOf('anthropic', effective.config, env);
  if (problem !== undefined) notify({ code: 'bad_base_url', message: problem });
  const credentials = new Credentials(secrets);
  const profile: OpenProfile = { directory: profileDirectory, settings, effective, storage, secrets, credentials };
  const sandbox = openSandbox({
    isOff: options.sandbox === 'off',
    environment: () => childEnvironment(env),
    onLack: async (lack) => {
      const { sayLackOnce } = await import('./services/said-lack.ts');
      sayLackOnce(lack, { profileDirectory, notify });
    },
  });
  const rulesOfRun = async () => {
    if (!worksFreely) return rules;
    const { withFreedom } = await import('./services/work-freely-once.ts');
    return withFreedom(rules, { files: effective.files, sandbox, notify });
  };
  const roots = () => effective.roots;
  const checkpoints = new Checkpoints(effective.files.profileDirectory, {
    leases: storage.leases,
    heldByGit: async (files) => {
      const { heldByGit } = await import('./assistant/undo/held-by-git.ts');
      return heldByGit(files, tools.current().environment);
    },
    limits: () => {
      const { maxGigabytes, maxDays } = effective.config.undo;
      return { maxBytes: maxGigabytes * 1e9, maxDays };
    },
  });
  effective.onChange(() => checkpoints.followLimits());
  const review = new FileReview({ ...storage, files: () => effective.files, roots, consent, questions });
  const definitions = new PinnedDefinitions({ store: mcpDefinitions, consent, questions });
  const tools = openToolServices({
    profile,
    surface,
    review,
    checkpoints,
    definitions,
    sandbox,
    rules: await rulesOfRun(),
    providerNamed: (name) => models.choice.ofProvider(name),
    modelOf: (conversationId) => models.choice.answering(storage.conversations.get(conversationId)?.model ?? NO_MODEL),
  });
  const models = openModels({
    profile,
    env,
    toolServices: (conversationId) => tools.forConversation(conversationId),
    servers: tools.mcp,
  });
  const { registry, clients, http } = tools;
  const skills = configuredSkills({ profile, clients, review, registry, notify });
  const updates = new LateUpdates(options.updateProgram, { profileDirectory, settings: effective, http, notify });
  const undo = new Undo({
    ...storage,
    review,
    registry,
    files: () => effective.files,
    checkpoints,
    knownSecrets: () => tools.current().knownSecrets,
    consent,
    questions,
  });
  return { profile, review, checkpoints, definitions, sandbox, tools, models, skills, updates, undo };
}

/** What the surfaces get of the parts. */
function servicesOf(parts: Parts, takeNotices: Services['takeNotices']): Services {
  const { profile, review, checkpoints, definitions, sandbox, tools, models, skills, updates, undo } = parts;
  const { settings, effective, storage, secrets, credentials } = profile;
  const { registry, clients } = tools;
  const assistant = new Assistant(storage.events, storage.leases);
  return {
    profileDirectory: profile.directory,
    get workspace() {
      return effective.workspace;
    },
    workspaceFlaw: () => effective.workspaceFlaw(),
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
    serverFactsOf: tools.mcp.factsOf,
    mcpSurroundings: tools.mcp.surroundings,
    mcpAccounts: tools.mcp,
    googleAccounts: tools.google,
    serverContents: tools.serverContents,
    serverSettings: tools.mcp.setup,
    undo,
    recoverChanges: (listener) => recoverChanges({ ...storage, checkpoints, provenance: review }, listener),
    review,
    definitions,
    get unreviewedServers() {
      return tools.mcp.tools.unreviewed;
    },
    get serversToSignIn() {
      return tools.mcp.manager.toSignIn;
    },
    reviewServers: (whileOpen) => tools.mcp.tools.review(whileOpen),
    get toolServices() {
      return tools.current();
    },
    toolServicesOf: (conversationId) => tools.forConversation(conversationId),
    clients,
    skills,
    leftRunning: tools.leftRunning,
    outbox: tools.outbox,
    updates,
    modelServices: models.services,
    providerSettings: models.settings,
    answerProviderCommand: (command) => models.answerCommand(command),
    chooseModel: (specification) => models.choice.choose(specification),
    chooseModelWithout: (provider) => models.choice.chooseWithout(provider),
    asksItself: (specification) => models.choice.asksItself(specification),
    modelFacts: (specification) => models.choice.facts(specification),
    openPrompt: (prompt) =>
      startTurn(turnOfPrompt(prompt, effective.workspace), {
        assistant,
        models: models.choice,
        conversations: storage.conversations,
        workspace: () => effective.workspace,
        prepare: (conversationId) => skills.offerIn(conversationId),
        use: (conversationId) => tools.useConversation(conversationId),
      }),
    grant: (item, save, whileOpen) => effective.grant(item, save, whileOpen),
    askForGrant: (item, whileOpen) => effective.askForGrant(item, whileOpen),
    confirmPending: async (whileOpen) => {
      await effective.confirmPending(whileOpen);
      await tools.mcp.tools.review(whileOpen);
    },
    onChange: (listener) => {
      const ends = [effective.onChange(listener), tools.mcp.tools.onChange(listener), skills.onChange(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    refreshCredentials: async () => {
      await credentials.refresh();
      tools.asked.register();
      registry.refresh();
      tools.google.changed();
    },
    baseUrlOf: tools.vendors.baseUrlOf,
    sandboxLack: async () => (await sandbox.lackIn(effective.files.realRoots)) ?? null,
    takeNotices,
    close: () =>
      updates.close().finally(async () => {
        await tools.close();
        await undo.settle();
        checkpoints.close();
        settings.close();
        await storage.close();
      }),
  };
}
