import type { CallWords } from '../../../src-preload/contract/tool-words.ts';
import type { Tool, ToolInput } from '../contract.ts';
import { callWords } from '../words/call-words.ts';
import type { ToolUse } from './choose-offered.ts';
import { type CollapsedGroup, collapsedGroups, type OpenedGroups, opening } from './collapsed-groups.ts';
import { foldCase } from './disabled-tools.ts';
import type { GroupOpening } from './group-opening.ts';
import type { Preparation } from './prepared-call.ts';
import { type OfferedTool, offeredForm, type ToolRegistry, type UnavailableTool } from './registry.ts';
import { type ServerUsedAt, ToolFinder } from './tool-finder.ts';
import type { SourcedTool, ToolSource } from './tool-source.ts';
import type { BroughtTool, FillingFor, FoundTool, OfferOptions, PromptText, ToolOffer, Toolset } from './toolset.ts';
import { freeWireName } from './wire-names.ts';

export interface ConversationToolsetPorts {
  readonly registry: ToolRegistry;
  /** The groups of the registry's tools that are collapsed. Without this, none is. */
  readonly groups?: CollapsedGroups;
  /** The tools that its clients registered. Without this, it has none. */
  readonly clients?: ToolSource;
  /** When servers were last used. Without this, none ever was. */
  readonly serverUsedAt?: ServerUsedAt;
}

export interface CollapsedGroups {
  /** The setting `tools.collapsed`. */
  readonly collapsed: readonly string[];
  readonly opened: OpenedGroups;
}

const NONE_COLLAPSED: CollapsedGroups = {
  collapsed: [],
  opened: { has: () => false, open: () => undefined },
};
const NO_CLIENTS: ToolSource = {
  settle: () => undefined,
  tools: () => [],
  brought: () => [],
  prompts: () => [],
  turnEnded: () => undefined,
};

/** A tool of the conversation that the registry doesn't have. */
interface OwnTool extends SourcedTool {
  readonly wireName: string;
  readonly offered: OfferedTool;
}

/** The keys are case-folded. */
interface NamedTools {
  readonly list: readonly OwnTool[];
  readonly byWireName: ReadonlyMap<string, OwnTool>;
  /** The tools by the names that they have, and their aliases. */
  readonly byName: ReadonlyMap<string, OwnTool>;
}

/** See `Toolset`. A tool belongs to the registry unless it is in a collapsed group or of a client. */
export class ConversationToolset implements Toolset {
  readonly #ports: Required<Omit<ConversationToolsetPorts, 'serverUsedAt'>>;
  readonly #finder: ToolFinder;
  /** What the clients' tools are called. */
  #named: { readonly madeFrom: readonly unknown[]; readonly tools: NamedTools } | undefined;

  constructor(ports: ConversationToolsetPorts) {
    const { registry, groups = NONE_COLLAPSED, clients = NO_CLIENTS, serverUsedAt = () => undefined } = ports;
    this.#ports = { registry, groups, clients };
    this.#finder = new ToolFinder({ indexes: registry.indexes, recentlyUsed: registry.usedNames(), serverUsedAt });
  }

  get(name: string): Tool | undefined {
    return this.#ports.registry.get(name) ?? this.#own(name)?.tool;
  }

  missing(name: string): UnavailableTool | undefined {
    return this.#ports.registry.missing(name);
  }

  isEnabled(tool: Tool): boolean {
    const { registry } = this.#ports;
    if (registry.get(tool.name) === tool) return registry.isEnabled(tool);
    return !registry.isSwitchedOff([tool.name]);
  }

  brought(): readonly BroughtTool[] {
    return this.#ports.clients.brought();
  }

  asksModel(tool: Tool): boolean {
    return this.#ports.registry.asksModel(tool);
  }

  words(name: string, input: ToolInput): CallWords {
    const own = this.#ports.registry.get(name) === undefined ? this.#own(name) : undefined;
    return own === undefined ? this.#ports.registry.words(name, input) : callWords(own.tool, input);
  }

  prepare(name: string, input: unknown): Preparation {
    const { registry } = this.#ports;
    const registered = registry.get(name);
    if (registered !== undefined) {
      const closed = this.#closedGroupOf(registered);
      const open = closed && (() => opening(closed.group, this.#ports.groups.opened));
      return this.#prepared(registered, input, open && { open, marks: [] });
    }
    const own = this.#own(name);
    return own === undefined ? registry.prepare(name, input) : this.#prepared(own.tool, input, own.opening);
  }

  offer({ uses, canDefer, filled }: OfferOptions): ToolOffer {
    this.#ports.clients.settle();
    const known = this.#inWireForm(uses);
    return this.#finder.offer(this.#candidatesAfter(known), { uses: known, canDefer, filled });
  }

  fill({ uses, message }: FillingFor): Promise<readonly string[]> {
    const known = this.#inWireForm(uses);
    return this.#finder.fill(this.#candidatesAfter(known), { uses: known, message });
  }

  find(query: string, count: number): Promise<readonly FoundTool[]> {
    return this.#finder.find(
      this.#candidates(() => true),
      query,
      count,
    );
  }

  /** A call opens the group; once that is closed again, its tools are hidden. */
  #candidatesAfter(uses: readonly ToolUse[]): readonly OfferedTool[] {
    const found = new Set(uses.flatMap(({ name, isFoundInHistory }) => (isFoundInHistory ? [name] : [])));
    return this.#candidates(({ name }) => found.has(name));
  }

  prompts(): readonly PromptText[] {
    return this.#ports.clients.prompts();
  }

