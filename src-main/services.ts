import { Assistant } from './assistant/assistant.ts';
import { EffectiveSettings, type UnconfirmedValue } from './assistant/effective-settings.ts';
import type { ToolCallServices } from './assistant/tool-calls.ts';
import type { Notice, TurnServices } from './assistant/turn.ts';
import { Undo } from './assistant/undo/undo.ts';
import { SerialQueue } from './base/serial-queue.ts';
import { loadProvider, type ResolvedModel, resolveModel } from './models/registry.ts';
import { createHttpClient } from './network/http-client.ts';
import type { ConsentPort } from './policy/consent.ts';
import { Gate } from './policy/gate.ts';
import { type PermissionGrant, PermissionGrants } from './policy/permission-grants.ts';
import type { RuleMatcher } from './policy/rules.ts';
import { childEnvironment } from './processes/child-environment.ts';
import { ProcessRunner } from './processes/process-runner.ts';
import { ProcessWatcher } from './processes/process-watcher.ts';
import { environmentNames } from './secrets/secret-names.ts';
import { Secrets } from './secrets/secrets.ts';
import type { Config } from './settings/config-schema.ts';
import { endpointOf, type ServiceName } from './settings/endpoints.ts';
import { ensureProfileDirectory } from './settings/profile.ts';
import { type ConfigPart, openSettings, type Settings } from './settings/settings.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import { registerBuiltInTools } from './tools/built-in-tools.ts';
import type { Vendors } from './tools/contract.ts';
import { ToolRegistry } from './tools/registry.ts';
import { BackgroundShells } from './tools/shell/background-shells.ts';

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
  readonly questions?: SerialQueue;
  /**
   * Stays until the person quits: config.json is followed while it changes, what nobody confirmed is not asked about at start
   * but stays without effect until `confirmPending`, and a folder in it that cannot be used keeps nothing from starting.
   */
  readonly isLongLived?: boolean;
  /** Where to work if neither the person nor config.json names a folder; default: the launch directory. */
  readonly defaultWorkspace?: () => string;
  /** Hears of notices as they come, instead of `takeNotices`. */
  readonly onNotice?: (notice: Notice) => void;
  readonly signal: AbortSignal;
}

export { WorkspaceError } from './assistant/effective-settings.ts';

/** Which model answers, and how it is written where a person or a program reads it. */
export interface ChosenModel extends ResolvedModel {
  readonly label: string;
}

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
  readonly assistant: Assistant;
  readonly undo: Undo;
  readonly toolServices: ToolCallServices;
  /** Throws `ModelChoiceError` for a wish that cannot be met. */
  chooseModel(specification: string | undefined): Promise<ChosenModel>;
  turnServices(model: ChosenModel): Promise<TurnServices>;
  /**
   * Asks about one value that would widen power; `save` puts it into config.json if it is confirmed, and then it is in
   * effect. False: it was declined.
   */
  grant(item: PermissionGrant, save: (draft: Config) => ConfigPart, signal: AbortSignal): Promise<boolean>;
  /** The same for what config.json does not keep as a value of its own: it is asked anew each time. */
  askForGrant(item: PermissionGrant, signal: AbortSignal): Promise<boolean>;
  /** Asks about every unconfirmed value of config.json. */
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

