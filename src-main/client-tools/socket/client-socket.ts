import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { PairedPrograms } from '../../storage/records/paired-programs.ts';
import {
  type Attachment,
  ClientSession,
  type ClientSessionOptions,
  type OpenConversation,
} from '../protocol/client-session.ts';
import { listenAt } from './listening.ts';
import { Pairing, type PairingOptions, type Program } from './pairing.ts';
import { ProgramConnection } from './program-connection.ts';
import { socketPath } from './socket-place.ts';

const MAX_CONNECTIONS = 64;
/** Limit for connections of programs that have not been admitted yet. */
const MAX_STRANGERS = 16;

/** Tells programs where the window listens. */
export const PLACE_FILE = 'client.json';

export interface ClientSocketOptions extends Pick<PairingOptions, 'ask' | 'now'> {
  /** The absolute path. */
  readonly profileDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programs: PairedPrograms;
  /** What the program of this pairing brought is kept nowhere. */
  readonly forget: (id: string) => void;
  /** See `ClientSessionOptions`. */
  readonly conversation: ClientSessionOptions['conversation'];
  /** `state`, `connected` or `pausedMs` changed. */
  readonly onChange: () => void;
  readonly log: (line: string) => void;
}

export type SocketState =
  | { readonly name: 'off' }
  | { readonly name: 'listening'; readonly path: string }
  | { readonly name: 'failed'; readonly reason: string };

/** A program that is connected now. */
export interface ConnectedProgram extends Program {
  /** More than one: it runs twice, or another program has its token. */
  readonly connections: number;
  /** The attachments of all connections, one for each conversation. */
  readonly attachments: readonly Attachment[];
}

/** The local socket at which programs of this user attach to the window. Source: tool catalogue D.9. */
export class ClientSocket {
  readonly #options: ClientSocketOptions;
  readonly #pairing: Pairing;
  readonly #connections = new Set<ProgramConnection>();
  #server: Server | undefined;
  #state: SocketState = { name: 'off' };
  /** Openings and closings follow one another, never at the same time. */
  #settled: Promise<void> = Promise.resolve();

  constructor(options: ClientSocketOptions) {
    this.#options = options;
    this.#pairing = new Pairing({ ...options, onChange: () => this.#tell(), revoke: (id) => void this.revoke(id) });
  }

  get state(): SocketState {
    return this.#state;
  }

  get connected(): readonly ConnectedProgram[] {
    const programs = new Map<string, ConnectedProgram>();
    for (const { admitted } of this.#connections) {
      if (admitted === undefined) continue;
      const { id, name } = admitted.program;
      const { connections, attachments } = programs.get(id) ?? { connections: 0, attachments: [] };
      const all = merged([...attachments, ...admitted.session.attachments]);
      programs.set(id, { id, name, connections: connections + 1, attachments: all });
    }
    return [...programs.values()];
  }

  /** See `ClientSession.currentIs`. */
  async currentIs(conversation: OpenConversation): Promise<void> {
    await Promise.all([...this.#connections].map(({ admitted }) => admitted?.session.currentIs(conversation)));
  }

  /** See `Pairing.pausedMs`. */
  get pausedMs(): number {
    return this.#pairing.pausedMs;
  }

  endPause(): void {
    this.#pairing.endPause();
  }

  /** Whether it should listen. Resolves when it does, does not, or could not (`state`). */
  setOpen(isOpen: boolean): Promise<void> {
    this.#settled = this.#settled
      .then(() => (isOpen ? this.#open() : this.#close()))
      .catch((error: unknown) => {
        this.#state = { name: 'failed', reason: errorMessage(error) };
      })
      .then(() => this.#tell());
    return this.#settled;
  }

  /**
   * The program's token is worth nothing from now on, its tools are gone, and its connections end. Returns false if
   * there is no such program.
   */
  revoke(id: string): boolean {
    const isKnown = this.#options.programs.revoke(id);
    for (const connection of this.#connections) {
      if (connection.admitted?.program.id !== id) continue;
      connection.admitted.session.withdraw();
      connection.end('revoked', 'The user ended the pairing.');
    }
    // The program's tools also leave conversations that it is not attached to now.
    this.#options.forget(id);
    this.#tell();
    return isKnown;
  }

  async #open(): Promise<void> {
    if (this.#server !== undefined) return;
    const { profileDirectory } = this.#options;
    const server = createServer((socket) => this.#connect(socket));
    try {
      const path = socketPath(this.#options);
      await listenAt(server, path);
      server.on('error', (error) => this.#options.log(`The socket for programs: ${error.message}`));
      writeFileSync(join(profileDirectory, PLACE_FILE), `${JSON.stringify({ socket: path })}\n`, { mode: 0o600 });
      this.#server = server;
      this.#state = { name: 'listening', path };
    } catch (error) {
      server.close();
      this.#state = { name: 'failed', reason: errorMessage(error) };
    }
  }

  /** What it is told may fail; whether it listens has nothing to do with that. */
  #tell(): void {
    try {
      this.#options.onChange();
    } catch (error) {
      this.#options.log(`The socket for programs: ${errorMessage(error)}`);
    }
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#state = { name: 'off' };
    this.#pairing.endPause();
    if (server !== undefined) {
      // Closing the server also removes the file of the socket.
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of this.#connections) connection.end('closing', 'Steward no longer accepts programs.');
      await closed;
      rmSync(join(this.#options.profileDirectory, PLACE_FILE), { force: true });
    }
  }

  #connect(socket: Socket): void {
    const { conversation, log } = this.#options;
    const onChange = () => this.#tell();
    const connection: ProgramConnection = new ProgramConnection({
      socket,
      pairing: this.#pairing,
      openSession: ({ id: pairing, name }, wire) =>
        new ClientSession({ name, pairing, conversation, log, onChange, ...wire }),
      onChange,
      onClosed: () => {
        this.#connections.delete(connection);
        onChange();
      },
      log,
    });
    const strangers = [...this.#connections].filter(({ admitted }) => admitted === undefined).length;
    const isFull = this.#connections.size >= MAX_CONNECTIONS || strangers >= MAX_STRANGERS;
    this.#connections.add(connection);
    if (isFull) connection.end('too_many_connections', 'Too many programs are connected.');
  }
}

function merged(attachments: readonly Attachment[]): readonly Attachment[] {
  const groupsIn = new Map<string, Set<string>>();
  for (const { conversationId, groups } of attachments)
    groupsIn.set(conversationId, new Set([...(groupsIn.get(conversationId) ?? []), ...groups]));
  return [...groupsIn].map(([conversationId, groups]) => ({ conversationId, groups: [...groups] }));
}
