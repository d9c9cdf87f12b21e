import { ClientTools, type ClientToolsSettings } from '../client-tools/client-tools.ts';
import type { Clients, ConversationClients } from '../client-tools/conversation-clients.ts';
import { pathOfPairing } from '../client-tools/conversation-record.ts';
import type { Config } from '../settings/config-schema.ts';
import type { ClientStates } from '../storage/records/client-states.ts';
import { ConversationToolset } from '../tools/registry/conversation-toolset.ts';
import type { ToolRegistry } from '../tools/registry/registry.ts';
import type { ServerUsedAt } from '../tools/registry/tool-finder.ts';
import type { Toolset } from '../tools/registry/toolset.ts';
import { wireNameOf } from '../tools/registry/wire-names.ts';
import { looksBuiltIn } from './built-in-names.ts';

export interface ConversationToolsPorts {
  readonly registry: ToolRegistry;
  readonly config: () => Config;
  readonly states: ClientStates;
  readonly serverUsedAt: ServerUsedAt;
  readonly log: (message: string) => void;
}

interface OfConversation {
  readonly tools: Toolset;
  readonly clients: ClientTools;
  /** Turns that run in it. */
  turns: number;
}

/** Conversations that nothing uses now and whose tools stay in memory all the same. */
const MAX_IDLE = 50;

/** The tools of each conversation: the registry's, and those of its clients. */
export class ConversationTools implements Clients {
  readonly #ports: ConversationToolsPorts;
  /** The one used last comes last. */
  readonly #conversations = new Map<string, OfConversation>();

  constructor(ports: ConversationToolsPorts) {
    this.#ports = ports;
  }

  of(conversationId: string): ConversationClients {
    return this.#opened(conversationId).clients;
  }

  /** Keeps the conversation's tools for the length of a turn. Returns a function that ends it. */
  use(conversationId: string): () => void {
    const used = this.#opened(conversationId);
    used.turns++;
    return () => void used.turns--;
  }

  /** The conversation was deleted. A program that is still connected to it keeps it. */
  close(conversationId: string): void {
    const open = this.#conversations.get(conversationId);
    if (open !== undefined && isIdle(open)) this.#conversations.delete(conversationId);
  }

  forget(pairing: string): void {
    this.#ports.states.removeAll(pathOfPairing(pairing));
  }

  toolset(conversationId: string): Toolset {
    return this.#opened(conversationId).tools;
  }

  #opened(conversationId: string): OfConversation {
    const opened = this.#conversations.get(conversationId) ?? this.#open(conversationId);
    this.#conversations.delete(conversationId);
    this.#conversations.set(conversationId, opened);
    return opened;
  }

  #open(conversationId: string): OfConversation {
    const idle = [...this.#conversations].filter(([, open]) => isIdle(open));
    for (const [id] of idle.slice(0, -MAX_IDLE)) this.#conversations.delete(id);
    const { registry, config, states, serverUsedAt, log } = this.#ports;
    const clients = new ClientTools({
      settings: () => settingsOf(config()),
      store: {
        get: () => states.get(conversationId),
        set: (text) => states.set(conversationId, text),
        version: states.version,
        exclusively: states.exclusively,
      },
      isRegistered: (name) => registry.get(name) !== undefined || registry.missing(name) !== undefined,
      looksBuiltIn: looksBuiltIn(registry),
      isSwitchedOff: (name) => registry.isSwitchedOff([name, wireNameOf(name)]),
      switches: () => registry.switches,
      webFetch: () => {
        const tool = registry.get('web_fetch');
        return tool && { tool, isEnabled: registry.isEnabled(tool) };
      },
      log,
    });
    const groups = {
      get collapsed() {
        return config().tools.collapsed;
      },
      opened: clients.opened,
    };
    return { tools: new ConversationToolset({ registry, groups, clients, serverUsedAt }), clients, turns: 0 };
  }
}

function isIdle({ turns, clients }: OfConversation): boolean {
  return turns === 0 && !clients.hasProgram;
}

function settingsOf({ clientTools }: Config): ClientToolsSettings {
  return {
    invokeTimeoutMs: clientTools.invokeTimeout * 1_000,
    strategy: clientTools.disconnectionStrategy,
    maxRetries: clientTools.maxRetries,
    fallbackTemplate: clientTools.fallbackMessageTemplate,
    collapses: clientTools.collapseClientTools,
    instructions: clientTools.clientToolsInstructions,
    validatesSchemas: clientTools.validateSchemaOnRegistration,
    collapsesAtTurnEnd: clientTools.collapseAtTurnEnd,
  };
}