  turnEnded(): void {
    this.#ports.clients.turnEnded();
  }

  /**
   * Everything that a request could contain: the registry's tools in its order, with each closed group in the place of
   * its first tool, then the clients'. `isFound` is for tools of closed groups, which are offered if the conversation
   * found them.
   */
  #candidates(isFound: (tool: OfferedTool) => boolean): readonly OfferedTool[] {
    const offered = this.#ports.registry.offered();
    const collapsed = this.#collapsedGroups(offered);
    const closed = collapsed.filter(({ isOpen }) => !isOpen);
    const { containers, ofClients } = this.#ownTools(collapsed);
    const entryOf = new Map(
      closed.map(({ group, container }) => [group.id, containers.list.find(({ tool }) => tool === container)] as const),
    );
    const ofRegistry = offered.flatMap((tool) => {
      const entry = tool.group === undefined ? undefined : entryOf.get(tool.group);
      if (tool.group === undefined || entry === undefined) return [this.#placed(tool)];
      const isFirst = closed.some(({ group }) => group.tools[0] === tool);
      return [...(isFirst ? [entry.offered] : []), ...(isFound(tool) ? [tool] : [])];
    });
    const offeredOfClients = ofClients.list.flatMap((each) => {
      if (!this.isEnabled(each.tool)) return [];
      const { offered, isOffered } = each;
      return isOffered || (each.opening !== undefined && isFound(offered)) ? [offered] : [];
    });
    return [...ofRegistry, ...offeredOfClients];
  }

  #placed(tool: OfferedTool): OfferedTool {
    return tool.group !== undefined && this.#ports.groups.opened.has(tool.group) ? { ...tool, place: 'opened' } : tool;
  }

  /** The uses under the names by which the tools are called now. */
  #inWireForm(uses: readonly ToolUse[]): readonly ToolUse[] {
    const { registry } = this.#ports;
    return uses.flatMap((use) => {
      const registered = registry.get(use.name);
      const name = registered === undefined ? this.#own(use.name)?.wireName : registry.wireNameOf(registered);
      return name === undefined ? [] : [{ ...use, name }];
    });
  }

  #collapsedGroups(offered?: readonly OfferedTool[]): readonly CollapsedGroup[] {
    const { registry, groups } = this.#ports;
    const { collapsed, opened } = groups;
    return collapsed.length === 0 ? [] : collapsedGroups(offered ?? registry.offered(), collapsed, opened);
  }

  #closedGroupOf(tool: Tool): CollapsedGroup | undefined {
    const group = this.#ports.registry.groupOf(tool);
    if (group === undefined) return undefined;
    return this.#collapsedGroups().find(({ isOpen, group: { id } }) => !isOpen && id === group);
  }

  #own(name: string): OwnTool | undefined {
    const key = foldCase(name);
    const { containers, ofClients } = this.#ownTools(this.#collapsedGroups());
    return (
      containers.byWireName.get(key) ??
      ofClients.byWireName.get(key) ??
      containers.byName.get(key) ??
      ofClients.byName.get(key)
    );
  }

  /** Wire names depend on the names alone, so that a restart changes none of them. */
  #ownTools(collapsed: readonly CollapsedGroup[]): { readonly containers: NamedTools; readonly ofClients: NamedTools } {
    const taken = new Set<string>();
    const containers = this.#inNamedForm(
      collapsed.map(({ container, isOpen }) => ({ tool: container, isOffered: !isOpen, place: 'container' })),
      taken,
    );
    const sourced = this.#ports.clients.tools();
    const madeFrom = [sourced, this.#ports.registry.list(), [...taken].join(' ')];
    if (this.#named?.madeFrom.every((each, index) => each === madeFrom[index]) !== true)
      this.#named = { madeFrom, tools: this.#inNamedForm(sourced, taken) };
    return { containers, ofClients: this.#named.tools };
  }

  /** Adds their wire names to `taken`. */
  #inNamedForm(sourced: readonly SourcedTool[], taken: Set<string>): NamedTools {
    const byWireName = new Map<string, OwnTool>();
    const byName = new Map<string, OwnTool>();
    for (const each of sourced) {
      const isTaken = (wire: string) => taken.has(foldCase(wire)) || this.#ports.registry.get(wire) !== undefined;
      const wireName = freeWireName(each.tool.name, isTaken);
      taken.add(foldCase(wireName));
      const own = { ...each, wireName, offered: offeredAs(wireName, each) };
      byWireName.set(foldCase(wireName), own);
      for (const name of [each.tool.name, ...each.tool.nameAliases].map(foldCase))
        if (!byName.has(name)) byName.set(name, own);
    }
    return { list: [...byWireName.values()], byWireName, byName };
  }

  /**
   * A model that remembers a tool of a closed group opens it by the call, once that runs or fails. Source: tool
   * catalogue D.4 #6.
   */
  #prepared(tool: Tool, input: unknown, opened: GroupOpening | undefined): Preparation {
    const isEnabled = this.isEnabled(tool);
    const preparation = this.#ports.registry.prepareFor(tool, input, isEnabled, () => opened?.open());
    return preparation.ok || opened === undefined || !isEnabled ? preparation : { ...preparation, opening: opened };
  }
}

function offeredAs(wireName: string, { tool, place, descriptionMarks = [] }: SourcedTool): OfferedTool {
  return {
    ...offeredForm(tool, wireName, 'client'),
    ...(place === undefined ? {} : { place }),
    ...(descriptionMarks.length === 0 ? {} : { marks: descriptionMarks }),
  };
}
