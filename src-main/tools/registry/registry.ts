import type { Mark } from '../../../src-preload/contract/events.ts';
import type { SettingsSection } from '../../../src-preload/contract/settings.ts';
import type { CallWords } from '../../../src-preload/contract/tool-words.ts';
import { errorMessage } from '../../base/errors.ts';
import { redactSecrets } from '../../secrets/redaction.ts';
import type { JsonSchema, Tool, ToolCategory, ToolInput } from '../contract.ts';
import { ToolFailure, unexpectedFailurePrefix } from '../contract.ts';
import { callWords } from '../words/call-words.ts';
import {
  DisabledTools,
  type DisabledToolsStore,
  foldCase,
  type KnownTools,
  type SwitchOutcome,
} from './disabled-tools.ts';
import type { Availability, ToolGate } from './gates.ts';
import { isGlob } from './name-glob.ts';
import { type CallEdge, type Preparation, PreparedCall } from './prepared-call.ts';
import type { GroupId } from './tool-groups.ts';
import { ToolIndexes } from './tool-indexes.ts';
import { validateInput } from './validation.ts';
import { renamed, WireNames, wireNameOf } from './wire-names.ts';

export interface Registration {
  readonly tool: Tool;
  readonly category: ToolCategory;
  /** Whether the tool is registered. Without this, it always is. */
  readonly gate?: ToolGate;
  /** Another tool does nearly the same: left out of the `lean` profile. */
  readonly overlaps?: boolean;
  /** The group of the tool. Without this, it is in none, and never collapsed. */
  readonly group?: GroupId;
}

export interface RegistryPorts {
  readonly available: Availability;
  readonly disabledTools: DisabledToolsStore;
  readonly profile: 'all' | 'lean';
  /** Exact values that must not appear in an error text. */
  readonly secrets: () => Iterable<string>;
  readonly log: (message: string) => void;
}

/** A tool whose gate is closed. */
export interface UnavailableTool {
  readonly tool: Tool;
  /** Completes "needs …". */
  readonly needs: string;
  readonly setIn: SettingsSection;
}

/** A tool as offered to models; name in wire form. */
export interface OfferedTool {
  readonly name: string;
  readonly category: ToolCategory;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** See `ToolWords`. */
  readonly nothing?: string;
  /** See `Registration`. */
  readonly group?: GroupId;
  /** The marks of the tool's description. Without this, it has none. */
  readonly marks?: readonly Mark[];
  /**
   * A `container` opens a group, or is a skill. An `opened` tool is of a group that was opened, or of a skill that is
   * active.
   */
  readonly place?: 'container' | 'opened';
}

const CATEGORIES: readonly ToolCategory[] = ['core', 'mcp', 'api', 'client'];

/**
 * The tools of one window or front end: what is registered, what is switched on, and the boundary that contains all
 * faults of tools. An instance, never a global. Source: tool catalogue A.2 to A.8.
 */