const VENDOR_OF_BARE_IDS = 'anthropic';

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
    onProblem: ({ code, message }) => notify({ code: `config_${code}`, message }),
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
  const { questions = new SerialQueue(), isLongLived = false, defaultWorkspace = () => launchDirectory } = options;
  const grants = new PermissionGrants({ consent, confirmations: storage.confirmations, questions });
  const effective = await EffectiveSettings.open(
    { settings, grants, profileDirectory, workspace, defaultWorkspace, isLongLived, notify },
    signal,
  );
  const anthropic = () => endpointOf('anthropic', effective.config, env);
  const { problem } = anthropic();
  if (problem !== undefined) notify({ code: 'bad_base_url', message: problem });

  const secrets = new Secrets({ launchDirectory, env, onNotice: notify });
  let credentials: ReadonlySet<string> = new Set();
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
        // On the draft, so that only this key is written and the defaults of its neighbours are not pinned.
        const { tools } = await settings.update((draft) => {
          draft.tools.disabled = [...change(draft.tools.disabled)];
          return undefined;
        });
        return tools.disabled;
      },
    },
    secrets: () => secrets.redactionValues(),
    log: (message) => notify({ code: 'tools', message }),
  });
  registerBuiltInTools(registry);
  // Which search provider there is stands in config.json.
  effective.onChange(() => registry.refresh());

  const endpointOrigins = () =>
    [...Object.values(effective.config.endpoints), anthropic().baseUrl].filter((url) => url !== undefined);
  const gate = new Gate({
    rules: storage.rules,
    consent,
    get realWorkspace() {
      return effective.realWorkspace;
    },
    get allowPrivateNetwork() {
      return effective.config.tools.allowPrivateNetwork;
    },
    endpointOrigins,
    questions,
  });
  const watcher = new ProcessWatcher({ log: (message) => notify({ code: 'tools', message }) });
  const processes = new ProcessRunner({ environment: () => childEnvironment(env), watcher });
  const shells = new BackgroundShells(processes);
  const http = createHttpClient();
  const vendors: Vendors = {
    baseUrlOf: (service) => endpointOf(service, effective.config, env).baseUrl,
    keyOf: async (name) => (await secrets.get(name))?.value,
    get searchProvider() {
      return effective.config.tools.webSearchProvider ?? (credentials.has('BRAVE_API_KEY') ? 'brave' : undefined);
    },
  };
  // A second Ctrl-C, or a fault, ends this process without close(): nothing that it started may live on.
  const killChildren = () => processes.killAllNow();
  process.once('exit', killChildren);
  const toolServices = (): ToolCallServices => ({
    registry,
    gate,
    environment: {
      workspace: effective.workspace,
      files: effective.files,
      processes,
      shells,
      now: () => new Date(),
      http,
      vendors,
      memory: storage.memory,
      env,
    },
    beforeImages: storage.beforeImages,
    maxResultChars: effective.config.tools.maxResultChars,
  });

  const undo = new Undo({ ...storage, registry, files: () => effective.files, consent, questions });

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
    assistant: new Assistant(storage.events, storage.leases),
    undo,
    get toolServices() {
      return toolServices();
    },
    chooseModel: async (specification) => {
      const { model: configured, providers } = effective.config;
      const wish = specification ?? configured;
      const model = resolveModel(wish, {
        providers,
        // Only the default depends on a key, and asking a keychain takes time.
        hasAnthropicKey: wish === undefined && (await secrets.get('anthropic-api-key')) !== undefined,
      });
      const isBare = model.provider === VENDOR_OF_BARE_IDS || model.type === 'guide';
      return { ...model, label: isBare ? model.model : `${model.provider}:${model.model}` };
    },
    turnServices: async (model) => {
      const { workspace: folder, config } = effective;
      return {
        ...toolServices(),
        provider: await loadProvider(model, {
          apiKey: async () => (await secrets.get('anthropic-api-key'))?.value,
          baseUrl: model.baseUrl ?? anthropic().baseUrl,
        }),
        model: model.model,
        maxRounds: config.limits.rounds,
        promptFacts: () => ({
          workspace: folder,
          folders: effective.config.folders,
          platform: process.platform,
          now: new Date(),
        }),
      };
    },
    grant: (item, save, whileOpen) => effective.grant(item, save, whileOpen),
    askForGrant: (item, whileOpen) => effective.askForGrant(item, whileOpen),
    confirmPending: (whileOpen) => effective.confirmPending(whileOpen),
    onChange: (listener) => effective.onChange(listener),
    refreshCredentials: async () => {
      const status = await secrets.status();
      credentials = new Set(status.flatMap(({ name, isSet }) => (isSet ? (environmentNames[name] ?? []) : [])));
      registry.refresh();
    },
    baseUrlOf: vendors.baseUrlOf,
    takeNotices: () => notices.splice(0),
    close: async () => {
      await processes.killAll();
      await watcher.close();
      process.off('exit', killChildren);
      await http.close();
      await undo.settle();
      settings.close();
      await storage.close();
    },
  };
}
