import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { errorMessage } from '../base/errors.ts';
import { type ContentKind, type ContentLists, readContentList } from './content-list.ts';
import { type PromptMessage, promptMessages } from './prompt-messages.ts';
import { listen } from './server-changes.ts';
import type { LogEntry } from './server-log.ts';
import type { ServerRequestOptions } from './tool-call.ts';

/** A server writes everything from this level on into its log. */
const LOG_LEVEL = 'info';
const LIST_WITHIN_MS = 30_000;
const SUBSCRIBE_WITHIN_MS = 10_000;

export interface ContentPorts {
  /** Asks the server, as `McpConnection.request` does. */
  readonly request: <T>(
    work: (client: Client, options: ServerRequestOptions) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  readonly log: { add(entry: LogEntry): void };
}

/** A prompt's argument, or a template's variable, that is being filled in. */
export interface CompletionRequest {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'template'; readonly uriTemplate: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The others, as far as they are filled in. */
  readonly given: Readonly<Record<string, string>>;
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
/** As the server gave it; `blob` is Base64. */
export type ResourceContents = z.infer<typeof contents>['contents'][number];

const completion = z.looseObject({
  completion: z.looseObject({ values: z.array(z.string()) }),
});

const prompt = z.looseObject({
  description: z.string().optional().catch(undefined),
  messages: z.array(z.unknown()),
});

/**
 * What a server offers besides tools: resources, prompts, completions, and its log. Lists are read when somebody wants them, and again
 * once the server says that they are others. Every method rejects as `McpConnection.request` does.
 */
export class ServerContent {
  readonly #ports: ContentPorts;
  readonly #listeners = new Set<() => void>();
  readonly #lists = new Map<ContentKind, Promise<ContentLists[ContentKind]>>();
  readonly #known = new Map<ContentKind, ContentLists[ContentKind]>();
  /** By URI, who wants to hear of changes. */
  readonly #watchers = new Map<string, Set<() => void>>();
  #client: Client | undefined;
  #listening: AbortController | undefined;

  constructor(ports: ContentPorts) {
    this.#ports = ports;
  }

  /** Told when a list may have changed. Returns the way to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A connection that was just made. What is known of the one before it counts no more. */
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

  /** What it lists. Read once and kept until the server says that it has changed. */
  async list<Kind extends ContentKind>(kind: Kind, signal: AbortSignal): Promise<ContentLists[Kind]>;
  async list(kind: ContentKind, signal: AbortSignal): Promise<ContentLists[ContentKind]> {
    const reading = this.#lists.get(kind) ?? this.#read(kind);
    signal.throwIfAborted();
    return reading;
  }

  /** The same as far as it is known; nothing is asked for. */
  known<Kind extends ContentKind>(kind: Kind): ContentLists[Kind] | undefined;
  known(kind: ContentKind): ContentLists[ContentKind] | undefined {
    return this.#known.get(kind);
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

  /** What could stand there, best first; empty if the server completes nothing. */
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

  /** Calls `changed` whenever the server says that this resource is another now. Returns the way to stop. */
  watch(uri: string, changed: () => void): () => void {
    const watchers = this.#watchers.get(uri) ?? new Set();
    watchers.add(changed);
    this.#watchers.set(uri, watchers);
    if (watchers.size === 1) this.#watched(uri, true);
    return () => {
      watchers.delete(changed);
      if (watchers.size > 0 || this.#watchers.get(uri) !== watchers) return;
      this.#watchers.delete(uri);
      this.#watched(uri, false);
    };
  }

  #read(kind: ContentKind): Promise<ContentLists[ContentKind]> {
    const skipped = (text: string) => this.#ports.log.add({ kind: 'skipped', text });
    const reading = this.#ports.request(
      (client, options) => readContentList(client, kind, options, skipped),
      AbortSignal.timeout(LIST_WITHIN_MS),
    );
    this.#lists.set(kind, reading);
    reading.then(
      (list) => {
        if (this.#lists.get(kind) === reading) this.#known.set(kind, list);
      },
      () => {
        // The next one who asks tries again.
        if (this.#lists.get(kind) === reading) this.#lists.delete(kind);
      },
    );
    return reading;
  }

  #forget(...kinds: readonly ContentKind[]): void {
    for (const kind of kinds) {
      this.#lists.delete(kind);
      this.#known.delete(kind);
    }
    for (const listener of [...this.#listeners]) listener();
  }

  #updated(uri: string): void {
    for (const changed of [...(this.#watchers.get(uri) ?? [])]) changed();
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
    asked.catch((error: unknown) => this.#note(error));
  }

  /** One stream for everything; what it should carry is said when it begins. */
  #listen(): void {
    const client = this.#client;
    if (client === undefined) return;
    this.#listening?.abort();
    this.#listening = new AbortController();
    const { resources, prompts } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(this.#watchers.size > 0 ? { resourceSubscriptions: [...this.#watchers.keys()] } : {}),
    };
    const missed = () => {
      this.#forget('resources', 'resourceTemplates', 'prompts');
      for (const uri of this.#watchers.keys()) this.#updated(uri);
    };
    const log = (text: string) => this.#ports.log.add({ kind: 'state', text });
    void listen(client, { filter, missed, log, signal: this.#listening.signal });
  }

  #note(error: unknown): void {
    this.#ports.log.add({ kind: 'state', text: errorMessage(error) });
  }
}
