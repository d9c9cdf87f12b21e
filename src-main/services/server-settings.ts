import { randomUUID } from 'node:crypto';
import type { ServerForm, ServerText, TemplateId } from '../../src-preload/contract/servers.ts';
import type { ToolClass } from '../../src-preload/contract/tool-class.ts';
import { ownValue } from '../base/json.ts';
import type { ConnectionOutcome, McpManager } from '../mcp/manager.ts';
import type { SignIns } from '../mcp/oauth/sign-ins.ts';
import { type KeptValues, planServer, readServer, type ServerPlan } from '../mcp/setup/server-plan.ts';
import { keptValues } from '../mcp/setup/server-values.ts';
import { type FilledTemplate, isAsFilled } from '../mcp/setup/template-entry.ts';
import type { GivenSecret } from '../policy/permission-grant.ts';
import { mcpSecretName } from '../secrets/secret-names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { keychainNamesIn } from '../settings/keychain-placeholders.ts';
import {
  type ConfiguredGrant,
  classesGrant,
  grantKeysOfServer,
  grantsOfServer,
  type ServerLaunch,
  serverGrant,
  textGrant,
} from '../settings/permission-grants.ts';
import { SettingsError } from '../settings/problems.ts';
import type { RemovedServer } from '../settings/server-entries.ts';
import type { Settings } from '../settings/settings.ts';
import { storedDecisiveSecrets } from './decisive-secrets.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { EntrySettingsError, shownEnd } from './entry-settings.ts';
import type { ServerTools } from './server-tools.ts';
import type { TemplateEntries } from './template-entries.ts';

/** How long a removal can be undone. The button is shown for less time, unless the pointer rests on it. */
const UNDO_MS = 60_000;

export interface ServerSettingsPorts {
  readonly settings: Settings;
  readonly effective: EffectiveSettings;
  readonly secrets: Pick<Secrets, 'check' | 'get' | 'placeFor' | 'set' | 'remove'>;
  readonly manager: McpManager;
  readonly tools: Pick<ServerTools, 'review'>;
  readonly signIns: Pick<SignIns, 'forget'>;
  readonly templates: Pick<TemplateEntries, 'remember'>;
}

/** A form, and the source of the values it leaves unchanged. */
export interface GivenServer {
  readonly form: ServerForm;
  /** Values from another program's configuration, or undefined if they are from config.json. */
  readonly found?: KeptValues | undefined;
  /** The template that filled the form at first. */
  readonly template?: FilledTemplate | undefined;
}

/** The class of each tool; null removes the user's class. */
type ChosenClasses = Readonly<Record<string, ToolClass | null>>;

interface Removal {
  readonly id: string;
  readonly removed: RemovedServer;
  readonly timer: NodeJS.Timeout;
}

/**
 * MCP servers in config.json, with their secrets in the keychain. The user is asked first about a change that starts or
 * reaches more than was confirmed; a result of false means that they declined and nothing was saved. All methods throw
 * `EntrySettingsError`, `SettingsError` and `SecretsError`.
 */
export class ServerSettings {
  readonly #ports: ServerSettingsPorts;
  readonly #removals = new Map<string, Removal>();

  constructor(ports: ServerSettingsPorts) {
    this.#ports = ports;
  }

