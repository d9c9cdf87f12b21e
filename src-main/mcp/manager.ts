import { canonicalHash } from '../base/canonical-json.ts';
import { ownValue } from '../base/json.ts';
import { Listeners } from '../base/listeners.ts';
import { untilAborted } from '../base/until-aborted.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';
import type { KnownServers } from '../storage/records/known-servers.ts';
import type { ServerNotes } from '../storage/records/server-notes.ts';
import { BundledConnection, type Timers } from './bundled-connection.ts';
import { BUNDLED_LIST, isBundledServer } from './bundled-server.ts';
import type { ToolList } from './calls/tool-list.ts';
import { type ConnectionPorts, McpConnection } from './connection.ts';
import { parseKnownServer } from './known-server.ts';
import type { SignIns } from './oauth/sign-ins.ts';
import { StartPlaces } from './start-places.ts';
import type { ServerLogFiles } from './status/server-log-files.ts';
import type { ServerState } from './status/server-state.ts';
import type { SecretOf } from './transport/server-environment.ts';

/** How long a turn waits for servers that were never listed. Source: tool catalogue C.1. */
const TURN_WAITS_MS = 3_000;
/** How long a list of all tools waits for them. Source: design section 7 ("Ask"). */
const ALL_WAIT_MS = 30_000;
/** A server's last use is noted no more often. */
const NOTE_USE_EVERY_MS = 60_000;

type OwnPorts = 'keep' | 'secretOf' | 'account' | 'stepUp' | 'place' | 'used' | 'silent';

export interface ManagerPorts extends Omit<ConnectionPorts, OwnPorts> {
  /** The value of the keychain entry `Steward/mcp/{server}/{name}`. */
  readonly secretOf: (server: string, name: string) => Promise<string | undefined>;
  /** The accounts of remote servers; none by default. */
  readonly signIns?: Pick<SignIns, 'account' | 'stepUp'>;
  /** What servers offered in earlier sessions. */
  readonly knownServers: KnownServers;
  /** When servers were used, and which did not answer. */
  readonly notes: ServerNotes;
  /** How many programs start at a time. */
  readonly places?: StartPlaces;
  /** Keeps the logs of servers. Without this, they end with the process. */
  readonly logFiles?: Pick<ServerLogFiles, 'follow' | 'flush'>;
  readonly now: () => Date;
  /** Tests set this. */
  readonly timers?: Timers;
}

const NEVER = new Date(0).toISOString();

export interface ListedOptions {
  /** All of them by default. */
  readonly names?: readonly string[];
  readonly onWaiting?: (names: readonly string[]) => void;
}

/** The result of a connection test. */
export interface ConnectionOutcome {
  readonly state: ServerState;
  readonly list: ToolList | undefined;
}

/**
 * All MCP servers that the user confirmed. They are independent: none waits for another or is affected by its failures.
 * Source: tool catalogue C.1.
 */
export class McpManager {
  readonly #ports: ManagerPorts;
  readonly #connections = new Map<string, McpConnection>();
  /** Servers being stopped, by name: a successor waits for them. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #tests = new Set<McpConnection>();
  readonly #places: StartPlaces;
  /**
   * Servers that no turn waits for: they failed, or kept one waiting in vain, and have not listed their tools since.
   */
  readonly #silent = new Set<McpConnection>();
  readonly #listeners = new Listeners();
  #isClosed = false;

  constructor(ports: ManagerPorts) {
    this.#ports = ports;
    this.#places = ports.places ?? new StartPlaces();
  }

