import { resolve } from 'node:path';
import { Assistant } from './assistant/assistant.ts';
import type { ToolCallServices } from './assistant/tool-calls.ts';
import type { Notice, TurnServices } from './assistant/turn.ts';
import { loadProvider, type ResolvedModel, resolveModel } from './models/registry.ts';
import type { ConsentPort } from './policy/consent.ts';
import { Gate } from './policy/gate.ts';
import { OneAtATime } from './policy/one-at-a-time.ts';
import { Roots } from './policy/roots.ts';
import type { RuleMatcher } from './policy/rules.ts';
import { WideningGate } from './policy/widening.ts';
import { Secrets } from './secrets/secrets.ts';
import type { Config } from './settings/config-schema.ts';
import { endpointOf } from './settings/endpoints.ts';
import { ensureProfileDirectory } from './settings/profile.ts';
import { openSettings, type Settings } from './settings/settings.ts';
import { effectiveConfig } from './settings/widening.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import { registerBuiltInTools } from './tools/built-in-tools.ts';
import { WorkspaceFiles } from './tools/files/workspace-files.ts';
import { ToolRegistry } from './tools/registry.ts';
import { BackgroundShells } from './tools/shell/background-shells.ts';
import { childEnvironment } from './tools/shell/environment.ts';
import { ProcessRunner } from './tools/shell/process-runner.ts';

export interface ServicesOptions {
  /** Absolute. */
  readonly profileDirectory: string;
  /** Absolute; the folder the app was launched from. */
  readonly launchDirectory: string;
  /** Absolute; given by the person, so it counts as confirmed. */
  readonly workspace: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly consent: ConsentPort;
  readonly signal: AbortSignal;
}

/** The workspace (or a granted folder) cannot be used; the message says why and what to do. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code = 'workspace';
}

/** Which model answers, and how it is written where a person or a program reads it. */
export interface ChosenModel extends ResolvedModel {
  readonly label: string;
}

/** The whole assistant without a surface: what the window and `ask` stand on. */
export interface Services {
  readonly profileDirectory: string;
  readonly workspace: string;
  readonly storage: Storage<RuleMatcher>;
  readonly settings: Settings;
  /** config.json without what nobody confirmed. */
  readonly config: Config;
  readonly secrets: Secrets;
  readonly registry: ToolRegistry;
  readonly assistant: Assistant;
  readonly toolServices: ToolCallServices;
  /** Throws `ModelChoiceError` for a wish that cannot be met. */
  chooseModel(specification: string | undefined): Promise<ChosenModel>;
  turnServices(model: ChosenModel): Promise<TurnServices>;
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
  const notify = (notice: Notice) => void notices.push(notice);
  const profileDirectory = ensureProfileDirectory(options.profileDirectory);
  const settings = openSettings({
    profileDirectory,
    onProblem: ({ code, message }) => notify({ code: `config_${code}`, message }),
  });
  const storage = await openStorage<RuleMatcher>({ directory: profileDirectory, onNotice: notify });
  try {
    return await compose(options, profileDirectory, settings, storage, notices);
  } catch (error) {
    settings.close();
    await storage.close();
    throw error;
  }
}

