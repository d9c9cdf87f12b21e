import { isNameOfDesktopTool } from '../../src-preload/contract/desktop-tools.ts';
import { errorMessage } from '../base/errors.ts';
import type { OpenedGroups } from '../tools/registry/collapsed-groups.ts';
import type { SourcedTool, ToolSource } from '../tools/registry/tool-source.ts';
import type { BroughtTool, PromptText } from '../tools/registry/toolset.ts';
import {
  activated,
  type ClientState,
  closed,
  expanded,
  type Ignored,
  queued,
  registered,
  settled,
  withoutGroups,
} from './client-state.ts';
import { ClientRegistrationError, type ConversationClients } from './conversation-clients.ts';
import {
  type ConversationRecord,
  clientsOf,
  EMPTY_RECORD,
  isOwnCode,
  type KeptClient,
  ownerOf,
  parseRecord,
  recordText,
  stateOf,
  withClient,
  withOwnGroups,
} from './conversation-record.ts';
import { type ClientSide, descriptionMarksOf, marksOfClient } from './group-tools.ts';
import { AttachedHosts } from './hosts.ts';
import { type InvocationSettings, Invocations } from './invocations.ts';
import { hasSchemaChecks, loadSchemaChecks } from './parameter-schema.ts';
import { clientPrompts } from './prompt-texts.ts';
import type { ClientHost, HostResponse, RunInput, ToolGroup } from './records.ts';
import { registrationProblem } from './registration.ts';
import { READ_SKILL_DOCUMENT, type WebFetch } from './skill-documents.ts';
import { broughtBy, type SourcedClient, toolsOfClients } from './sourced-tools.ts';

/** The settings in `clientTools` of config.json. */
export interface ClientToolsSettings extends InvocationSettings {
  readonly collapses: boolean;
  readonly instructions: string | undefined;
  readonly validatesSchemas: boolean;
  readonly collapsesAtTurnEnd: boolean;
}

export interface ClientToolsPorts {
  readonly settings: () => ClientToolsSettings;
  /** What is kept with the conversation. During the `work` of `exclusively`, no other process changes it. */
  readonly store: {
    get(): string | undefined;
    set(text: string): void;
    /** See `ClientStates`. */
    version(): string;
    exclusively<T>(work: () => T): T;
  };
  /** A built-in tool or one of an MCP server has this name. */
  readonly isRegistered: (name: string) => boolean;
  /** See `RegistrationRules`. */
  readonly looksBuiltIn: (name: string) => boolean;
  /** The user switched off tools of this name. */
  readonly isSwitchedOff: (name: string) => boolean;
  /** See `ToolRegistry.switches`. */
  readonly switches: () => unknown;
  readonly webFetch: WebFetch;
  readonly log: (message: string) => void;
}

/**
 * The clients of one conversation and the tools that they brought along. Every change is kept before anything else
 * happens, so that another process that answers in this conversation goes on from it.
 */
export class ClientTools implements ConversationClients, ToolSource {
  readonly #ports: ClientToolsPorts;
  readonly #hosts = new AttachedHosts();
  readonly #invocations: Invocations;
  #record: ConversationRecord = EMPTY_RECORD;
  /** The text as it was read or written last. */
  #text: string | undefined;
  /** The version of the store when it was last read. */
  #version: string | undefined;
  #sourced: { readonly madeFrom: readonly unknown[]; readonly tools: readonly SourcedTool[] } | undefined;

  constructor(ports: ClientToolsPorts) {
    this.#ports = ports;
    this.#invocations = new Invocations(ports.settings, ports.log);
    this.#read();
  }