  async add(given: GivenServer, signal: AbortSignal): Promise<boolean> {
    const name = given.form.name.trim();
    if (this.#entryOf(name) !== undefined)
      throw new EntrySettingsError('name_taken', `An MCP server named “${name}” already exists. Choose another name.`);
    const plan = this.#planOf(given);
    await Promise.all(
      [...this.#removals.values()].filter(({ removed }) => removed.name === name).map((each) => this.#finish(each)),
    );
    if (!(await this.#keep(plan, { template: this.#templateOf(given, plan), signal }))) return false;
    await this.#ports.tools.review(signal, name);
    return true;
  }

  async change(given: GivenServer, signal: AbortSignal): Promise<boolean> {
    const name = given.form.name.trim();
    const entry = this.#needEntry(name);
    const plan = this.#planOf(given);
    const before = readServer(name, entry, '').server;
    const previous = before && serverGrant(name, before)?.value;
    if (!(await this.#keep(plan, { previous, signal }))) return false;
    // A server reads its secrets at start.
    if (plan.secrets.size > 0) void this.#ports.manager.get(name)?.restart();
    await this.#ports.tools.review(signal, name);
    return true;
  }

  /** Connects once with the form's values. Resolves with undefined if the user declined. */
  async test(given: GivenServer, signal: AbortSignal): Promise<ConnectionOutcome | undefined> {
    const { effective, manager } = this.#ports;
    const plan = this.#planOf(given);
    const { name, server, secrets } = plan;
    // The test's yes is not for the entry: what the entry's server was allowed stays as it is.
    const { holder: _, ...item } = grantOf(name, server);
    const entered = shownSecrets(plan, 'nowhere');
    const isOther = (stored: GivenSecret) => !secrets.has(stored.name);
    const asked = {
      ...item,
      subject: 'mcp-test',
      key: `test of ${name}`,
      secrets: [...entered, ...(await storedDecisiveSecrets(name, item.value, this.#ports.secrets)).filter(isOther)],
    } as const;
    const isConfirmed = secrets.size === 0 && effective.isConfirmed(item);
    if (!isConfirmed && !(await effective.askForGrant(asked, signal))) return undefined;
    // Telling a remote server about folders is a separate grant.
    const isInert = (each: ConfiguredGrant) => each.subject === 'mcp-roots' && !effective.isConfirmed(each);
    const tested = grantsOfServer(name, server).some(isInert) ? { ...server, roots: false } : server;
    return manager.test(name, tested, async (secret) => secrets.get(secret), signal);
  }

  /** Switching off needs no question; switching on asks unless exactly this server was confirmed. */
  async setEnabled(name: string, isEnabled: boolean, signal: AbortSignal): Promise<boolean> {
    const { settings, effective } = this.#ports;
    const save = () => settings.editServer(name, [{ path: ['enabled'], value: isEnabled ? undefined : false }]);
    const server = ownValue(settings.current.mcpServers, name);
    const item = server && serverGrant(name, server);
    if (isEnabled && item !== undefined) return effective.grantWith(item, save, signal);
    await save();
    effective.follow();
    return true;
  }

  /** Sets the user's class for a tool; `null` removes it. */
  async setClass(name: string, tool: string, given: ToolClass | null, signal: AbortSignal): Promise<boolean> {
    const { effective } = this.#ports;
    const { now, item, save } = this.#classesWith(name, { [tool]: given });
    const old = ownValue(now, tool);
    const isNarrower = given === 'send' || (old === 'read' && given !== 'read');
    if (!isNarrower || !this.#isConfirmed(name, now))
      return effective.grantWith({ ...item, previous: now }, save, signal);
    await effective.adopt(item, save);
    return true;
  }

  /**
   * Saves the classes chosen in the consent surface; asks only if config.json has a value that the user has not seen.
   */
  async keepClasses(name: string, chosen: ChosenClasses, signal: AbortSignal): Promise<void> {
    const { effective } = this.#ports;
    const { now, item, save } = this.#classesWith(name, chosen);
    await (this.#isConfirmed(name, now) ? effective.adopt(item, save) : effective.grantWith(item, save, signal));
  }

  async setText(name: string, text: ServerText, signal: AbortSignal): Promise<boolean> {
    const { settings, effective } = this.#ports;
    const save = () => settings.editServer(name, [{ path: ['text'], value: text === 'outside' ? undefined : text }]);
    if (text !== 'outside') return effective.grantWith(textGrant(name, text), save, signal);
    await save();
    effective.follow();
    return true;
  }

  /** Asks about this server's unconfirmed values in config.json, then about its tools. */
  async confirm(name: string, signal: AbortSignal): Promise<boolean> {
    const { settings, effective, tools } = this.#ports;
    for (const key of grantKeysOfServer(name)) {
      // Confirming another program takes values out of the file.
      const item = settings.grants().find((each) => each.key === key);
      if (item !== undefined && !(await effective.grantWith(item, async () => undefined, signal))) return false;
    }
    await tools.review(signal, name);
    return true;
  }

  /** Asks about unreviewed definitions. */
  review(name: string, signal: AbortSignal): Promise<void> {
    return this.#ports.tools.review(signal, name);
  }

  /** Returns the id for `undoRemoval`. Until it expires, confirmations and secrets are kept. */
  async remove(name: string): Promise<string> {
    const { settings, effective } = this.#ports;
    this.#needEntry(name);
    effective.keptServers.add(name);
    try {
      const removed = await settings.removeServer(name);
      const id = randomUUID();
      const removal: Removal = { id, removed, timer: setTimeout(() => void this.#finish(removal), UNDO_MS) };
      removal.timer.unref();
      this.#removals.set(id, removal);
      return id;
    } catch (error) {
      effective.keptServers.delete(name);
      throw error;
    } finally {
      effective.follow();
    }
  }

  async undoRemoval(id: string): Promise<void> {
    const { settings, effective } = this.#ports;
    const removal = this.#removals.get(id);
    if (removal === undefined)
      throw new EntrySettingsError('undo_expired', 'It is too late to undo this. Add the server again.');
    await settings.putServerBack(removal.removed);
    clearTimeout(removal.timer);
    this.#removals.delete(id);
    effective.follow();
    effective.keptServers.delete(removal.removed.name);
  }

  /** Makes pending removals final. */
  async close(): Promise<void> {
    await Promise.all([...this.#removals.values()].map((removal) => this.#finish(removal)));
  }

  async #finish({ id, timer, removed }: Removal): Promise<void> {
    const { effective, secrets, signIns } = this.#ports;
    clearTimeout(timer);
    if (!this.#removals.delete(id)) return;
    effective.keptServers.delete(removed.name);
    effective.follow();
    // The entry may have been restored in the file: then its secrets are in use.
    if (this.#entryOf(removed.name) !== undefined) return;
    // A secret that can't be deleted now is unreferenced and can be overwritten.
    for (const secret of keychainNamesIn(removed.entry))
      await secrets.remove(mcpSecretName(removed.name, secret)).catch(() => undefined);
    await signIns.forget(removed.name).catch(() => undefined);
  }

  #planOf({ form, found }: GivenServer): ServerPlan {
    const { settings, secrets } = this.#ports;
    const name = form.name.trim();
    const entry = this.#entryOf(name);
    const kept = found ?? keptValues(entry);
    const plan = planServer(form, { entry, kept, profileDirectory: settings.profileDirectory });
    if ('problems' in plan)
      throw new EntrySettingsError('bad_server', plan.problems.map(({ message }) => message).join('\n'));
    for (const [secret, value] of plan.secrets) secrets.check(mcpSecretName(name, secret), value);
    return plan;
  }

  async #keep(
    plan: ServerPlan,
    {
      previous,
      template,
      signal,
    }: { previous?: ServerLaunch | undefined; template?: TemplateId | undefined; signal: AbortSignal },
  ): Promise<boolean> {
    const { name, server, edits, secrets } = plan;
    const { settings, effective } = this.#ports;
    const [first] = secrets.keys();
    const keptIn = first === undefined ? 'nowhere' : await this.#ports.secrets.placeFor(mcpSecretName(name, first));
    const item = {
      ...grantOf(name, server),
      secrets: shownSecrets(plan, keptIn),
      ...(previous === undefined ? {} : { previous }),
      ...(template === undefined ? {} : { template }),
    };
    const save = async () => {
      for (const [secret, value] of secrets) await this.#ports.secrets.set(mcpSecretName(name, secret), value);
      await settings.editServer(name, edits);
      if (template !== undefined) this.#ports.templates.remember(name, template, server);
    };
    return effective.grantWith(item, save, signal);
  }

  /**
   * The template of an entry. It counts only if nothing that decides what runs was changed in the form, and only for
   * what the question shows.
   */
  #templateOf({ template }: GivenServer, { name, server }: ServerPlan): TemplateId | undefined {
    if (template === undefined || !isAsFilled(server, template.server)) return undefined;
    return this.#ports.effective.isConfirmed(grantOf(name, server)) ? undefined : template.id;
  }

  /** A server's classes now, the grant for them with the chosen ones, and what saves those. */
  #classesWith(name: string, chosen: ChosenClasses) {
    const { settings } = this.#ports;
    const now = ownValue(settings.current.mcpServers, name)?.classes ?? {};
    const merged = Object.entries({ ...now, ...chosen }).flatMap(([tool, each]) => (each ? [[tool, each]] : []));
    const edits = Object.entries(chosen).map(
      ([tool, each]) => ({ path: ['classes', tool], value: each ?? undefined }) as const,
    );
    const item = classesGrant(name, Object.fromEntries(merged));
    return { now, item, save: () => settings.editServer(name, edits) };
  }

  /** A `send` class only makes a tool ask more, so it needs no confirmation. */
  #isConfirmed(name: string, classes: Readonly<Record<string, ToolClass>>): boolean {
    const isOnlySending = Object.values(classes).every((each) => each === 'send');
    return isOnlySending || this.#ports.effective.isConfirmed(classesGrant(name, classes));
  }

  #entryOf(name: string): unknown {
    const { serversAsWritten } = this.#ports.settings;
    return ownValue(serversAsWritten, name);
  }

  #needEntry(name: string): unknown {
    const entry = this.#entryOf(name);
    if (entry === undefined) throw new SettingsError(`config.json has no MCP server ${JSON.stringify(name)}.`);
    return entry;
  }
}

function grantOf(name: string, server: ServerPlan['server']): ConfiguredGrant<'mcp-server'> {
  const item = serverGrant(name, server);
  if (item === undefined) throw new TypeError('a bundled server is not set up');
  return item;
}

function shownSecrets(
  { secrets, decisive }: Pick<ServerPlan, 'secrets' | 'decisive'>,
  keptIn: GivenSecret['keptIn'],
): GivenSecret[] {
  return [...secrets].map(([name, value]) => ({
    name,
    end: shownEnd(value),
    keptIn,
    ...(decisive.has(name) ? { whole: value } : {}),
  }));
}
