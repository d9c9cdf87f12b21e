import { resolve } from 'node:path';
import { reasonBesideKey } from '../../src-preload/contract/decision-reason.ts';
import type { FolderFlaw } from '../../src-preload/contract/folder-flaw.ts';
import type { UnconfirmedValue } from '../../src-preload/contract/settings.ts';
import type { Notice } from '../assistant/turn.ts';
import { errorMessage } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { Listeners } from '../base/listeners.ts';
import type { PermissionGrant } from '../policy/permission-grant.ts';
import type { ConfiguredReview, PermissionGrants, ReviewedGrant } from '../policy/permission-grants.ts';
import { Roots, type RootsOptions, UnusableWorkspace } from '../policy/roots.ts';
import type { Config } from '../settings/config-schema.ts';
import { effectiveConfig, grantKeysOfServer, templateKey, vendorUseKey } from '../settings/permission-grants.ts';
import { wasRead } from '../settings/problems.ts';
import type { ConfigPart, Settings } from '../settings/settings.ts';
import { readOnly } from '../tools/files/change-recorder.ts';
import { WorkspaceFiles } from '../tools/files/workspace-files.ts';

/** The workspace (or a granted folder) can't be used. The message says why and, for a terminal, what to do. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code = 'workspace';
  /** Only the reason, without what it is about. */
  readonly problem: string;

  constructor(problem: string, options?: ErrorOptions) {
    const isChosen = options?.cause instanceof UnusableWorkspace;
    super(
      isChosen ? `${problem} Choose another with --workspace or workingDirectory in config.json.` : problem,
      options,
    );
    this.problem = problem;
  }
}

export interface EffectiveSettingsOptions {
  readonly settings: Settings;
  readonly grants: PermissionGrants;
  readonly profileDirectory: string;
  /** Given by the user at start; used until they choose another one. */
  readonly workspace: string | undefined;
  readonly defaultWorkspace: () => string;
  /** See `ServicesOptions`. */
  readonly isLongLived: boolean;
  readonly notify: (notice: Notice) => void;
}

/**
 * config.json without its unconfirmed values, and the folders that result from it. Both follow the file: a change that
 * takes permissions away applies at once, even to running turns, while a permission grant waits for confirmation.
 * Source: design section 4, "One gate".
 */
export class EffectiveSettings {
  /** Servers whose confirmations stay although config.json does not name them: their removal can be undone. */
  readonly keptServers = new Set<string>();
  readonly #options: EffectiveSettingsOptions;
  readonly #listeners = new Listeners();
  /** Every workspace of this session: a turn may still be working in an earlier one. */
  readonly #roots: Roots[] = [];
  /** Being asked about, or confirmed but not yet in the file. */
  readonly #asking = new Set<PermissionGrant>();
  readonly #noticed = new Set<string>();
  #given: string | undefined;
  #config: Config;
  #unconfirmed: readonly UnconfirmedValue[] = [];
  #files: WorkspaceFiles | undefined;
  #settled: Promise<void> = Promise.resolve();

  private constructor(options: EffectiveSettingsOptions) {
    this.#options = options;
    this.#given = options.workspace;
    this.#config = options.settings.current;
  }

  /** Throws `WorkspaceError`. */
  static async open(options: EffectiveSettingsOptions, signal: AbortSignal): Promise<EffectiveSettings> {
    const effective = new EffectiveSettings(options);
    const { grants, settings, isLongLived } = options;
    const items = settings.grants();
    effective.#take(isLongLived ? grants.sort(items) : await grants.review(items, signal));
    await effective.#openFirstWorkspace();
    if (isLongLived) settings.watch(() => effective.follow());
    return effective;
  }

  get config(): Config {
    return this.#config;
  }

  get unconfirmed(): readonly UnconfirmedValue[] {
    return this.#unconfirmed;
  }

  /** The absolute path as configured. */
  get workspace(): string {
    return this.files.workspace;
  }

  /** See `Services`. */
  workspaceFlaw(): Promise<FolderFlaw | undefined> {
    return this.#currentRoots.workspaceFlaw();
  }

  get realWorkspace(): string {
    return this.#currentRoots.realWorkspace;
  }

