import { untilAborted } from '../base/until-aborted.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import type { CallResult } from './calls/call-result.ts';
import type { RequestOrigin } from './calls/running-calls.ts';
import { ServerCalls } from './calls/server-calls.ts';
import { CallFailure } from './calls/tool-call.ts';
import { followToolList, isSameList, readToolList, type ToolList, withoutLookAlikes } from './calls/tool-list.ts';
import { type Connected, connectAndList } from './connecting.ts';
import { ServerContent } from './content/server-content.ts';
import type { KnownServer } from './known-server.ts';
import type { StartPlace } from './start-places.ts';
import { ConnectionStatus } from './status/connection-status.ts';
import { ServerLog } from './status/server-log.ts';
import { ServerFailure, type ServerProblem, signInText } from './status/server-problem.ts';
import { LookedUpSecrets, serverRedaction } from './status/server-redaction.ts';
import { isConnected, type ServerState } from './status/server-state.ts';
import { type ClientFeatures, type Era, type Handshake, problemOfLoss } from './transport/handshake.ts';
import { isScopeMissing, isSessionGone, isSignIn, problemOf } from './transport/sdk-errors.ts';
import type { EndpointPorts, OpenTransport } from './transport/server-endpoint.ts';

/** Source: tool catalogue C.1. */
const CONNECT_SECONDS = 30;

export interface ConnectionPorts extends Omit<EndpointPorts, 'log' | 'redact'> {
  /** Values that must not appear in any log. */
  readonly knownSecrets: () => readonly string[];
  /** Steward's version, sent to servers. */
  readonly version: string;
  /** Client features for this server besides tool calls. */
  readonly features?: (connection: McpConnection) => ClientFeatures;
  readonly log: (message: string, code?: 'mcp_sign_in') => void;
  /** Whether a tool's name, as it is offered (`server__tool`), looks like one of Steward's own. */
  readonly looksBuiltIn: (offered: string) => boolean;
  /** Called each time the tool list was read. */
  readonly keep: (known: KnownServer) => void;
  /** The place that a program needs to start. Without this, it starts at once. */
  readonly place?: StartPlace;
  /** Called when something is asked of the server. */
  readonly used?: () => void;
  /** Called when a server that never listed its tools did not do so again, or not in time. */
  readonly silent?: () => void;
  /**
   * Asks the user to grant the scopes that the server's last response asked for. Resolves to whether they were granted.
   */
  readonly stepUp?: (signal: AbortSignal) => Promise<boolean>;
  /** Tests set this. */
  readonly connectSeconds?: number;
}

/**
 * The connection to one server and its state. Whatever the server does affects only its state and its log: only calls
 * reject.
 */
export class McpConnection {
  readonly name: string;
  readonly log: ServerLog;
  /** What was stored about it when this connection was made. */
  readonly knownAtFirst: ToolList | undefined;
  /** Removes this server's secrets from a text. */
  readonly redact: (text: string) => string;
  readonly content = new ServerContent(this);
  readonly #ports: ConnectionPorts;
  readonly #status: ConnectionStatus;
  readonly #calls: ServerCalls;
  readonly #features: ClientFeatures | undefined;
  #config: McpServerConfig;
  #era: Era | undefined;
  #list: ToolList | undefined;
  #handshake: Handshake | undefined;
  #starting: Promise<void> | undefined;
  #given: AbortController | undefined;
  /** Every link that was opened, until it is completely closed. */
  readonly #links = new Set<OpenTransport>();
  readonly #secrets: LookedUpSecrets;

