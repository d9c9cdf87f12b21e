import type { MessageAttachment, SentPrompt, StoredEvent } from '../../src-preload/contract/events.ts';
import { marksIn } from '../assistant/conversation-log.ts';
import { AddressBook } from '../assistant/known-addresses.ts';
import { errorMessage } from '../base/errors.ts';
import type { McpConnection } from '../mcp/connection.ts';
import type { ServerPrompt } from '../mcp/content/content-list.ts';
import type { CompletionRequest } from '../mcp/content/server-content.ts';
import type { McpManager } from '../mcp/manager.ts';
import { isConnected } from '../mcp/status/server-state.ts';
import type { HttpClient } from '../network/http.ts';
import type { Access, CallEffects, McpAccess } from '../policy/access.ts';
import { marksOfAccess } from '../policy/access-marks.ts';
import type { Gate } from '../policy/gate.ts';
import { addressesIn } from '../policy/mcp/argument-addresses.ts';
import { accessToContent, ownAddressOf } from '../policy/mcp/content-call.ts';
import { accessToAddress, type McpServerFacts } from '../policy/mcp/mcp-call.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import { remediesOf } from '../tools/contract.ts';
import type { McpResources } from '../tools/session/mcp-resources.ts';
import { attachmentsOf } from './content-attachments.ts';
import { ContentFailure } from './content-failure.ts';
import { checkedArguments } from './prompt-arguments.ts';

export interface ServerContentsPorts {
  readonly manager: McpManager;
  /** Whether all of the server's definitions have been reviewed. */
  readonly isReviewed: (server: string) => boolean;
  readonly gate: Gate;
  readonly http: Pick<HttpClient, 'access'>;
  readonly knownSecrets: KnownSecrets;
  readonly factsOf: (server: string, config: McpServerConfig) => McpServerFacts;
}

/** The conversation that content is read for, or null for a new one. */
export interface ContentPurpose {
  readonly conversationId: string | null;
  readonly events: readonly StoredEvent[];
  readonly signal: AbortSignal;
  /** The call fails with `needs_question` instead of asking. */
  readonly isUnasked?: boolean;
}

/** A subscription to changes of one resource. */
export interface ResourceWatch {
  /** Whether its connection was lost or replaced. */
  readonly isOver: () => boolean;
  readonly stop: () => void;
}

/** A server's content with its marks. */
export interface GivenContent<T> {
  readonly content: T;
  readonly marks: NonNullable<StoredMarks>;
}
type StoredMarks = ReturnType<typeof marksOfAccess>;

export interface PromptCall {
  readonly server: string;
  readonly name: string;
  /** The arguments as given: JSON in `ask`, form fields in the window. */
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * Resources and prompts of the MCP servers, for the user and for the model's tools. Both pass the same gate: reading
 * from a reviewed server needs no question. Everything rejects with `ContentFailure`, or with the signal's reason.
 */
export class ServerContents implements McpResources {
  readonly #ports: ServerContentsPorts;

  constructor(ports: ServerContentsPorts) {
    this.#ports = ports;
  }

  get servers(): readonly string[] {
    return this.#ports.manager.servers.flatMap(({ name, isEnabled }) => (isEnabled ? [name] : []));
  }

  /** Servers that are connected now. */
  get ready(): readonly McpConnection[] {
    return this.#ports.manager.servers.filter(({ state }) => isConnected(state));
  }

  isReviewed(server: string): boolean {
    return this.#ports.isReviewed(server);
  }

  access(server: string): McpAccess {
    const facts = this.#ports.factsOf(server, this.connection(server).config);
    return accessToContent(facts, { content: 'resources', isReviewed: this.isReviewed(server) });
  }

  isListed(server: string): boolean {
    return this.connection(server).content.known('resources') !== undefined;
  }

  /** Whether the server is known to list this resource. */
  offers(server: string, uri: string): boolean {
    const connection = this.ready.find(({ name }) => name === server);
    return connection?.content.known('resources')?.some((each) => each.uri === uri) === true;
  }

  async addresses(
    server: string,
    uri: string,
    { http, signal }: Pick<ServerContentsPorts, 'http'> & { readonly signal: AbortSignal },
  ): Promise<readonly Access[]> {
    const { content } = this.connection(server);
    const resources = await content.list('resources', signal);
    // If the templates are not known, no host counts as the server's own.
    const templates = await content.list('resourceTemplates', signal).catch(() => []);
    signal.throwIfAborted();
    const uris = new Set(resources.map((each) => each.uri));
    const isOwn = ownAddressOf(uri, { uris, templates: templates.map(({ uriTemplate }) => uriTemplate) });
    return addressesIn({ uri }).flatMap((url) => (isOwn(url) ? [] : [accessToAddress(url, { http })]));
  }

  list(server: string, signal: AbortSignal) {
    return this.connection(server).content.list('resources', signal);
  }

  read(server: string, uri: string, signal: AbortSignal) {
    return this.connection(server).content.read(uri, signal);
  }

  complete(server: string, request: CompletionRequest, signal: AbortSignal): Promise<readonly string[]> {
    return this.connection(server).content.complete(request, signal);
  }

  /** The URIs that a server lists. */
  async uris(server: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const listed = await answered(this.list(server, signal), `The resources of ${server} are not known`, signal);
    return new Set(listed.map(({ uri }) => uri));
  }

