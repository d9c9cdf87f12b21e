import { errorMessage } from '../../base/errors.ts';
import type { ConversationClients } from '../conversation-clients.ts';
import type { ClientHost, ClientRequest, RunInput } from '../records.ts';
import {
  type ClientErrorCode,
  type ClientResponseMessage,
  parseClientLine,
  type RunInputMessage,
  type ToClient,
} from './messages.ts';

/** Lines that are no messages; then the connection ends. */
export const MAX_BAD_LINES = 100;

/** Run inputs that wait for a conversation; each may be as long as a line. */
const MAX_WAITING = 8;

/** The conversation that the window shows, or showed last. */
export const CURRENT = 'current';

/** A conversation that a client may bring tools to, or why there is none. */
export type ClientConversation = OpenConversation | { readonly missing: string };

export interface OpenConversation {
  readonly id: string;
  readonly clients: ConversationClients;
}

export interface ClientSessionOptions {
  /** The name shown for its groups. */
  readonly name: string;
  /** See `ClientHost`. */
  readonly pairing?: string;
  /** `asked` is an id, or `CURRENT`. Undefined if the window shows none yet; `currentIs` will say which one it is. */
  readonly conversation: (asked: string) => ClientConversation | undefined;
  readonly send: (message: ToClient) => void;
  /** Ends the connection, after a `client_error` with this code. */
  readonly end: (code: ClientErrorCode, message: string) => void;
  /** A line for the log, without its end. */
  readonly log: (line: string) => void;
  /** The client's conversations or groups changed. */
  readonly onChange?: () => void;
}

/** A client that is attached to one conversation. */
export interface Attachment {
  readonly conversationId: string;
  readonly groups: readonly string[];
}

/** One client that may bring tools, from its first message to its disconnect. */
export class ClientSession {
  readonly #options: ClientSessionOptions;
  /** The attachments by conversation. */
  readonly #attached = new Map<string, Attached>();
  /** Requests that are not answered yet. No other client can answer them. */
  readonly #requested = new Map<string, Attached>();
  #isConnected = true;
  #badLines = 0;
  /** Run inputs for the current conversation that came before there was one. */
  readonly #waiting: RunInput[] = [];
  /** What the client brings to whichever conversation is the current one, or undefined if it brings nothing. */
  #current: RunInput | undefined;
  /** Conversations that have all of it. */
  readonly #haveCurrent = new Set<string>();

  constructor(options: ClientSessionOptions) {
    this.#options = options;
  }