  /** The servers in the order of config.json, including those that are switched off. */
  get servers(): readonly McpConnection[] {
    return [...this.#connections.values()];
  }

  /** Servers that answer only after signing in. */
  get toSignIn(): readonly string[] {
    return this.servers.flatMap(({ name, state }) => (state.name === 'needs-sign-in' ? [name] : []));
  }

  get(name: string): McpConnection | undefined {
    return this.#connections.get(name);
  }

  /** The listener is called on every change of a server or its tools. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Applies the confirmed part of config.json. Returns at once; servers start and stop in the background. */
  apply(servers: Readonly<Record<string, McpServerConfig>>): void {
    if (this.#isClosed) return;
    for (const connection of this.servers) {
      const config = ownValue(servers, connection.name);
      if (config === undefined || reachHash(config) !== reachHash(connection.config)) this.#remove(connection);
      if (config !== undefined) continue;
      this.#ports.knownServers.remove(connection.name);
      this.#ports.notes.remove(connection.name);
    }
    const before = [...this.#connections];
    this.#connections.clear();
    for (const [name, config] of Object.entries(servers)) {
      const kept = before.find(([each]) => each === name)?.[1];
      this.#connections.set(name, kept ?? this.#add(name, config));
      if (kept !== undefined) this.#reconfigure(kept, config);
    }
    this.#listeners.tell();
  }

  /** Starts the servers that waited for files to be reviewed of which none is `pending` any more. */
  startReviewed(pending: readonly string[]): void {
    for (const connection of this.servers) {
      const { state } = connection;
      if (state.name !== 'failed' || state.problem.code !== 'unreviewed_files') continue;
      if (!state.problem.paths.some((path) => pending.includes(path))) void connection.start();
    }
  }

  /** Servers whose tools nobody knows. */
  get unlisted(): readonly McpConnection[] {
    return this.servers.filter(({ isEnabled, list }) => isEnabled && list === undefined);
  }

  /**
   * Waits a moment, before a turn, for the servers that never listed their tools and may do so soon. Resolves with the
   * names of those that are still on their way, without which the turn goes on. After that, no turn waits for them
   * until they have listed their tools. Ends on abort.
   */
  async listedSoon(signal: AbortSignal, withinMs: number = TURN_WAITS_MS): Promise<readonly string[]> {
    const awaited = this.unlisted.filter((connection) => isOnItsWay(connection) && !this.#silent.has(connection));
    await this.#listed(awaited, withinMs, signal);
    for (const connection of awaited) if (connection.list === undefined) this.#isSilent(connection);
    return this.unlisted.filter(isOnItsWay).map(({ name }) => name);
  }

  /**
   * Waits for every server that never listed its tools, or only for those of them that are named, and resolves with the
   * names of those that are still on their way. `onWaiting` is called with who is awaited when it takes more than a
   * moment. The wait ends on abort.
   */
  async listed(signal: AbortSignal, { names, onWaiting }: ListedOptions = {}): Promise<readonly string[]> {
    const missing = () => this.unlisted.filter(({ name }) => names?.includes(name) !== false);
    const onTheirWay = () => missing().flatMap((each) => (isOnItsWay(each) ? [each.name] : []));
    await this.#listed(missing(), TURN_WAITS_MS, signal);
    const late = onTheirWay();
    if (late.length === 0 || signal.aborted) return late;
    onWaiting?.(late);
    await this.#listed(missing().filter(isOnItsWay), ALL_WAIT_MS - TURN_WAITS_MS, signal);
    return onTheirWay();
  }

  async #listed(awaited: readonly McpConnection[], withinMs: number, signal: AbortSignal): Promise<void> {
    if (awaited.length === 0) return;
    for (const connection of awaited) connection.want();
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const started = Promise.all(awaited.map((connection) => connection.start()));
    // Who aborts goes on without the missing tools.
    await untilAborted(started, waiting).catch((error) => {
      if (!waiting.aborted) throw error;
    });
  }

  #isSilent(connection: McpConnection): void {
    this.#silent.add(connection);
    if (this.#connections.get(connection.name) === connection)
      this.#ports.notes.silent(connection.name, reachHash(connection.config));
  }

  /**
   * Connects once, independently of the configured servers: reads the tools and disconnects. `secretOf` gives the
   * values of its keychain entries that are not stored yet.
   */
  async test(
    name: string,
    config: McpServerConfig,
    secretOf: SecretOf,
    signal: AbortSignal,
  ): Promise<ConnectionOutcome> {
    const { knownServers: _, secretOf: stored, signIns, now: __, bundled: ___, timers: ____, ...ports } = this.#ports;
    // A sign-in belongs to one URL and is sent to no other.
    const isSignedIn = config.url !== undefined && this.#connections.get(name)?.config.url === config.url;
    const connection = new McpConnection(name, { ...config, enabled: true }, undefined, {
      ...ports,
      secretOf: async (secret) => (await secretOf(secret)) ?? stored(name, secret),
      ...(signIns !== undefined && isSignedIn ? { account: () => signIns.account(name) } : {}),
      keep: () => undefined,
    });
    const stop = () => void connection.stop();
    signal.addEventListener('abort', stop, { once: true });
    this.#tests.add(connection);
    try {
      if (!this.#isClosed) await connection.start();
      return { state: connection.state, list: connection.list };
    } finally {
      signal.removeEventListener('abort', stop);
      await connection.stop();
      this.#tests.delete(connection);
    }
  }

  /** Resolves when no process of any server is left, soon after they had their time to end by themselves. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    for (const connection of this.servers) this.#remove(connection);
    await Promise.all([...this.#ending.values(), ...[...this.#tests].map((connection) => connection.stop())]);
    this.#ports.logFiles?.flush();
  }

  #add(name: string, config: McpServerConfig): McpConnection {
    const { knownServers, notes, secretOf, signIns, now, bundled, timers, logFiles, ...ports } = this.#ports;
    const configHash = reachHash(config);
    const isBundled = isBundledServer(name, config);
    const stored = knownServers.get(name);
    const isSame = stored?.configHash === configHash;
    const known = isSame ? parseKnownServer(stored.offered, stored.learnedAt, now()) : undefined;
    const given: ConnectionPorts = {
      ...ports,
      secretOf: (secret) => secretOf(name, secret),
      ...(signIns && {
        account: () => signIns.account(name),
        stepUp: (signal: AbortSignal) => signIns.stepUp(name, signal),
      }),
      keep: (offered) => {
        this.#silent.delete(connection);
        if (this.#connections.get(name) !== connection || isBundled) return;
        knownServers.set(name, { configHash, offered });
        if (notes.get(name).silentAs !== undefined) notes.silent(name, undefined);
      },
      // The lowest comes first: those that were used last, then those that never were.
      ...(isProgram(config) && {
        place: this.#places.placeOf(name, () => -Date.parse(notes.get(name).usedAt ?? NEVER)),
      }),
      used: () => {
        const at = now().getTime();
        if (at - notedAt < NOTE_USE_EVERY_MS) return;
        notedAt = at;
        notes.used(name);
      },
      silent: () => this.#isSilent(connection),
    };
    let notedAt = Number.NEGATIVE_INFINITY;
    const connection = isBundled
      ? new BundledConnection(name, config, BUNDLED_LIST, { ...given, bundled, looksBuiltIn: () => false }, timers)
      : new McpConnection(name, config, known, given);
    if (notes.get(name).silentAs === configHash) this.#silent.add(connection);
    logFiles?.follow(name, connection.log);
    connection.onChange(() => this.#listeners.tell());
    if (isEager(connection)) void this.#startAfter(connection);
    return connection;
  }

  #reconfigure(connection: McpConnection, config: McpServerConfig): void {
    const wasEnabled = connection.isEnabled;
    connection.config = config;
    if (wasEnabled && !connection.isEnabled) void this.#end(connection);
    if (!wasEnabled && isEager(connection)) void this.#startAfter(connection);
  }

  /** Two instances of a server must never run at once: it may hold a port or a file. */
  async #startAfter(connection: McpConnection): Promise<void> {
    await this.#ending.get(connection.name);
    if (this.#connections.get(connection.name) === connection && connection.isEnabled) await connection.start();
  }

  #remove(connection: McpConnection): void {
    this.#connections.delete(connection.name);
    this.#silent.delete(connection);
    // Code that still holds this connection, such as a call waiting for consent, must not start it again.
    connection.config = { ...connection.config, enabled: false };
    void this.#end(connection);
  }

  #end(connection: McpConnection): Promise<void> {
    const { name } = connection;
    const ending = Promise.all([this.#ending.get(name), connection.stop()]).then(() => {
      if (this.#ending.get(name) === ending) this.#ending.delete(name);
    });
    this.#ending.set(name, ending);
    return ending;
  }
}

/** Whether the server may still connect: it has not failed, and doesn't wait for a user. */
function isOnItsWay({ state }: McpConnection): boolean {
  return state.name === 'off' || state.name === 'starting';
}

/** Other servers take no processor to start. */
function isProgram({ transport }: McpServerConfig): boolean {
  return transport === 'stdio' || transport === 'bundled';
}

/** A lazy server without a tool list could never be called, so its tools are read once. */
function isEager({ isEnabled, config, list }: McpConnection): boolean {
  const { start = config.transport === 'bundled' ? 'lazy' : 'eager' } = config;
  return isEnabled && (start !== 'lazy' || list === undefined);
}

/** Everything that determines how a server is reached and started. */
function reachHash({ transport, command, args, env, url, headers, oauth, roots }: McpServerConfig): string {
  return canonicalHash({ transport, command, args, env, url, headers, oauth, roots });
}