  /** The groups of Steward's own tools that the conversation opened. */
  readonly opened: OpenedGroups = {
    has: (id) => this.#record.opened.includes(id),
    open: (id) =>
      this.#ports.store.exclusively(() => {
        this.#read();
        if (!this.#record.opened.includes(id)) this.#keep({ ...this.#record, opened: [...this.#record.opened, id] });
      }),
  };

  async register(input: RunInput, host: ClientHost): Promise<{ readonly groups: readonly string[] }> {
    this.#read();
    const { queue } = stateOf(this.#record, ownerOf(host));
    if (bringsTools(input) || queue.length > 0) await loadSchemaChecks();
    try {
      return this.#ports.store.exclusively(() => this.#register(input, host));
    } catch (error) {
      if (error instanceof ClientRegistrationError) throw error;
      throw new ClientRegistrationError(input.clientToolGroups?.[0]?.name ?? host.name, errorMessage(error));
    }
  }

  #register(input: RunInput, host: ClientHost): { readonly groups: readonly string[] } {
    this.#read();
    const groups = input.clientToolGroups ?? [];
    if (!this.#hosts.mayUseName(host))
      throw new ClientRegistrationError(groups[0]?.name ?? host.name, `the name ${host.name} belongs to Steward`);
    const client = clientOf(host);
    const before = this.#settledState(client);
    const after = registered(before, input);
    const problem = this.#problemWith(groups, after, client.owner);
    if (problem !== undefined) throw new ClientRegistrationError(problem.group, problem.reason);
    this.#hosts.attach(
      host,
      groups.map(({ name }) => name),
    );
    this.#keep(withClient(this.#withoutAbsent(groups, client.owner), client.owner, { name: host.name, state: after }));
    return { groups: after.groups.map(({ name }) => name) };
  }

  attach(host: ClientHost): void {
    if (this.#hosts.mayUseName(host)) this.#hosts.attach(host, []);
  }

  answer(response: HostResponse, host: ClientHost): void {
    const isFirst = this.#invocations.answer(response, host);
    const { success, augmentation } = response;
    if (!isFirst || !success || augmentation === null || augmentation === undefined) return;
    this.#hosts.attach(
      host,
      (augmentation.injectToolGroups ?? []).map(({ name }) => name),
    );
    this.#change(clientOf(host), (state) => queued(state, augmentation));
  }

  disconnected(host: ClientHost): void {
    this.#hosts.detach(host);
    this.#invocations.disconnected(host);
  }

  settle(): void {
    this.#read();
    for (const client of clientsOf(this.#record))
      if (client.state.queue.length > 0 && this.#canCheck(client.state.queue))
        this.#change(client, () => this.#settledState(client));
  }

  tools(): readonly SourcedTool[] {
    const { isSwitchedOff, settings, switches, webFetch } = this.#ports;
    const { collapses } = settings();
    const madeFrom = [this.#record, collapses, switches()];
    if (this.#sourced === undefined || !isSame(this.#sourced.madeFrom, madeFrom)) {
      const shown = this.#clients().map(({ state, side }) => {
        const names = state.groups.flatMap(({ tools }) => tools.map(({ name }) => name));
        // A switched-off tool counts as hidden by the client, so no group says that it contains one.
        return { state: { ...state, hidden: [...state.hidden, ...names.filter(isSwitchedOff)] }, side };
      });
      this.#sourced = { madeFrom, tools: toolsOfClients(shown, { collapses, webFetch }) };
    }
    return this.#sourced.tools;
  }

  brought(): readonly BroughtTool[] {
    this.#read();
    return broughtBy(
      clientsOf(this.#record).map((client) => ({ ...client, ownCode: this.#hosts.latest(client.owner)?.ownCode })),
    );
  }

  /** A program is connected, not only Steward's own code. */
  get hasProgram(): boolean {
    return this.#hosts.hasProgram;
  }

  prompts(): readonly PromptText[] {
    const { collapses, instructions } = this.#ports.settings();
    return clientPrompts(this.#clients(), { collapses, instructions });
  }

  turnEnded(): void {
    if (!this.#ports.settings().collapsesAtTurnEnd) return;
    this.#read();
    for (const client of clientsOf(this.#record)) this.#change(client, closed);
  }

  #clients(): readonly SourcedClient[] {
    return clientsOf(this.#record).map((client) => ({ state: client.state, side: this.#sideOf(client) }));
  }

  #sideOf({ owner, name: client }: Client): ClientSide {
    const change = (made: (state: ClientState) => ClientState) => this.#change({ owner, name: client }, made);
    return {
      client,
      invocations: {
        call: async (call) => {
          // The client's answer may bring tools.
          if (this.#ports.settings().validatesSchemas) await loadSchemaChecks();
          return this.#invocations.call(call);
        },
      },
      hostOf: (group) => this.#hosts.of(owner, group),
      // What Steward itself says is no text from outside.
      descriptionMarks: this.#hosts.latest(owner)?.ownCode === undefined ? descriptionMarksOf(client) : [],
      open: (group) => change((state) => expanded(state, [group])),
      marksOf: (name) => {
        const own = this.#hosts.latest(owner)?.ownCode;
        if (own === undefined) return marksOfClient(client);
        return name === undefined ? [] : own.marksOf(name);
      },
      activate: (group, skill) => change((state) => activated(state, group, skill)),
    };
  }

  /** False only for what an earlier process left in the queue: it waits for the next request. */
  #canCheck(queue: ClientState['queue']): boolean {
    if (hasSchemaChecks() || !this.#ports.settings().validatesSchemas) return true;
    if (queue.every(({ injectToolGroups }) => (injectToolGroups ?? []).length === 0)) return true;
    void loadSchemaChecks();
    return false;
  }

  /** The state with what answers asked for. A bad augmentation is void, but the result of its call remains. */
  #settledState({ owner, name }: Client): ClientState {
    const refuse = (injected: readonly ToolGroup[], state: ClientState) => this.#problemWith(injected, state, owner);
    const { state, ignored } = settled(stateOf(this.#record, owner), refuse);
    for (const { group, reason } of ignored)
      this.#ports.log(`A change of ${name} to the group ${group} was ignored: ${reason}`);
    return state;
  }

  #problemWith(groups: readonly ToolGroup[], state: ClientState, owner: string): Ignored | undefined {
    const present = new Set<string>();
    for (const other of clientsOf(this.#record)) {
      if (other.owner === owner) continue;
      for (const { name, tools } of other.state.groups)
        if (this.#hosts.of(other.owner, name) !== undefined)
          for (const tool of tools) present.add(tool.name.toLowerCase());
    }
    return registrationProblem(groups, state, {
      validatesSchemas: this.#ports.settings().validatesSchemas,
      isTaken: (name) =>
        name.toLowerCase() === READ_SKILL_DOCUMENT ||
        (!isOwnCode(owner) && isNameOfDesktopTool(name)) ||
        this.#ports.isRegistered(name) ||
        present.has(name.toLowerCase()),
      looksBuiltIn: (name) => !isOwnCode(owner) && this.#ports.looksBuiltIn(name),
      mayLackTools: isOwnCode(owner),
    });
  }

  /** Groups of clients that are not there make room for new ones of the same name or with the same tools. */
  #withoutAbsent(groups: readonly ToolGroup[], registering: string): ConversationRecord {
    const names = new Set(groups.map(({ name }) => name));
    const tools = new Set(groups.flatMap((group) => group.tools.map(({ name }) => name.toLowerCase())));
    return clientsOf(this.#record).reduce((record, { owner, name: client, state }) => {
      if (owner === registering) return record;
      const replaced = state.groups.filter(
        (group) =>
          this.#hosts.of(owner, group.name) === undefined &&
          (names.has(group.name) || group.tools.some(({ name }) => tools.has(name.toLowerCase()))),
      );
      const left = withoutGroups(
        state,
        replaced.map(({ name }) => name),
      );
      return withClient(record, owner, { name: client, state: left });
    }, this.#record);
  }

  /** A change that cannot be kept is not made. */
  #change({ owner, name }: Client, change: (state: ClientState) => ClientState): void {
    try {
      this.#ports.store.exclusively(() => {
        this.#read();
        const before = stateOf(this.#record, owner);
        const after = change(before);
        if (after !== before) this.#keep(withClient(this.#record, owner, { name, state: after }));
      });
    } catch (error) {
      this.#ports.log(`A change to the tools of ${name} was not kept: ${errorMessage(error)}`);
    }
  }

  #keep(record: ConversationRecord): void {
    const text = recordText(record);
    // Most conversations have no clients, and need no row.
    if (text !== this.#text && (text !== undefined || this.#text !== EMPTY_TEXT)) {
      this.#ports.store.set(text ?? EMPTY_TEXT);
      this.#text = text ?? EMPTY_TEXT;
    }
    this.#record = record;
  }

  /** Another process may have changed it. */
  #read(): void {
    const version = this.#ports.store.version();
    if (version === this.#version) return;
    const text = this.#ports.store.get();
    this.#version = version;
    if (text === this.#text) return;
    const before = this.#record;
    this.#text = text;
    try {
      this.#record = withOwnGroups(text === undefined ? EMPTY_RECORD : parseRecord(text), before);
    } catch (error) {
      this.#ports.log(`What clients registered in this conversation can't be read: ${errorMessage(error)}`);
      this.#record = withOwnGroups(EMPTY_RECORD, before);
    }
  }
}

function bringsTools({ clientToolGroups }: RunInput): boolean {
  return (clientToolGroups ?? []).some(({ tools }) => tools.length > 0);
}

type Client = Pick<KeptClient, 'name'> & { readonly owner: string };

const EMPTY_TEXT = JSON.stringify(EMPTY_RECORD);

function clientOf(host: ClientHost): Client {
  return { owner: ownerOf(host), name: host.name };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