async function compose(
  { launchDirectory, workspace: givenWorkspace, env, consent, signal }: ServicesOptions,
  profileDirectory: string,
  settings: Settings,
  storage: Storage<RuleMatcher>,
  notices: Notice[],
): Promise<Services> {
  const notify = (notice: Notice) => void notices.push(notice);
  const questions = new OneAtATime();
  const widening = new WideningGate({ consent, confirmations: storage.confirmations, questions });
  const review = await widening.review(settings.widening(), signal);
  if (!settings.problems.some(({ code }) => code === 'bad_json' || code === 'unreadable'))
    widening.forgetRemoved(settings.widening());
  for (const { item, reason } of review.inert) {
    notify({ code: 'not_confirmed', message: `${item.key} in config.json has no effect yet. ${reason}` });
  }
  const config = effectiveConfig(settings.current, new Set(review.confirmed.map((item) => item.key)));

  const workspace = resolve(givenWorkspace ?? config.workingDirectory ?? launchDirectory);
  const roots = await openRoots(workspace, config.folders, profileDirectory);

  const unusable = new Set(roots.unusableFolders.map(({ folder }) => folder));
  const folders = config.folders.filter((folder) => !unusable.has(folder));
  for (const { folder, reason } of roots.unusableFolders) {
    notify({ code: 'folder_unusable', message: `The granted folder ${folder} cannot be used: ${reason}` });
  }
  const anthropic = endpointOf('anthropic', config, env);
  if (anthropic.problem !== undefined) notify({ code: 'bad_base_url', message: anthropic.problem });

  const secrets = new Secrets({ launchDirectory, env, onNotice: notify });
  const registry = new ToolRegistry({
    profile: config.tools.profile,
    disabledTools: {
      load: () => settings.current.tools.disabled,
      save: async (names) => {
        // On the draft, so that only this key is written and the defaults of its neighbours are not pinned.
        await settings.update((draft) => {
          draft.tools.disabled = [...names];
          return undefined;
        });
      },
    },
    secrets: () => secrets.redactionValues(),
    log: (message) => notify({ code: 'tools', message }),
  });
  registerBuiltInTools(registry);
  registry.buildAll();

  const endpointOrigins = () =>
    [...Object.values(config.endpoints), anthropic.baseUrl].filter((url) => url !== undefined);
  const gate = new Gate({
    rules: storage.rules,
    consent,
    realWorkspace: roots.realWorkspace,
    endpointOrigins,
    questions,
  });
  const processes = new ProcessRunner({ environment: () => childEnvironment(env) });
  const shells = new BackgroundShells(processes);
  // A second Ctrl-C, or a fault, ends this process without close(): nothing that it started may live on.
  const killChildren = () => processes.killAllNow();
  process.once('exit', killChildren);
  const toolServices: ToolCallServices = {
    registry,
    gate,
    environment: {
      workspace,
      files: new WorkspaceFiles({ roots, readWalkUp: config.tools.readWalkUp }),
      processes,
      shells,
      now: () => new Date(),
      fetch,
    },
    maxResultChars: config.tools.maxResultChars,
  };

  return {
    profileDirectory,
    workspace,
    storage,
    settings,
    config,
    secrets,
    registry,
    assistant: new Assistant(storage.events, storage.leases),
    toolServices,
    chooseModel: async (specification) => {
      const wish = specification ?? config.model;
      const model = resolveModel(wish, {
        providers: config.providers,
        // Only the default depends on a key, and asking a keychain takes time.
        hasAnthropicKey: wish === undefined && (await secrets.get('anthropic-api-key')) !== undefined,
      });
      const isBare = model.provider === VENDOR_OF_BARE_IDS || model.type === 'guide';
      return { ...model, label: isBare ? model.model : `${model.provider}:${model.model}` };
    },
    turnServices: async (model) => ({
      ...toolServices,
      provider: await loadProvider(model, {
        apiKey: async () => (await secrets.get('anthropic-api-key'))?.value,
        baseUrl: model.baseUrl ?? anthropic.baseUrl,
      }),
      model: model.model,
      maxRounds: config.limits.rounds,
      promptFacts: () => ({ workspace, folders, platform: process.platform, now: new Date() }),
    }),
    takeNotices: () => notices.splice(0),
    close: async () => {
      process.off('exit', killChildren);
      await processes.killAll();
      settings.close();
      await storage.close();
    },
  };
}

/** Throws `WorkspaceError`. */
async function openRoots(workspace: string, folders: readonly string[], profileDirectory: string): Promise<Roots> {
  try {
    const roots = new Roots({ workspace, folders, profileDirectory });
    await roots.checkWorkspace();
    return roots;
  } catch (error) {
    throw new WorkspaceError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
