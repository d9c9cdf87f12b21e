import { z } from 'zod';
import { type BoundsView, FreedomLasts } from './bounds.ts';
import type { DecisionReason } from './decision-reason.ts';
import type { FolderFlaw } from './folder-flaw.ts';
import type { ModelAbility } from './providers.ts';
import { request } from './route.ts';
import type { ListedSkill } from './skills.ts';

export const SecretName = z.enum([
  'anthropic-api-key',
  'anthropic-admin-api-key',
  'brave-api-key',
  'google-client-id',
  'google-client-secret',
  'openai-api-key',
  'gemini-api-key',
]);
export type SecretName = z.infer<typeof SecretName>;

/** A section of the settings window. */
export type SettingsSection =
  | 'models'
  | 'accounts'
  | 'folders'
  | 'tools'
  | 'servers'
  | 'programs'
  | 'rules'
  | 'usage'
  | 'appearance'
  | 'data'
  | 'about';

/** Vendor pages, opened by name: the window never sends an address. */
export const VendorPage = z.enum(['anthropic-billing', 'anthropic-status', 'openai-billing', 'openai-status']);
export type VendorPage = z.infer<typeof VendorPage>;

export interface SecretStatus {
  readonly name: SecretName;
  readonly isSet: boolean;
  readonly source: 'keychain' | 'memory' | 'environment' | '.env' | null;
}

export interface ModelChoice {
  /** The input of `chooseModel`: `anthropic:claude-sonnet-5-5`, `guide`. */
  readonly specification: string;
  readonly label: string;
  readonly note: string | null;
  /** Who receives the conversation: a vendor's name, or the host of a custom base URL. Null if nobody does. */
  readonly sentTo: string | null;
  /** The UTF-16 units of attached text that the model is given per message. Null if it reads none. */
  readonly attachedRoom: number | null;
  readonly abilities: readonly ModelAbility[];
  readonly isChosen: boolean;
}

export interface RuleRow {
  readonly id: string;
  /**
   * False if the rule has ended, or if an older version made it for all commands with the same beginning. It is no longer
   * in effect.
   */
  readonly hasEffect: boolean;
  /** The time when the rule ends, or ended. Absent if it has no end. */
  readonly until?: string;
  readonly label: string;
  readonly tool: string | null;
  /** The title of the only conversation in which the rule counts, or null if it always does. */
  readonly conversation: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly uses: number;
}

export interface Problem {
  readonly code: string;
  /** The key of config.json at fault, if it is one key: `mcpServers.files.args[1]`. */
  readonly key?: string;
  readonly message: string;
}

/** A value of config.json without effect until confirmed. */
export interface UnconfirmedValue {
  readonly key: string;
  readonly reason: DecisionReason;
}

/** Tools that can be offered to models as one, which opens them. */
export interface ToolGroupRow {
  readonly id: string;
  readonly title: string;
  /** The name of an MCP server. */
  readonly isServer: boolean;
  readonly isCollapsed: boolean;
  /**
   * An estimate of the tokens that the tools take in each request, all of those that are switched on, and collapsed.
   * Null if none is on.
   */
  readonly tokens: { readonly open: number; readonly collapsed: number } | null;
}

/** Why a keychain can't be used: there is none; it gave no answer in time; it is locked; it refused. */
export type KeychainTrouble = 'absent' | 'no_answer' | 'locked' | 'failed';

