import { isDeepStrictEqual } from 'node:util';
import { type LeftOutTool, leftOutText } from '../../src-preload/contract/left-out-tools.ts';
import type { ServerInstructions } from '../assistant/server-instructions.ts';
import type { Notice } from '../assistant/turn.ts';
import { canonicalText } from '../base/canonical-json.ts';
import { errorMessage } from '../base/errors.ts';
import { Listeners } from '../base/listeners.ts';
import { visible } from '../base/text.ts';
import { BUNDLED_LIST, isBundledServer, withBundledWords } from '../mcp/bundled-server.ts';
import type { ServerTool, ToolList } from '../mcp/calls/tool-list.ts';
import type { McpConnection } from '../mcp/connection.ts';
import type { McpManager } from '../mcp/manager.ts';
import { mcpTool } from '../mcp/mcp-tool.ts';
import { type AcceptedListing, compareListing, pinnedTexts, type ToolDefinition } from '../policy/mcp/definitions.ts';
import { annotationsIn, type McpServerFacts } from '../policy/mcp/mcp-call.ts';
import type { McpClass } from '../policy/mcp/mcp-class.ts';
import type { PinnedDefinitions, ReviewFacts } from '../policy/mcp/pinned-definitions.ts';
import { classChoice } from '../policy/mcp/tool-class.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import { serverGroup } from '../tools/registry/tool-groups.ts';

/** More names would not make a notice clearer. */
const MAX_NAMES = 10;