  /** Real paths of the roots, of every workspace of this session. */
  get roots(): readonly string[] {
    return [...new Set(this.#roots.flatMap((roots) => roots.real))];
  }

  get files(): WorkspaceFiles {
    if (this.#files === undefined) throw new TypeError('The workspace is not open yet');
    return this.#files;
  }

  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** See `Services.grant`. */
  grant(item: PermissionGrant, save: (draft: Config) => ConfigPart, signal: AbortSignal): Promise<boolean> {
    return this.grantWith(item, () => this.#options.settings.update(save), signal);
  }

  /** Grants where saving involves more than a value of config.json. */
  async grantWith(item: PermissionGrant, save: () => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
    const { grants } = this.#options;
    const given = this.#given;
    this.#asking.add(item);
    try {
      const { confirmed } = await grants.confirm(item, signal);
      if (!confirmed) return false;
      if (item.subject === 'workspace') this.#given = undefined;
      await save().catch((error: unknown) => {
        this.#given = given;
        throw error;
      });
      // The file may already contain it; then nothing was written.
      this.follow();
      await this.#settled;
      return true;
    } finally {
      this.#asking.delete(item);
    }
  }

  /** Applies a value without asking: it grants less than the confirmed one, or was chosen in the consent surface. */
  async adopt(item: PermissionGrant, save: () => Promise<unknown>): Promise<void> {
    this.#asking.add(item);
    try {
      this.#options.grants.adopt(item);
      await save();
      this.follow();
      await this.#settled;
    } finally {
      this.#asking.delete(item);
    }
  }

  /** Asks in the same way about what config.json does not name; see `PermissionGrants`. */
  confirmUnlessDeclined(...given: Parameters<PermissionGrants['confirmUnlessDeclined']>): Promise<ReviewedGrant> {
    return this.#options.grants.confirmUnlessDeclined(...given);
  }

  isConfirmed(item: PermissionGrant): boolean {
    return this.#options.grants.isConfirmed(item);
  }

  /** See `Services.askForGrant`. */
  async askForGrant(item: PermissionGrant, signal: AbortSignal): Promise<boolean> {
    const { grants } = this.#options;
    try {
      return (await grants.confirm(item, signal)).confirmed;
    } finally {
      grants.forget(item.key);
    }
  }

  /** See `Services.confirmPending`. */
  async confirmPending(signal: AbortSignal): Promise<void> {
    await this.#options.grants.review(this.#options.settings.grants(), signal);
    this.follow();
    await this.#settled;
  }

  get #currentRoots(): Roots {
    const current = this.#roots.at(-1);
    if (current === undefined) throw new TypeError('The workspace is not open yet');
    return current;
  }

  async #openFirstWorkspace(): Promise<void> {
    const { defaultWorkspace, isLongLived } = this.#options;
    const named = this.#given ?? this.#config.workingDirectory;
    // Whoever has a window sees there what is wrong, and can choose another or plug in the drive.
    await this.#openWorkspace(resolve(named ?? defaultWorkspace()), isLongLived);
  }

  async #openWorkspace(workspace: string, acceptsUnusable: boolean): Promise<void> {
    const { profileDirectory } = this.#options;
    const { folders, tools, workingDirectory } = this.#config;
    const usual = workingDirectory === undefined ? undefined : resolve(workingDirectory);
    const roots = await openRoots({
      workspace,
      folders,
      profileDirectory,
      acceptsUnusable,
      workingDirectory: usual,
    });
    this.#roots.push(roots);
    this.#files = new WorkspaceFiles({ roots, readWalkUp: tools.readWalkUp, recorder: readOnly });
    this.#sayUnusableFolders();
  }

  /** Applies config.json as it is now. */
  follow(): void {
    const { grants, settings } = this.#options;
    this.#take(grants.sort(settings.grants()));
    for (const roots of this.#roots) roots.grantOnly(this.#config.folders);
    this.#sayUnusableFolders();
    // A workspace that was removed from the file, or is not yet confirmed, changes nothing until the next start.
    const named = this.#given === undefined ? this.#config.workingDirectory : undefined;
    if (named !== undefined && resolve(named) !== this.workspace) {
      this.#settled = this.#settled.then(() => this.#moveTo(resolve(named))).then(() => this.#listeners.tell());
    } else this.#listeners.tell();
  }

  async #moveTo(workspace: string): Promise<void> {
    try {
      await this.#openWorkspace(workspace, false);
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      const message = `${error.problem} Steward keeps working in ${this.workspace}.`;
      this.#options.notify({ code: 'workspace_unusable', message });
    }
  }

  #take({ confirmed, inert }: ConfiguredReview): void {
    const { settings, grants, notify } = this.#options;
    if (wasRead(settings.problems)) grants.forgetRemoved([...settings.grants(), ...this.#asking, ...this.#keptKeys()]);
    this.#unconfirmed = inert.map(({ item, reason }) => ({ key: item.key, reason }));
    for (const { item, reason } of inert) {
      const message = `${item.key} in config.json has no effect yet. ${reasonBesideKey(reason)}`;
      const notice = `${message} ${JSON.stringify(item.value)}`;
      if (this.#noticed.has(notice)) continue;
      this.#noticed.add(notice);
      notify({ code: 'not_confirmed', message });
    }
    this.#config = effectiveConfig(settings.current, new Set(confirmed.map((item) => item.key)));
  }

  /**
   * An invalid entry is not a removed one: its confirmations apply again once it is corrected. That a provider's own
   * key goes to the vendor is not in the file, and ends with an address of its own.
   */
  #keptKeys(): { readonly key: string }[] {
    const providers = Object.entries(this.#options.settings.providersAsWritten)
      .filter(([, entry]) => !isRecord(entry) || entry.baseUrl === undefined)
      .map(([name]) => ({ key: vendorUseKey(name) }));
    const named = [...Object.keys(this.#options.settings.serversAsWritten), ...this.keptServers];
    const valid = this.#options.settings.current.mcpServers;
    const servers = named
      .filter((name) => !Object.hasOwn(valid, name))
      .flatMap(grantKeysOfServer)
      .map((key) => ({ key }));
    return [...providers, ...servers, ...Object.keys(valid).map((name) => ({ key: templateKey(name) }))];
  }

  #sayUnusableFolders(): void {
    for (const { folder, reason } of this.#currentRoots.unusableFolders) {
      const message = `The granted folder ${folder} cannot be used: ${reason}`;
      if (this.#noticed.has(message)) continue;
      this.#noticed.add(message);
      this.#options.notify({ code: 'folder_unusable', message });
    }
  }
}

/** Throws `WorkspaceError`. */
async function openRoots(options: RootsOptions): Promise<Roots> {
  try {
    const roots = new Roots(options);
    if (options.acceptsUnusable !== true) await roots.checkWorkspace();
    return roots;
  } catch (error) {
    throw new WorkspaceError(errorMessage(error), { cause: error });
  }
}