  get attachments(): readonly Attachment[] {
    return [...this.#attached.values()].map(({ conversationId, groups }) => ({ conversationId, groups: [...groups] }));
  }

  /** Calls of the groups that this client registered earlier go to it again. */
  attach(conversation: OpenConversation): void {
    conversation.clients.attach(this.#attachedTo(conversation).host);
  }

  /** Registers what was not sent as a line. Rejects with `ClientRegistrationError`. */
  async register(input: RunInput, conversation: OpenConversation): Promise<void> {
    const attached = this.#attachedTo(conversation);
    const { groups } = await conversation.clients.register(input, attached.host);
    if (input.resetClientState) attached.groups.clear();
    for (const group of groups) attached.groups.add(group);
    this.#options.send({ type: 'run_accepted', conversationId: conversation.id, groups });
    this.#options.onChange?.();
  }

  /** Never rejects. */
  async receive(line: string): Promise<void> {
    if (!this.#isConnected) return;
    const parsed = parseClientLine(line);
    if (parsed.kind === 'faulty') return this.#bad(parsed.code, parsed.reason);
    const { message } = parsed;
    if (message.type === 'run_input') return this.#registerLine(message);
    if (message.type === 'client_response') return this.#answer(message);
    this.#bad('bad_line', 'A hello is sent once, and only over the socket.');
  }

  /**
   * The window now shows this conversation: what the client brought to the current one is registered here too, and it
   * is told. Resolves once its tools are there. Never rejects.
   */
  async currentIs(conversation: OpenConversation): Promise<void> {
    const isAttached = this.#current !== undefined || this.#waiting.length > 0;
    if (!this.#isConnected || !isAttached) return;
    this.#options.send({ type: 'current_conversation', conversationId: conversation.id });
    if (this.#current !== undefined && !this.#haveCurrent.has(conversation.id))
      await this.#registerIn(conversation, this.#current);
    this.#haveCurrent.add(conversation.id);
    for (const input of this.#waiting.splice(0)) await this.#registerCurrent(conversation, input);
  }

  /** Takes the client's groups out of every conversation that it is attached to. */
  withdraw(): void {
    this.#current = undefined;
    this.#waiting.length = 0;
    for (const { groups, clients, host } of this.#attached.values()) {
      groups.clear();
      clients
        .register({ resetClientState: true }, host)
        .catch((error: unknown) => this.#options.log(`Groups could not be removed: ${errorMessage(error)}`));
    }
  }

  /** Does what a disconnect does (D.5). */
  disconnected(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#requested.clear();
    this.#current = undefined;
    this.#waiting.length = 0;
    for (const { clients, host } of this.#attached.values()) clients.disconnected(host);
  }

  async #registerLine({ type: _, conversation: asked, ...input }: RunInputMessage): Promise<void> {
    const conversation = this.#options.conversation(asked ?? CURRENT);
    if (conversation === undefined) {
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push(input);
      else this.#error('no_conversation', 'Too many run inputs wait for one.');
    } else if ('missing' in conversation) this.#error('no_conversation', conversation.missing);
    else if ((asked ?? CURRENT) === CURRENT) await this.#registerCurrent(conversation, input);
    else await this.#registerIn(conversation, input);
  }

  async #registerCurrent(conversation: OpenConversation, input: RunInput): Promise<void> {
    if (!(await this.#registerIn(conversation, input))) return;
    this.#current = laterInput(this.#current, input);
    this.#haveCurrent.clear();
    this.#haveCurrent.add(conversation.id);
  }

  /** Returns false if the registration was refused, and the client was told why. */
  async #registerIn(conversation: OpenConversation, input: RunInput): Promise<boolean> {
    if (!this.#isConnected) return false;
    try {
      await this.register(input, conversation);
      return true;
    } catch (error) {
      this.#error('registration_failed', errorMessage(error));
      return false;
    }
  }

  #answer({ type: _, ...response }: ClientResponseMessage): void {
    const attached = this.#requested.get(response.requestId);
    if (attached === undefined) {
      this.#options.log('An answer without an open request was ignored.');
      return;
    }
    this.#requested.delete(response.requestId);
    attached.clients.answer(response, attached.host);
  }

  #attachedTo({ id, clients }: OpenConversation): Attached {
    const known = this.#attached.get(id);
    if (known !== undefined) return known;
    const isConnected = () => this.#isConnected;
    const { name, pairing } = this.#options;
    const attached: Attached = {
      conversationId: id,
      clients,
      groups: new Set(),
      host: {
        name,
        ...(pairing === undefined ? {} : { pairing }),
        get isConnected() {
          return isConnected();
        },
        request: (request) => this.#request(request, attached),
        cancel: (requestId) => this.#cancel(requestId),
      },
    };
    this.#attached.set(id, attached);
    return attached;
  }

  #request(request: ClientRequest, attached: Attached): void {
    if (!this.#isConnected) return;
    this.#requested.set(request.requestId, attached);
    this.#options.send({ type: 'client_request', conversationId: attached.conversationId, ...request });
  }

  #cancel(requestId: string): void {
    if (!this.#requested.delete(requestId) || !this.#isConnected) return;
    this.#options.send({ type: 'client_cancel', requestId });
  }

  #bad(code: ClientErrorCode, reason: string): void {
    this.#badLines++;
    if (this.#badLines > MAX_BAD_LINES)
      this.#options.end('too_many_bad_lines', `More than ${MAX_BAD_LINES} lines were no messages.`);
    else this.#error(code, reason);
  }

  #error(code: ClientErrorCode, message: string): void {
    this.#options.send({ type: 'client_error', code, message });
  }
}

interface Attached {
  readonly conversationId: string;
  readonly clients: ConversationClients;
  readonly host: ClientHost;
  readonly groups: Set<string>;
}

/** Both inputs, one after the other, as one. */
function laterInput(earlier: RunInput | undefined, later: RunInput): RunInput {
  if (earlier === undefined || later.resetClientState) return { ...later, resetClientState: false };
  const groups = new Map(
    [...(earlier.clientToolGroups ?? []), ...(later.clientToolGroups ?? [])].map((group) => [group.name, group]),
  );
  const context = new Map(
    [...(earlier.context ?? []), ...(later.context ?? [])].map((item) => [item.key ?? item.description, item]),
  );
  return {
    clientToolGroups: [...groups.values()],
    expandedContainers: [...new Set([...(earlier.expandedContainers ?? []), ...(later.expandedContainers ?? [])])],
    hiddenTools: [...new Set([...(earlier.hiddenTools ?? []), ...(later.hiddenTools ?? [])])],
    context: [...context.values()],
    ...('state' in later ? { state: later.state } : 'state' in earlier ? { state: earlier.state } : {}),
    resetClientState: false,
  };
}