export interface ServerToolsPorts {
  readonly manager: McpManager;
  readonly definitions: PinnedDefinitions;
  readonly registry: ToolRegistry;
  readonly factsOf: (server: string, config: McpServerConfig) => McpServerFacts;
  /** Whether a review follows at start, so that nothing is reported as left out before it. */
  readonly asksFirst: boolean;
  readonly notify: (notice: Notice) => void;
  /** Saves the classes that the user chose during a review. */
  readonly keepClasses: (
    server: string,
    chosen: Readonly<Record<string, McpClass | null>>,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** One server's part of the registry, and its inputs. */
interface Offer {
  readonly connection: McpConnection;
  readonly list: ToolList;
  /** Determines the classes that lists show. */
  readonly classes: string;
  /** See `#revision`. */
  readonly revision: number;
  readonly accepted: AcceptedListing<ServerTool>;
}

/**
 * The accepted tools of all servers in the registry. Follows the servers, their entries in config.json and what is
 * accepted. Source: design section 4 ("Pinned MCP definitions").
 */
export class ServerTools {
  readonly #ports: ServerToolsPorts;
  readonly #listeners = new Listeners();
  readonly #closing = new AbortController();
  /** Servers to ask about once they have listed their tools, with the signal that cancels it. */
  readonly #toAsk = new Map<string, AbortSignal>();
  readonly #asking = new Set<string>();
  readonly #noticed = new Set<string>();
  #offers: readonly Offer[] = [];
  /** Incremented when what is accepted changes. */
  #revision = 0;
  #saysUnseen: boolean;

  constructor(ports: ServerToolsPorts) {
    this.#ports = ports;
    this.#saysUnseen = !ports.asksFirst;
    ports.manager.onChange(() => this.#follow());
    ports.definitions.onChange(() => {
      this.#revision += 1;
      this.#follow();
    });
  }

  /** Servers with tools that are left out. */
  get unreviewed(): readonly string[] {
    return this.#offers.flatMap(({ connection, accepted }) => (accepted.unseen.length > 0 ? [connection.name] : []));
  }

  /**
   * The accepted instructions of servers. They mark nothing: a user read exactly this text. Source: design section 4.
   */
  get instructions(): readonly ServerInstructions[] {
    return this.#offers.flatMap(({ connection: { name }, accepted: { instructions: text } }) =>
      text === undefined ? [] : [{ server: name, text }],
    );
  }

  /** Whether everything in a server's definitions has been reviewed. */
  isReviewed(server: string): boolean {
    const accepted = this.#offers.find(({ connection }) => connection.name === server)?.accepted;
    if (accepted === undefined || accepted.unseen.length > 0) return false;
    return accepted.offered.length > 0 || accepted.instructions !== undefined;
  }

  /** The listener is called on every change of the offered tools. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Asks about unreviewed definitions, server by server, or only about those of the server `only`. A server that has
   * not listed its tools yet is asked about once it does. Rejects with the signal's reason when aborted.
   */
  async review(signal: AbortSignal, only?: string): Promise<void> {
    const isMeant = (each: McpConnection) => each.isEnabled && !isBundled(each) && (only ?? each.name) === each.name;
    const enabled = this.#ports.manager.servers.filter(isMeant);
    for (const { name, list } of enabled) if (list === undefined) this.#toAsk.set(name, signal);
    for (const { name, list } of enabled) if (list !== undefined) await this.#ask(name, list, signal);
    if (only === undefined) this.#saysUnseen = true;
    this.#follow();
  }

  /** Cancels open questions. */
  close(): void {
    this.#listeners.clear();
    this.#closing.abort(new Error('Steward is closing'));
  }

  #follow(): void {
    if (this.#closing.signal.aborted) return;
    this.#askListed();
    const offers = this.#ports.manager.servers.flatMap((connection) => this.#offerOf(connection) ?? []);
    if (this.#saysUnseen) for (const offer of offers) this.#sayUnseen(offer);
    for (const connection of this.#ports.manager.servers) this.#sayLeftOut(connection);
    // This saves work, because servers change state more often than tools.
    if (offers.length === this.#offers.length && offers.every((offer, index) => offer === this.#offers[index])) return;
    this.#offers = offers;
    const { registry, factsOf } = this.#ports;
    registry.clear('mcp');
    for (const { connection, accepted } of offers) {
      const facts = () => factsOf(connection.name, connection.config);
      for (const offered of accepted.offered) {
        const tool = mcpTool(connection, offered, facts);
        registry.register({
          tool: isBundled(connection) ? withBundledWords(tool, offered.name) : tool,
          category: 'mcp',
          group: serverGroup(connection.name),
        });
      }
    }
    registry.buildAll();
    this.#listeners.tell();
  }

  #offerOf(connection: McpConnection): Offer | undefined {
    const { list, config, mayBeCalled } = connection;
    if (!mayBeCalled || list === undefined) return undefined;
    const classes = canonicalText(config.classes ?? {});
    const revision = this.#revision;
    const before = this.#offers.find((offer) => offer.connection === connection);
    if (before?.list === list && before.classes === classes && before.revision === revision) return before;
    return { connection, list, classes, revision, accepted: this.#accepted(connection, list) };
  }

  /** The bundled server's tools are accepted: they ship with this version of the app. */
  #accepted(connection: McpConnection, list: ToolList): AcceptedListing<ServerTool> {
    if (isBundled(connection)) return compareListing(list, pinnedTexts(BUNDLED_LIST));
    return this.#ports.definitions.acceptedTools(connection.name, list);
  }

  #askListed(): void {
    for (const [name, signal] of this.#toAsk) {
      const connection = this.#ports.manager.get(name);
      if (connection !== undefined && connection.list === undefined) continue;
      this.#toAsk.delete(name);
      if (connection?.list === undefined) continue;
      this.#ask(name, connection.list, signal).catch((error: unknown) => {
        if (signal.aborted || this.#closing.signal.aborted) return;
        this.#ports.notify({ code: 'mcp_definitions', message: errorMessage(error) });
      });
    }
  }

  async #ask(server: string, list: ToolList, signal: AbortSignal): Promise<void> {
    this.#asking.add(server);
    try {
      const { definitions, manager, keepClasses, factsOf } = this.#ports;
      const facts: ReviewFacts = {
        otherTools: this.#toolsBeside(server),
        choiceOf: ({ name, annotations }: ToolDefinition) => {
          const config = manager.get(server)?.config;
          return config && classChoice(factsOf(server, config), { name, annotations: annotationsIn(annotations) });
        },
        keep: (chosen: Readonly<Record<string, McpClass | null>>) => keepClasses(server, chosen, signal),
      };
      await definitions.review(server, list, AbortSignal.any([signal, this.#closing.signal]), facts);
    } finally {
      this.#asking.delete(server);
      this.#follow();
    }
  }

  /** Steward's own tools, and those of other servers as these name them. */
  #toolsBeside(server: string): readonly string[] {
    const { registry, manager } = this.#ports;
    const ofServers = manager.servers.filter(({ name }) => name !== server);
    const named = ofServers.flatMap(({ list }) => (list?.tools ?? []).map(({ name }) => name));
    return [...registry.list().flatMap(({ name }) => (name.startsWith(`${server}__`) ? [] : [name])), ...named];
  }

  /** Once: what the list of an earlier session left out has been said. */
  #sayLeftOut({ name, list, knownAtFirst, content }: McpConnection): void {
    const ofTools = list?.leftOut ?? [];
    if (!isDeepStrictEqual(ofTools, knownAtFirst?.leftOut)) this.#sayLeftOutOf('tools', name, ofTools);
    this.#sayLeftOutOf('resources and prompts', name, content.leftOut);
  }

  #sayLeftOutOf(lists: string, server: string, leftOut: readonly LeftOutTool[]): void {
    if (leftOut.length === 0) return;
    const same = canonicalText([server, 'left out', leftOut]);
    if (this.#noticed.has(same)) return;
    this.#noticed.add(same);
    const more = leftOut.length > MAX_NAMES ? `; and ${leftOut.length - MAX_NAMES} more` : '';
    const what = leftOut.slice(0, MAX_NAMES).map(leftOutText).join('; ');
    const message = `Left out of the ${lists} of MCP server '${visible(server)}': ${what}${more}.`;
    this.#ports.notify({ code: 'mcp_left_out', message });
  }

  #sayUnseen({ connection: { name }, accepted: { unseen } }: Offer): void {
    if (unseen.length === 0 || this.#asking.has(name)) return;
    const same = canonicalText([name, unseen.map(({ now }) => now.hash)]);
    if (this.#noticed.has(same)) return;
    this.#noticed.add(same);
    const named = unseen.slice(0, MAX_NAMES).map(({ now, before }) => {
      const what = now.kind === 'instructions' ? 'its instructions' : visible(now.name);
      return `${what} (${before === null ? 'new' : 'changed'})`;
    });
    const more = unseen.length > MAX_NAMES ? ` and ${unseen.length - MAX_NAMES} more` : '';
    const message = `Not used until you have reviewed it, of MCP server ${visible(name)}: ${named.join(', ')}${more}.`;
    this.#ports.notify({ code: 'mcp_definitions', message });
  }
}

function isBundled({ name, config }: McpConnection): boolean {
  return isBundledServer(name, config);
}