export interface SettingsView {
  readonly workspace: string;
  /** Why tools can't work in the workspace, or null if they can. */
  readonly workspaceFlaw: FolderFlaw | null;
  /** Granted in config.json; one that is not confirmed waits for consent. */
  readonly folders: readonly {
    readonly path: string;
    readonly isConfirmed: boolean;
    readonly flaw: FolderFlaw | null;
  }[];
  readonly models: readonly ModelChoice[];
  readonly secrets: readonly SecretStatus[];
  readonly keychain: 'keychain' | 'memory';
  /** Null if there is none, or if it is not known yet. */
  readonly keychainTrouble: KeychainTrouble | null;
  /** Skills from files, used or not. */
  readonly skills: readonly ListedSkill[];
  readonly tools: readonly {
    readonly name: string;
    /** What it does, in a word or two. */
    readonly title: string;
    readonly description: string;
    readonly access: string;
    readonly isEnabled: boolean;
    /**
     * Completes "needs …" with what is missing. Absent if nothing is. A tool with something missing can't be switched
     * on.
     */
    readonly needs?: string;
    /** The section where a tool gets what it is missing. */
    readonly setIn?: SettingsSection;
    /** The id of the tool's group. Absent if it is in none. */
    readonly group?: string;
  }[];
  /** Built-in tools by category, and MCP servers. */
  readonly toolGroups: readonly ToolGroupRow[];
  readonly problems: readonly Problem[];
  /** Values of config.json that have no effect until they are confirmed. */
  readonly unconfirmed: readonly UnconfirmedValue[];
  /** MCP servers with tools that are left out until reviewed. */
  readonly unreviewedServers: readonly string[];
  /** MCP servers that answer only after signing in. */
  readonly serversToSignIn: readonly string[];
}

/**
 * Why a backup was made. `version` is the database format of the upgrade that followed. `before_damage` is the newest
 * good backup when damage was found.
 */
export type BackupReason =
  | { readonly code: 'daily' }
  | { readonly code: 'before_migration'; readonly version: number }
  | { readonly code: 'before_damage' };

/** What is kept of files from before tools and commands changed them. */
export interface KeptForUndo {
  readonly bytes: number;
  /** The commands that something of it belongs to. */
  readonly commands: number;
  /** The calls of file tools that something of it belongs to. */
  readonly edits: number;
}

export const UndoLimits = z.object({
  maxGigabytes: z.number().min(0.1).max(10_000),
  maxDays: z.int().min(1).max(3_650),
});
/** How much is kept so that commands can be undone, and for how long. */
export type UndoLimits = z.infer<typeof UndoLimits>;

export interface DataView {
  readonly profileDirectory: string;
  readonly undoLimits: UndoLimits;
  readonly backups: readonly {
    readonly name: string;
    readonly reason: BackupReason;
    readonly date: string;
    readonly bytes: number;
  }[];
}

export const settings = {
  get: request(z.object({})).returns<SettingsView>(),
  chooseModel: request(z.object({ specification: z.string().min(1).max(200) })).returns<SettingsView>(),
  setSkillEnabled: request(z.object({ name: z.string().max(200), isEnabled: z.boolean() })).returns<SettingsView>(),
  /** Asks about the skills of the workspace. */
  confirmSkills: request(z.object({})).returns<SettingsView>(),
  setToolEnabled: request(z.object({ name: z.string().max(200), isEnabled: z.boolean() })).returns<SettingsView>(),
  /** Whether models are offered a group of tools as one tool until they open it. */
  collapseTools: request(z.object({ group: z.string().max(200), isCollapsed: z.boolean() })).returns<SettingsView>(),
  /** Asks the service with this key, before anything is stored. */
  testKey: request(z.object({ name: SecretName, value: z.string().min(1).max(1000) })).returns<{
    readonly works: boolean;
    readonly message: string;
  }>(),
  /**
   * Stores a key. Asks in the consent surface if main did not see the user enter it for its test. The key is never
   * returned.
   */
  setKey: request(z.object({ name: SecretName, value: z.string().min(1).max(1000) })).returns<SettingsView>(),
  removeKey: request(z.object({ name: SecretName })).returns<SettingsView>(),
  /** Shows the system's folder dialog, then asks in the consent surface; the page controls neither. */
  chooseWorkspace: request(z.object({})).returns<SettingsView>(),
  addFolder: request(
    z.object({ /** Proposed by a card; without it a dialog is shown. */ path: z.string().max(4096).optional() }),
  ).returns<SettingsView>(),
  removeFolder: request(z.object({ path: z.string().max(4096) })).returns<SettingsView>(),
  /** Tries whether commands can be held in a sandbox. */
  bounds: request(z.object({})).returns<BoundsView>(),
  /** Asks in the consent surface before the assistant works freely in a folder that is in effect. */
  workFreely: request(z.object({ folder: z.string().max(4096), lasts: FreedomLasts })).returns<BoundsView>(),
  /** Takes that back. */
  askAgain: request(z.object({ folder: z.string().max(4096) })).returns<BoundsView>(),
  /** Whether commands that can change nothing ask too. Asks in the consent surface before they no longer do. */
  setAsksBeforeCommands: request(z.object({ isOn: z.boolean() })).returns<BoundsView>(),
  /** Asks in the consent surface about unconfirmed values of config.json and unreviewed definitions of MCP servers. */
  confirmPending: request(z.object({})).returns<SettingsView>(),
  rules: request(z.object({})).returns<readonly RuleRow[]>(),
  revokeRule: request(z.object({ id: z.string().max(100) })).returns<readonly RuleRow[]>(),
  data: request(z.object({})).returns<DataView>(),
  makeBackup: request(z.object({})).returns<DataView>(),
  /** Deletes at once what is beyond the new limits. */
  setUndoLimits: request(UndoLimits).returns<DataView>(),
  /** Counts, which may take a while. */
  keptForUndo: request(z.object({})).returns<KeptForUndo>(),
  /** Deletes all of it. */
  clearKeptForUndo: request(z.object({})).returns<KeptForUndo>(),
  showProfileFolder: request(z.object({})).returns<null>(),
};

