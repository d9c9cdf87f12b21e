import { once } from 'node:events';
import { chmod, type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { gateLack, gateProgramsHere } from '../installed.ts';
import { sandboxFiles } from '../sandbox-files.ts';
import { GATE_ADDRESS, NameAddresses } from './addresses.ts';
import { httpProxy } from './http-proxy.ts';
import { answerTo } from './name-server.ts';
import { type CoveringFile, nameSettings } from './name-settings.ts';
import { NAMES_SOCKET, type Namespace, openNamespace, PROXY_PORT, PROXY_SOCKET, RELAY_SOCKET } from './namespace.ts';
import { nameSocket, relayServer } from './relayed.ts';

export interface WantedConnection {
  /**
   * The name that the program asked for, in lower case without a final dot, or an IP address that it used directly,
   * without brackets.
   */
  readonly host: string;
  readonly port: number;
}

export interface GateOptions {
  /**
   * Connects to it outside, or refuses (undefined). Called once for each connection; aborted when the program gives up
   * or the gate closes. A socket should allow half-open connections.
   */
  readonly connect: (wanted: WantedConnection, signal: AbortSignal) => Promise<Duplex | undefined>;
}

/** What `Sandbox.command` needs to put a command into the network of a gate. */
export interface SandboxNetwork {
  /** The command that starts what follows in it. */
  readonly entering: readonly string[];
  /** How its programs find names. */
  readonly covering: readonly CoveringFile[];
  /** Undefined values are left out of what the command gets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const MOST_CONNECTIONS = 256;
const HIGHEST_PORT = 65_535;

/** The only thing outside that commands in its network can reach. It knows no rules: `connect` decides. */
export class NetworkGate {
  readonly network: SandboxNetwork;
  readonly #namespace: Namespace;
  readonly #doors: Doors;
  #closing: Promise<void> | undefined;

  private constructor(namespace: Namespace, doors: Doors, covering: readonly CoveringFile[]) {
    this.#namespace = namespace;
    this.#doors = doors;
    this.network = { entering: namespace.entering, covering, environment: proxyEnvironment() };
    // Without its helpers it would keep what waits for them.
    void namespace.ended.then(() => this.close());
  }

  /** Throws with the reason if there can't be one. */
  static async open(options: GateOptions): Promise<NetworkGate> {
    const programs = gateProgramsHere();
    if (programs === undefined) throw new Error(`commands have no network without ${gateLack()}`);
    const doors = await Doors.open(options);
    try {
      const covering = await nameSettings(doors.folder);
      const namespace = await openNamespace(doors.folder, programs);
      doors.hasIPv6 = namespace.hasIPv6;
      return new NetworkGate(namespace, doors, covering);
    } catch (error) {
      await doors.close();
      throw error;
    }
  }

  /** Nothing is reached through it any more. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Ends the helpers and all connections. */
  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#namespace.close(), this.#doors.close()]).then(() => undefined);
    return this.#closing;
  }
}

/** Main's end: sockets in a folder that no command sees. */
class Doors {
  readonly folder: string;
  hasIPv6 = false;
  readonly #directory: FileHandle;
  readonly #options: GateOptions;
  readonly #names = new NameAddresses();
  readonly #servers: Server[] = [];
  readonly #connections = new Set<Socket>();
  readonly #questions = new Set<Socket>();
  readonly #closed = new AbortController();

  private constructor(folder: string, directory: FileHandle, options: GateOptions) {
    this.folder = folder;
    this.#directory = directory;
    this.#options = options;
  }

  static async open(options: GateOptions): Promise<Doors> {
    // That of the sandbox's own files is hidden from every command.
    const folder = await mkdtemp(join(dirname((await sandboxFiles()).filter), 'gate-'));
    await chmod(folder, 0o700);
    const doors = new Doors(folder, await open(folder), options);
    const answer = (message: Buffer) => answerTo(message, doors.#names, doors.hasIPv6);
    const meantBy = doors.#names.meantBy.bind(doors.#names);
    const reach = doors.#reach.bind(doors);
    await doors.#listen(RELAY_SOCKET, relayServer({ reach, meantBy, answer }), doors.#connections);
    await doors.#listen(PROXY_SOCKET, httpProxy(reach), doors.#connections);
    await doors.#listen(NAMES_SOCKET, nameSocket(answer), doors.#questions);
    return doors;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    for (const socket of [...this.#connections, ...this.#questions]) socket.destroy();
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    await Promise.all(closed);
    await this.#directory.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #listen(name: string, server: Server, open: Set<Socket>): Promise<void> {
    server.on('connection', (socket: Socket) => {
      if (open.size >= MOST_CONNECTIONS) socket.destroy();
      else open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    this.#servers.push(server);
    // The path of a socket has at most 107 bytes, which a temporary folder may take alone.
    server.listen(`/proc/self/fd/${this.#directory.fd}/${name}`);
    await once(server, 'listening');
  }

  async #reach(given: string, port: number, given_up: AbortSignal): Promise<Duplex | undefined> {
    const host = this.#names.meantBy(given);
    const signal = AbortSignal.any([given_up, this.#closed.signal]);
    if (host === undefined || port < 1 || port > HIGHEST_PORT || signal.aborted) return undefined;
    const remote = await this.#options.connect({ host, port }, signal).catch(() => undefined);
    // Whoever reads from it sees that it was cut off. Here an error must only not end Steward.
    remote?.on('error', () => remote.destroy());
    if (!signal.aborted) return remote;
    remote?.destroy();
    return undefined;
  }
}

/**
 * Programs that know a proxy reach all ports by it, and say what was refused. One of the user's own can't be reached
 * inside, so it is replaced.
 */
function proxyEnvironment(): SandboxNetwork['environment'] {
  const proxy = `http://${GATE_ADDRESS}:${PROXY_PORT}`;
  const direct = 'localhost,.localhost,127.0.0.1,127.0.0.0/8,::1,0.0.0.0,sandbox';
  const values = {
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: direct,
    all_proxy: undefined,
    ftp_proxy: undefined,
  };
  const both = Object.entries(values).flatMap(([name, value]) => [
    [name, value],
    [name.toUpperCase(), value],
  ]);
  return Object.fromEntries(both);
}
