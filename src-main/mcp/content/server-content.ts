import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type LeftOutTool, leftOutText } from '../../../src-preload/contract/left-out-tools.ts';
import { errorMessage } from '../../base/errors.ts';
import { Listeners } from '../../base/listeners.ts';
import type { ServerRequestOptions } from '../calls/tool-call.ts';
import { firstNamed } from '../calls/tool-list.ts';
import type { LogEntry } from '../status/server-log.ts';
import { listen } from '../transport/server-changes.ts';
import { type ContentKind, type ContentLists, readContentList, type Skipped } from './content-list.ts';
import { type PromptMessage, promptMessages } from './prompt-messages.ts';

/** Servers log everything from this level up. */
const LOG_LEVEL = 'info';
const LIST_WITHIN_MS = 30_000;
const SUBSCRIBE_WITHIN_MS = 10_000;

export interface ContentPorts {
  /** Sends a request, like `McpConnection.request`. */
  readonly request: <T>(
    work: (client: Client, options: ServerRequestOptions) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  readonly log: { add(entry: LogEntry): void };
  /** Called when a list was read of which something was left out. */
  readonly leftOut?: () => void;
}

/** An argument of a prompt, or a variable of a template, to complete. */
export interface CompletionRequest {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'template'; readonly uriTemplate: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The other arguments filled in so far. */
  readonly given: Readonly<Record<string, string>>;
}

interface Watcher {
  readonly changed: () => void;
  readonly begun: () => void;
}

const contents = z.looseObject({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.string().optional().catch(undefined),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  ),
});
/** The contents as received, in which `blob` is Base64. */
export type ResourceContents = z.infer<typeof contents>['contents'][number];

const completion = z.looseObject({
  completion: z.looseObject({ values: z.array(z.string()) }),
});

const prompt = z.looseObject({
  description: z.string().optional().catch(undefined),
  messages: z.array(z.unknown()),
});

/**
 * What a server offers besides tools: resources, prompts, completions, and its log. Lists are read on demand, and again
 * after the server reports a change. Every method rejects like `McpConnection.request`.
 */
export class ServerContent {
  readonly #ports: ContentPorts;
  readonly #listeners = new Listeners();
  readonly #lists = new Map<ContentKind, Promise<ContentLists[ContentKind]>>();
  readonly #known = new Map<ContentKind, ContentLists[ContentKind]>();
  readonly #leftOut = new Map<ContentKind, readonly LeftOutTool[]>();
  /** Subscribers to changes, by URI. */
  readonly #watchers = new Map<string, Set<Watcher>>();
  #client: Client | undefined;
  #listening: AbortController | undefined;

  constructor(ports: ContentPorts) {
    this.#ports = ports;
  }