export const app = {
  info: request(z.object({})).returns<{
    readonly version: string;
    readonly platform: string;
    readonly electron: string;
    /** Older than the release line that Steward ships with, and without security fixes. */
    readonly isElectronOutdated: boolean;
    readonly isFirstRun: boolean;
    readonly homeFolder: string;
    /** Absolute path. */
    readonly logFile: string;
    /** Dumps of crashes, which stay on this computer, or null if there are none. `latestAt` is in ISO 8601. */
    readonly crashDumps: { readonly folder: string; readonly count: number; readonly latestAt: string } | null;
  }>(),
  /** Opens the log. */
  showLog: request(z.object({})).returns<null>(),
  /** Ends the first run. */
  finishFirstRun: request(z.object({})).returns<null>(),
  /** Opens the vendor's page where this key is made. */
  openKeyPage: request(z.object({ name: SecretName })).returns<null>(),
  /** Opens a page of a vendor in the browser, as *Billing* at an error does. */
  openVendorPage: request(z.object({ page: VendorPage })).returns<null>(),
  /** `system` follows the desktop. */
  setTheme: request(z.object({ theme: z.enum(['system', 'light', 'dark']) })).returns<null>(),
  theme: request(z.object({})).returns<'system' | 'light' | 'dark'>(),
  /**
   * Text size of the chat: 1 is 100 %. Questions have their own, which only the menu changes. Returns the factor in
   * effect, as `zoom` does.
   */
  setZoom: request(z.object({ factor: z.number().min(0.5).max(3) })).returns<number>(),
  zoom: request(z.object({})).returns<number>(),
  /**
   * Which conversation's composer is visible (null for none), and its height in CSS pixels, because questions are
   * placed above it. `room` is what is left for messages and a question together.
   */
  composer: request(
    z.object({
      conversationId: z.uuid().nullable(),
      height: z.number().min(0).max(10_000),
      room: z.number().min(0).max(100_000).optional(),
    }),
  ).returns<null>(),
  /**
   * Whether the message field is empty, composes nothing, and nothing else in the page wants the keys: only then may a
   * question take the keyboard.
   */
  messageField: request(z.object({ isFree: z.boolean() })).returns<null>(),
  /** Shows a postponed question of this conversation. */
  takeUpQuestion: request(z.object({ conversationId: z.uuid() })).returns<null>(),
};