  constructor(name: string, config: McpServerConfig, known: KnownServer | undefined, ports: ConnectionPorts) {
    this.name = name;
    this.#config = config;
    this.#era = known?.era;
    this.#ports = ports;
    this.#list = known && withoutLookAlikes(known, name, ports.looksBuiltIn);
    this.knownAtFirst = this.#list;
    this.#secrets = new LookedUpSecrets(ports);
    this.redact = serverRedaction(() => this.#config, this.#secrets.known.bind(this.#secrets));
    this.log = new ServerLog({ redact: this.redact });
    this.#status = new ConnectionStatus({ connection: this, reportTo: ports });
    this.#calls = new ServerCalls({
      server: name,
      ready: (signal) => this.#ready(signal),
      toolNamed: (tool) => this.#list?.tools.find((listed) => listed.name === tool),
      readTools: (handshake) => this.#readTools(handshake),
      timeoutSeconds: () => this.#config.timeoutSeconds,
      onFailure: (error) => this.#callFailed(error),
      mayBeRepeated: (error, signal) => this.#mayBeRepeated(error, signal),
    });
    this.#features = ports.features?.(this);
  }

  get config(): McpServerConfig {
    return this.#config;
  }

  /** Must not change how the server is reached: that takes a new connection. */
  set config(config: McpServerConfig) {
    this.#config = config;
  }

  get isEnabled(): boolean {
    return this.#config.enabled !== false;
  }

  get state(): ServerState {
    return this.#status.state;
  }

  /** The server's current or last known tools, or undefined if it has never been asked. */
  get list(): ToolList | undefined {
    return this.#list;
  }

  /**
   * Whether a call makes sense: the server is connected, may be soon, or was in this session, so that the call can
   * report why it failed.
   */
  get mayBeCalled(): boolean {
    const { state } = this;
    if (!this.isEnabled || this.#list === undefined || state.name === 'needs-sign-in') return false;
    return this.#status.wasReady || state.name !== 'failed' || state.retryAt !== undefined;
  }

  /** Something in a list of resources or prompts is not used. */
  leftOut(): void {
    this.#status.tell();
  }

  /** Something waits for it: if its program has to wait for others, it is the next. */
  want(): void {
    this.#ports.place?.want();
  }

  /** The child's process id; `undefined` if there is no child. */
  get pid(): number | undefined {
    return this.#handshake?.link.process?.pid ?? undefined;
  }

  get era(): Era['kind'] | undefined {
    return this.#era?.kind;
  }

  /** The server's protocol version once it is ready. */
  get protocolVersion(): string | undefined {
    return this.#handshake?.client.getNegotiatedProtocolVersion();
  }

  get server(): { readonly name: string; readonly version: string } | undefined {
    return this.#handshake?.client.getServerVersion();
  }

  /** The listener is called on every change of the state and of the tools. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#status.onChange(listener);
  }

  /**
   * Resolves when the server is ready or has failed; at once if it is switched off. Joins a start in progress. A
   * connected server that could not list its tools does it again.
   */
  start(): Promise<void> {
    if (this.state.name === 'ready' || !this.isEnabled) return Promise.resolve();
    const handshake = this.#handshake;
    this.#starting ??= this.#calls.running
      .outside(() => (handshake === undefined ? this.#start() : this.#listAgain(handshake)))
      .finally(() => {
        this.#starting = undefined;
      });
    return this.#starting;
  }

  /** The user's restart: resets the number of tries. */
  async restart(): Promise<void> {
    await this.stop();
    this.#status.renew();
    this.want();
    await this.start();
  }

  /** The purpose of the server's request that is being handled. `taskId` is the task that it names. */
  originOf(taskId: string | undefined): RequestOrigin {
    return this.#calls.running.originOf(taskId);
  }

  /** Resolves when no process of the server is left, after about five seconds at most. */
  async stop(): Promise<void> {
    this.#status.endRetry();
    if (this.state.name === 'off') return;
    this.#status.change({ name: 'stopping' });
    this.#given?.abort(new Error('The server is being stopped'));
    this.#handshake = undefined;
    await Promise.allSettled([this.#starting, ...[...this.#links].map((link) => link.close())]);
    this.#links.clear();
    this.#status.change({ name: 'off' });
  }

  /** See `ServerCalls`. */
  call(...given: Parameters<ServerCalls['call']>): Promise<CallResult> {
    return this.#calls.call(...given);
  }

  /** See `ServerCalls`. */
  request<T>(...given: Parameters<typeof ServerCalls.prototype.request<T>>): Promise<T> {
    return this.#calls.request(...given);
  }

  /** A missing sign-in ends the connection, and so does a session that no longer exists: a new one is begun. */
  #callFailed(error: unknown): void {
    const handshake = this.#handshake;
    if (handshake?.client.transport?.sessionId !== undefined && isSessionGone(error)) this.#lost(handshake);
    if (!isSignIn(error) || isScopeMissing(error) || !isConnected(this.state)) return;
    const links = [...this.#links];
    this.#handshake = undefined;
    this.#status.change({ name: 'needs-sign-in' });
    for (const link of links) void this.#letGo(link);
  }

  /** Whether the call can be retried, now that what it lacked was granted. */
  async #mayBeRepeated(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (isScopeMissing(error)) return (await this.#ports.stepUp?.(signal)) ?? false;
    return (await this.#features?.mayCallAgain?.(error, signal)) === true;
  }

  /** Waits for a server that is starting. Rejects with `CallFailure` if it fails. */
  async #ready(signal: AbortSignal): Promise<Handshake> {
    this.#ports.used?.();
    if (this.state.name === 'off' || (this.#starting !== undefined && this.#handshake === undefined)) {
      this.want();
      await untilAborted(this.start(), signal);
    }
    if (this.state.name === 'needs-sign-in') throw new CallFailure({ code: 'needs_sign_in' }, this.name);
    if (this.#handshake === undefined) throw new CallFailure({ code: 'not_connected' }, this.name);
    return this.#handshake;
  }

  async #start(): Promise<void> {
    this.#status.endRetry();
    this.#status.change({ name: 'starting' });
    const given = new AbortController();
    this.#given = given;
    let leave: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      leave = await this.#ports.place?.take(given.signal);
      // The time begins with its own start.
      const { connectSeconds = CONNECT_SECONDS } = this.#ports;
      timer = setTimeout(() => given.abort(this.#timedOut(connectSeconds)), connectSeconds * 1_000);
      const { handshake, list, problem } = await this.#connect(given.signal);
      if (list !== undefined) this.#takeList(list, handshake.era);
      this.#follow(handshake);
      if (this.#handshake === undefined) return;
      if (problem === undefined) this.#status.change({ name: 'ready', since: Date.now() });
      else this.#failed('listing-failed', problem);
    } catch (error) {
      for (const link of this.#links) void this.#letGo(link);
      await this.#failedToStart(given.signal.aborted ? given.signal.reason : error);
    } finally {
      clearTimeout(timer);
      leave?.();
    }
  }

  #timedOut(seconds: number): ServerFailure {
    const output = [...this.#links].at(-1)?.process?.output ?? null;
    return new ServerFailure({ code: 'timed_out', seconds, output });
  }

  #connect(signal: AbortSignal): Promise<Connected> {
    const { version, features: _features, log: _, looksBuiltIn: __, ...ports } = this.#ports;
    const prior = this.#era;
    const options = {
      config: this.#config,
      version,
      signal,
      ...(this.#features === undefined ? {} : { features: this.#features }),
      ...(prior === undefined ? {} : { prior }),
      onTransport: (link: OpenTransport) => void this.#links.add(link),
    };
    const { secretOf } = this.#secrets;
    const endpoint = { ...ports, secretOf, redact: this.redact, log: this.log.add.bind(this.log) };
    return connectAndList(options, endpoint, (link) => this.#letGo(link));
  }

  /** Lists the tools of a connected server again. */
  async #listAgain(handshake: Handshake): Promise<void> {
    this.#status.endRetry();
    const { connectSeconds = CONNECT_SECONDS } = this.#ports;
    try {
      await this.#readTools(handshake, connectSeconds);
    } catch (error) {
      if (isSignIn(error)) return this.#callFailed(error);
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      const problem = await problemOf(isTimeout ? this.#timedOut(connectSeconds) : error, this.redact);
      if (this.#handshake === handshake) this.#failed('listing-failed', problem);
    }
  }

  #failed(name: 'failed' | 'listing-failed', problem: ServerProblem): void {
    if (this.#list === undefined) this.#ports.silent?.();
    this.#status.fail(name, problem);
  }

  #follow(handshake: Handshake): void {
    this.#handshake = handshake;
    const { client, link } = handshake;
    followToolList(client, { read: () => this.#readTools(handshake), log: (text) => this.#status.note(text) });
    this.content.follow(client);
    client.onclose = () => this.#lost(handshake);
    // The connection may have ended before this subscribed.
    if (client.transport === undefined || link.process?.exit !== undefined) this.#lost(handshake);
  }

  async #readTools(handshake: Handshake, withinSeconds = CONNECT_SECONDS): Promise<void> {
    if (this.#handshake !== handshake) return;
    const signal = AbortSignal.timeout(withinSeconds * 1_000);
    const list = await untilAborted(readToolList(handshake, signal), signal);
    if (this.#handshake !== handshake) return;
    const isNew = this.#takeList(list, handshake.era);
    if (this.state.name === 'listing-failed') this.#status.change({ name: 'ready', since: Date.now() });
    else if (isNew) this.#status.tell();
  }

  #takeList(given: ToolList, era: Era): boolean {
    const list = withoutLookAlikes(given, this.name, this.#ports.looksBuiltIn);
    const isNew = this.#list === undefined || !isSameList(this.#list, list);
    // Lists are compared by identity, so an unchanged list keeps its identity.
    if (isNew) this.#list = list;
    this.#era = era;
    this.#ports.keep({ ...list, era });
    return isNew;
  }

  #lost(handshake: Handshake): void {
    if (this.#handshake !== handshake) return;
    this.#handshake = undefined;
    void this.#letGo(handshake.link);
    this.#status.lost(problemOfLoss(handshake.link));
  }

  async #letGo(link: OpenTransport): Promise<void> {
    // An error on closing is irrelevant.
    await link.close().catch(() => undefined);
    this.#links.delete(link);
  }

  async #failedToStart(error: unknown): Promise<void> {
    const problem = isSignIn(error) ? undefined : await problemOf(error, this.redact);
    if (this.state.name !== 'starting') return;
    if (problem !== undefined) return this.#failed('failed', problem);
    this.#ports.log(signInText(this.name), 'mcp_sign_in');
    this.#status.change({ name: 'needs-sign-in' });
  }
}