  /** Called when a list may have changed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Switches to a new connection. Everything cached from the previous one is dropped. */
  follow(client: Client): void {
    this.#client = client;
    this.#forget('resources', 'resourceTemplates', 'prompts');
    const { resources, prompts, logging } = client.getServerCapabilities() ?? {};
    client.setNotificationHandler('notifications/resources/list_changed', () =>
      this.#forget('resources', 'resourceTemplates'),
    );
    client.setNotificationHandler('notifications/prompts/list_changed', () => this.#forget('prompts'));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => this.#updated(params.uri));
    client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
      const said = typeof data === 'string' ? data : JSON.stringify(data);
      this.#ports.log.add({ kind: 'message', text: `${logger === undefined ? level : `${level} ${logger}`}: ${said}` });
    });
    if (client.getProtocolEra() === 'modern') {
      if (resources?.listChanged === true || prompts?.listChanged === true || this.#watchers.size > 0) this.#listen();
      return;
    }
    if (logging !== undefined) client.setLoggingLevel(LOG_LEVEL).catch((error: unknown) => this.#note(error));
    for (const uri of this.#watchers.keys()) this.#subscribe(uri, true);
  }

  /** Reads one list, which is cached until the server reports a change. */
  async list<Kind extends ContentKind>(kind: Kind, signal: AbortSignal): Promise<ContentLists[Kind]>;
  async list(kind: ContentKind, signal: AbortSignal): Promise<ContentLists[ContentKind]> {
    const reading = this.#lists.get(kind) ?? this.#read(kind);
    signal.throwIfAborted();
    return reading;
  }

  /** The cached list; makes no request. */
  known<Kind extends ContentKind>(kind: Kind): ContentLists[Kind] | undefined;
  known(kind: ContentKind): ContentLists[ContentKind] | undefined {
    return this.#known.get(kind);
  }

  /** What the cached lists contain in addition and is not used. */
  get leftOut(): readonly LeftOutTool[] {
    return [...this.#leftOut.values()].flat();
  }

  async read(uri: string, signal: AbortSignal): Promise<readonly ResourceContents[]> {
    const answer = await this.#ports.request(
      (client, options) => client.request({ method: 'resources/read', params: { uri } }, contents, options),
      signal,
    );
    return answer.contents;
  }

  async prompt(
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly PromptMessage[]> {
    const params = { name, arguments: { ...given } };
    const answer = await this.#ports.request(
      (client, options) => client.request({ method: 'prompts/get', params }, prompt, options),
      signal,
    );
    return promptMessages(answer.messages);
  }

  /** Completions, best first; empty if the server has none. */
  async complete({ of, argument, given }: CompletionRequest, signal: AbortSignal): Promise<readonly string[]> {
    if (this.#client?.getServerCapabilities()?.completions === undefined) return [];
    const ref =
      of.kind === 'prompt'
        ? ({ type: 'ref/prompt', name: of.name } as const)
        : ({ type: 'ref/resource', uri: of.uriTemplate } as const);
    const params = { ref, argument: { ...argument }, context: { arguments: { ...given } } };
    const answer = await this.#ports.request(
      (client, options) => client.request({ method: 'completion/complete', params }, completion, options),
      signal,
    );
    return answer.completion.values;
  }

  /** Whether the connected server reports changes of resources. */
  get canWatch(): boolean {
    return this.#client?.getServerCapabilities()?.resources?.subscribe === true;
  }

  /**
   * Calls `changed` whenever the server reports a change of this resource, and `begun` each time the server has
   * confirmed the subscription: earlier changes were not reported. Returns a function that unsubscribes.
   */
  watch(uri: string, changed: () => void, begun: () => void = () => undefined): () => void {
    const watchers = this.#watchers.get(uri) ?? new Set();
    const watcher = { changed, begun };
    watchers.add(watcher);
    this.#watchers.set(uri, watchers);
    if (watchers.size === 1) this.#watched(uri, true);
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0 || this.#watchers.get(uri) !== watchers) return;
      this.#watchers.delete(uri);
      this.#watched(uri, false);
    };
  }

  #read(kind: ContentKind): Promise<ContentLists[ContentKind]> {
    const leftOut: LeftOutTool[] = [];
    const skipped: Skipped = (what, given) => {
      leftOut.push(what);
      const said = leftOutText(what);
      this.#ports.log.add({ kind: 'skipped', text: given === undefined ? said : `${said}: ${given}` });
    };
    const reading = this.#ports.request(
      (client, options) => readContentList(client, kind, options, skipped),
      AbortSignal.timeout(LIST_WITHIN_MS),
    );
    this.#lists.set(kind, reading);
    reading.then(
      (list) => {
        if (this.#lists.get(kind) !== reading) return;
        this.#known.set(kind, list);
        this.#leftOut.set(kind, firstNamed(leftOut));
        if (leftOut.length > 0) this.#ports.leftOut?.();
      },
      () => {
        // The next caller tries again.
        if (this.#lists.get(kind) === reading) this.#lists.delete(kind);
      },
    );
    return reading;
  }

  #forget(...kinds: readonly ContentKind[]): void {
    for (const kind of kinds) {
      this.#lists.delete(kind);
      this.#known.delete(kind);
      this.#leftOut.delete(kind);
    }
    this.#listeners.tell();
  }

  #updated(uri: string): void {
    for (const { changed } of [...(this.#watchers.get(uri) ?? [])]) changed();
  }

  #begun(uri: string): void {
    for (const { begun } of [...(this.#watchers.get(uri) ?? [])]) begun();
  }

  #watched(uri: string, begins: boolean): void {
    if (this.#client?.transport === undefined) return;
    if (this.#client.getProtocolEra() === 'modern') this.#listen();
    else this.#subscribe(uri, begins);
  }

  #subscribe(uri: string, begins: boolean): void {
    const client = this.#client;
    if (client?.getServerCapabilities()?.resources?.subscribe !== true) return;
    const options = { timeout: SUBSCRIBE_WITHIN_MS };
    const asked = begins ? client.subscribeResource({ uri }, options) : client.unsubscribeResource({ uri }, options);
    asked.then(
      () => this.#begun(uri),
      (error: unknown) => this.#note(error),
    );
  }

  /** One stream carries everything; its filter is fixed when it starts. */
  #listen(): void {
    const client = this.#client;
    if (client === undefined) return;
    this.#listening?.abort();
    this.#listening = new AbortController();
    const { resources, prompts } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(this.#watchers.size > 0 && this.canWatch ? { resourceSubscriptions: [...this.#watchers.keys()] } : {}),
    };
    const missed = () => {
      this.#forget('resources', 'resourceTemplates', 'prompts');
      for (const uri of this.#watchers.keys()) this.#updated(uri);
    };
    const log = (text: string) => this.#ports.log.add({ kind: 'state', text });
    const begun = () => {
      for (const uri of filter.resourceSubscriptions ?? []) this.#begun(uri);
    };
    void listen(client, { filter, begun, missed, log, signal: this.#listening.signal });
  }

  #note(error: unknown): void {
    this.#ports.log.add({ kind: 'state', text: errorMessage(error) });
  }
}