  /** The URI templates that a server lists. */
  async templates(server: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const listing = this.connection(server).content.list('resourceTemplates', signal);
    const listed = await answered(listing, `The resources of ${server} are not known`, signal);
    return new Set(listed.map(({ uriTemplate }) => uriTemplate));
  }

  /** Called when a server may have connected or disconnected. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#ports.manager.onChange(listener);
  }

  /** See `ServerContent.watch`. Returns undefined if the server is not connected or does not report changes. */
  watch(
    { server, uri }: { readonly server: string; readonly uri: string },
    { changed, begun }: { readonly changed: () => void; readonly begun: () => void },
  ): ResourceWatch | undefined {
    const connection = this.ready.find(({ name }) => name === server);
    if (connection?.content.canWatch !== true) return undefined;
    const stop = connection.content.watch(uri, changed, begun);
    return { stop, isOver: () => !this.ready.includes(connection) };
  }

  /** A resource that the user attaches, read now. */
  async attachment(
    { server, uri }: { readonly server: string; readonly uri: string },
    purpose: ContentPurpose,
  ): Promise<GivenContent<readonly MessageAttachment[]>> {
    const { content } = this.connection(server);
    const { signal } = purpose;
    const addresses = await answered(
      this.addresses(server, uri, { ...this.#ports, signal }),
      `The resources of ${server} are not known`,
      signal,
    );
    const effects = () => ({ access: [this.access(server), ...addresses] });
    const marks = await this.#authorized('read_mcp_resource', { server, uri }, effects, purpose);
    const contents = await answered(content.read(uri, signal), `${uri} could not be read`, signal);
    const attached = attachmentsOf({ server, uri }, contents);
    return { content: this.#ports.knownSecrets.redactIn(attached), marks };
  }

  /** A prompt that the user chose, with arguments filled in. */
  async prompt({ server, name, given }: PromptCall, purpose: ContentPurpose): Promise<GivenContent<SentPrompt>> {
    const { content, config } = this.connection(server);
    const { signal } = purpose;
    const prompts = await answered(content.list('prompts', signal), `The prompts of ${server} are not known`, signal);
    const prompt = prompts.find((each) => each.name === name);
    if (prompt === undefined) throw new ContentFailure('prompt_unknown', unknownPrompt(server, name, prompts));
    const values = checkedArguments(prompt, given);
    const effects = () => {
      const call = { content: 'prompts', isReviewed: this.isReviewed(server) } as const;
      const addresses = addressesIn(values).map((url) => accessToAddress(url, this.#ports));
      return { access: [accessToContent(this.#ports.factsOf(server, config), call), ...addresses] };
    };
    const marks = await this.#authorized(`/${server}/${name}`, values, effects, purpose);
    const what = `The prompt ${name} could not be used`;
    const messages = await answered(content.prompt(name, values, signal), what, signal, prompt);
    return { content: this.#ports.knownSecrets.redactIn({ server, name, messages }), marks };
  }

  /** Throws `ContentFailure` `server_unknown`. */
  connection(server: string): McpConnection {
    const connection = this.#ports.manager.get(server);
    if (connection?.isEnabled === true) return connection;
    throw new ContentFailure('server_unknown', `There is no MCP server ${server}, or it is switched off.`);
  }

  /** The marks of what may be read now. */
  async #authorized(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    effects: () => CallEffects,
    { conversationId, events, signal, isUnasked = false }: ContentPurpose,
  ): Promise<StoredMarks> {
    const addresses = new AddressBook();
    for (const event of events) addresses.add(event);
    const { gate } = this.#ports;
    const call = {
      ...({ tool, declaredClass: 'read', asksModel: false, input, conversationId, isOfSeenLink: false } as const),
      assessed: effects(),
      reassess: async () => effects(),
      marks: marksIn(events),
      ...addresses.forCalls(),
    };
    const authorization = isUnasked ? await gate.authorizeUnasked(call, signal) : await gate.authorize(call, signal);
    if (authorization === undefined) throw new ContentFailure('needs_question', 'You have to be asked first.');
    if (authorization.answer === 'deny') throw new ContentFailure('declined', authorization.text);
    return marksOfAccess(authorization.approved.access, (path) => path);
  }
}

/** `prompt` is the one whose argument the server's error may refer to. */
async function answered<T>(work: Promise<T>, what: string, signal: AbortSignal, prompt?: ServerPrompt): Promise<T> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ContentFailure) throw error;
    const message = errorMessage(error);
    const named = (prompt?.arguments ?? []).filter(({ name }) => speaksOf(message, name));
    const [only] = named.length === 1 ? named : [];
    const about = only === undefined ? {} : { argument: only.name };
    throw new ContentFailure('failed', `${what}: ${message}`, { cause: error, remedies: remediesOf(error), ...about });
  }
}

function speaksOf(message: string, name: string): boolean {
  return message.split(/[^\p{L}\p{N}_-]+/u).includes(name);
}

function unknownPrompt(server: string, name: string, prompts: readonly ServerPrompt[]): string {
  if (prompts.length === 0) return `The MCP server ${server} has no prompts.`;
  const names = prompts.slice(0, 20).map((each) => each.name);
  return `The MCP server ${server} has no prompt ${name}. It has: ${names.join(', ')}.`;
}