export class ToolRegistry {
  /** The registrations by case-folded name, in their order. */
  readonly #registrations: Readonly<Record<ToolCategory, Map<string, Registration>>> = {
    core: new Map(),
    mcp: new Map(),
    api: new Map(),
    client: new Map(),
  };
  /** For the case-folded name of an MCP tool, the number to try first for the next tool with this name. */
  readonly #nextNumber = new Map<string, number>();
  readonly #wireNames = new WireNames();
  readonly #disabled: DisabledTools;
  readonly #ports: RegistryPorts;
  readonly #edge: CallEdge;
  readonly indexes = new ToolIndexes();
  #open: readonly Registration[] = [];
  #tools: readonly Tool[] = [];
  #byName: ReadonlyMap<string, Tool> = new Map();
  #groups: ReadonlyMap<Tool, GroupId> = new Map();
  #leftOutByProfile: ReadonlySet<Tool> = new Set();
  /** The latest last. */
  readonly #used = new Set<Tool>();

  constructor(ports: RegistryPorts) {
    this.#ports = ports;
    this.#disabled = new DisabledTools(ports.disabledTools);
    this.#edge = {
      redacted: (text) => redactSecrets(text, ports.secrets()),
      onUse: (tool) => {
        if (this.get(tool.name) !== tool) return;
        this.#used.delete(tool);
        this.#used.add(tool);
      },
    };
  }

  /**
   * False (and logged) if the name is taken; a tool of an MCP server gets a number instead. Takes effect with
   * `buildAll()`. The category's own list keeps its order.
   */
  register(registration: Registration): boolean {
    const { tool, category } = registration;
    const { name } = tool;
    if (!this.#isTaken(name)) {
      this.#registrations[category].set(foldCase(name), registration);
      return true;
    }
    if (category !== 'mcp') {
      this.#ports.log(`Tool name already registered: ${name}`);
      return false;
    }
    let count = this.#nextNumber.get(foldCase(name)) ?? 2;
    while (this.#isTaken(`${name}_${count}`)) count++;
    this.#nextNumber.set(foldCase(name), count + 1);
    const numbered = `${name}_${count}`;
    this.#registrations.mcp.set(foldCase(numbered), { ...registration, tool: renamed(tool, numbered) });
    return true;
  }

  /** Rebuilds the callable tools from the registered ones, in the order core, MCP, API, client. */
  buildAll(): void {
    const { available, profile } = this.#ports;
    const open = this.#all().filter(({ gate }) => gate === undefined || gate.isOpen(available));
    this.#open = open;
    this.#groups = new Map(this.#all().flatMap(({ tool, group }) => (group === undefined ? [] : [[tool, group]])));
    this.#tools = open.map(({ tool }) => tool);
    const leftOut = profile === 'lean' ? open.filter(({ overlaps }) => overlaps === true) : [];
    this.#leftOutByProfile = new Set(leftOut.map(({ tool }) => tool));

    const byName = new Map<string, Tool>();
    const addNew = (name: string, tool: Tool) => {
      if (!byName.has(foldCase(name))) byName.set(foldCase(name), tool);
    };
    for (const tool of this.#tools) addNew(tool.name, tool);
    for (const tool of this.#tools) addNew(this.#wireNames.assign(tool.name), tool);
    for (const tool of this.#tools) for (const alias of tool.nameAliases) addNew(alias, tool);
    this.#byName = byName;
  }

  /** A credential was added or removed, or a setting changed: gates are evaluated again at once. */
  refresh(): void {
    this.#disabled.reload();
    this.buildAll();
  }

  clear(category: ToolCategory): void {
    for (const { tool } of this.#registrations[category].values()) this.#wireNames.remove(tool.name);
    this.#registrations[category].clear();
    this.#nextNumber.clear();
    this.buildAll();
  }

  /** Removes tools by their registered names. Returns false if there is none of them. */
  remove(...names: readonly string[]): boolean {
    const removed = names.filter((name) => this.#removeOne(foldCase(name)));
    if (removed.length === 0) return false;
    this.#nextNumber.clear();
    this.buildAll();
    return true;
  }

  /** Finds a tool by registered name, wire name or alias, whatever its case. */
  get(name: string): Tool | undefined {
    return this.#byName.get(foldCase(name));
  }

  /** All registered tools, switched on or not. */
  list(): readonly Tool[] {
    return this.#tools;
  }

  /** The names of Steward's own tools, also of those whose requirements are not met. */
  ownNames(): readonly string[] {
    const { core, api } = this.#registrations;
    return [...core.values(), ...api.values()].map(({ tool }) => tool.name);
  }

  /** Tools that would be registered if their requirements were met. */
  unavailable(): readonly UnavailableTool[] {
    const open = new Set(this.#tools);
    return this.#all().flatMap(({ tool, gate }) =>
      gate === undefined || open.has(tool) ? [] : [{ tool, needs: gate.needs, setIn: gate.setIn ?? 'models' }],
    );
  }

  /** A tool of this name that would be registered if its requirements were met. */
  missing(name: string): UnavailableTool | undefined {
    const key = foldCase(name);
    return this.unavailable().find(({ tool }) =>
      [tool.name, ...tool.nameAliases].some((each) => foldCase(each) === key),
    );
  }

  isEnabled(tool: Tool): boolean {
    return !this.isLeftOutByProfile(tool) && !this.#isSwitchedOff(tool);
  }

  /** Switched off as long as the profile is `lean`, whatever else is set. */
  isLeftOutByProfile(tool: Tool): boolean {
    return this.#leftOutByProfile.has(tool);
  }

  /**
   * Whether Steward made the tool for a configured provider. Its name doesn't tell, because a server may call its own
   * tool `ask_…`.
   */
  asksModel(tool: Tool): boolean {
    return tool.asksModel && this.#registrations.api.get(foldCase(tool.name))?.tool === tool;
  }

  /** The group of a tool that is registered, or would be if its requirements were met. */
  groupOf(tool: Tool): GroupId | undefined {
    return this.#groups.get(tool);
  }

  wireNameOf(tool: Tool): string {
    return this.#wireNames.assign(tool.name);
  }

  /** Every enabled tool as offered to models, always in the same order. */
  offered(): readonly OfferedTool[] {
    const { hasSandbox } = this.#ports.available;
    return this.#open
      .filter(({ tool }) => this.isEnabled(tool))
      .map(({ tool, category, group }) => ({
        ...offeredForm(
          tool,
          this.wireNameOf(tool),
          category,
          hasSandbox ? tool.inputSchema : tool.schemaWithoutSandbox,
        ),
        ...(group === undefined ? {} : { group }),
      }));
  }

  /** The wire names of the tools that were called, in any conversation; the latest last. */
  usedNames(): readonly string[] {
    return [...this.#used].map((tool) => this.wireNameOf(tool));
  }

  /**
   * The disabled tools that these names and globs match, registered at the moment or not. For `others`, see `enable`.
   */
  switchedOff(names: readonly string[], others: readonly string[] = []): readonly string[] {
    const { changed } = this.#disabled.meantToEnable(names, this.#names(others));
    return changed.filter((name) => {
      const tool = this.get(name);
      return tool === undefined ? this.isSwitchedOff([name, wireNameOf(name)]) : this.#isSwitchedOff(tool);
    });
  }

  /**
   * Enables what names and globs match, and returns those that match no tool. `others` are the names of tools that are
   * not registered, such as those of a client.
   */
  async enable(names: readonly string[], others: readonly string[] = []): Promise<SwitchOutcome> {
    return this.#disabled.enable(names, this.#names(others));
  }

  /** Works like `enable`. An exact name also matches a tool whose requirements are not met yet. */
  async disable(names: readonly string[], others: readonly string[] = []): Promise<SwitchOutcome> {
    const { all, canonical } = this.#names(others);
    const waiting = new Map(this.unavailable().map(({ tool: { name } }) => [foldCase(name), name]));
    return this.#disabled.disable(names, {
      all,
      canonical: (name) => canonical(name) ?? waiting.get(foldCase(name)),
    });
  }

  /** The words for a call with this name, whatever happened to the tool. */
  words(name: string, input: ToolInput): CallWords {
    return callWords(this.get(name) ?? this.missing(name)?.tool ?? name, input);
  }

  /** Looks the tool up, validates the input and has the tool parse it. Never throws. */
  prepare(name: string, input: unknown): Preparation {
    const tool = this.get(name);
    if (tool === undefined) return { ok: false, text: this.#edge.redacted(`Error: Tool not found: ${name}`) };
    return this.prepareFor(tool, input, this.isEnabled(tool));
  }

  /**
   * Prepares a tool that need not be registered, such as a conversation's own. `onRun` is called right before the call
   * is executed.
   */
  prepareFor(tool: Tool, input: unknown, isEnabled: boolean, onRun?: () => void): Preparation {
    const { redacted } = this.#edge;
    try {
      if (!isEnabled) return { ok: false, tool, text: `Error: Tool is disabled: ${tool.name}` };
      const validation = validateInput(tool, input);
      if (!validation.ok) return { ok: false, tool, text: redacted(validation.text) };
      const onUse = (used: Tool) => {
        this.#edge.onUse(used);
        onRun?.();
      };
      return { ok: true, call: new PreparedCall(tool, validation.input, { ...this.#edge, onUse }) };
    } catch (error) {
      const text =
        error instanceof ToolFailure ? error.message : `${unexpectedFailurePrefix(tool.name)}${errorMessage(error)}`;
      return { ok: false, tool, text: redacted(text) };
    }
  }

  /** Another object after each change of what is switched off. */
  get switches(): object {
    return this.#disabled.version;
  }

  /** Judges a tool by any of its names, registered or not. */
  isSwitchedOff(names: readonly string[]): boolean {
    return this.#disabled.includes(names);
  }

  #all(): Registration[] {
    return CATEGORIES.flatMap((category) => [...this.#registrations[category].values()]);
  }

  #isTaken(name: string): boolean {
    return CATEGORIES.some((category) => this.#registrations[category].has(foldCase(name)));
  }

  #removeOne(key: string): boolean {
    for (const category of CATEGORIES) {
      const registration = this.#registrations[category].get(key);
      if (registration === undefined) continue;
      this.#registrations[category].delete(key);
      this.#wireNames.remove(registration.tool.name);
      return true;
    }
    return false;
  }

  #isSwitchedOff(tool: Tool): boolean {
    return this.#disabled.includes([tool.name, this.wireNameOf(tool), ...tool.nameAliases]);
  }

  #names(others: readonly string[]): KnownTools {
    const plain = others.map((name) => (isGlob(name) ? wireNameOf(name) : name));
    const other = new Map(plain.flatMap((name) => [wireNameOf(name), name].map((each) => [foldCase(each), name])));
    return {
      all: [...this.#tools.map(({ name }) => name), ...plain],
      canonical: (name) => this.get(name)?.name ?? other.get(foldCase(name)),
    };
  }
}

/** `name` is in wire form. */
export function offeredForm(
  tool: Tool,
  name: string,
  category: ToolCategory,
  inputSchema: JsonSchema = tool.inputSchema,
): OfferedTool {
  const { description, words } = tool;
  return {
    name,
    category,
    description: description.trim() === '' ? tool.name : description,
    inputSchema: inputSchema.type === 'object' ? inputSchema : { ...inputSchema, type: 'object' },
    ...(words?.nothing === undefined ? {} : { nothing: words.nothing }),
  };
}
