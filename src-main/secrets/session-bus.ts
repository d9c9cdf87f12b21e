import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Listeners } from '../base/listeners.ts';
import { type BusMessage, decodeMessage, encodeCall, Field, MessageType } from './dbus-codec.ts';

/** The bus refused a call; `code` is the D-Bus error name. */
export class BusError extends Error {
  override readonly name = 'BusError';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Socket of the user's session bus, or `undefined` if there is none. Looks in the same places as libdbus in the native
 * module (checked: it has no autolaunch, and uses `XDG_RUNTIME_DIR` if the address is not set).
 */
export function sessionBusSocket(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const address = environment.DBUS_SESSION_BUS_ADDRESS;
  if (address === undefined || address === '') {
    const runtime = environment.XDG_RUNTIME_DIR;
    const socket = runtime === undefined || runtime === '' ? undefined : `${runtime}/bus`;
    return socket !== undefined && existsSync(socket) ? socket : undefined;
  }
  for (const candidate of address.split(';')) {
    const [, kind, path] = /^unix:(?:.*,)?(path|abstract)=([^,]+)/.exec(candidate) ?? [];
    if (path === undefined) continue;
    const plain = percentDecoded(path);
    return kind === 'abstract' ? `\0${plain}` : plain;
  }
  return undefined;
}

export interface BusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

/**
 * One connection to the session bus. Everything on it ends with an error when the signal is aborted or `close` is
 * called.
 */
export class SessionBus {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, { resolve(message: BusMessage): void; reject(error: Error): void }>();
  readonly #signalListeners = new Listeners<[message: BusMessage]>();
  /** Calls made before the bus accepted this user. */
  readonly #heldBack: Buffer[] = [];
  #received = Buffer.alloc(0);
  #serial = 0;
  #isAuthenticated = false;
  #failure: Error | undefined;

  private constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the session bus closed the connection')));
    signal.addEventListener('abort', () => this.#fail(asError(signal.reason)), { once: true });
  }

  static async open(socketPath: string, signal: AbortSignal): Promise<SessionBus> {
    signal.throwIfAborted();
    const socket = connect(socketPath);
    const bus = new SessionBus(socket, signal);
    const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
    socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    await bus.call({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'Hello',
    });
    return bus;
  }

  /** The reply's values. Throws `BusError`, or what ended the connection. */
  async call(call: BusCall): Promise<readonly unknown[]> {
    if (this.#failure !== undefined) throw this.#failure;
    const serial = ++this.#serial;
    const fields = new Map<number, string>([
      [Field.path, call.path],
      [Field.interface, call.interface],
      [Field.member, call.member],
      [Field.destination, call.destination],
    ]);
    if (call.signature !== undefined) fields.set(Field.signature, call.signature);
    const reply = new Promise<BusMessage>((resolve, reject) => this.#waiting.set(serial, { resolve, reject }));
    const bytes = encodeCall(serial, fields, call.body ?? []);
    if (this.#isAuthenticated) this.#socket.write(bytes);
    else this.#heldBack.push(bytes);
    const message = await reply;
    if (message.type === MessageType.error) throw new BusError(String(message.fields.get(Field.errorName)));
    return message.body;
  }

  /** The first signal with this path and member. Ask for it before causing it. */
  signal(path: string, member: string): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const key = ++this.#serial;
      this.#waiting.set(key, { resolve: ({ body }) => resolve(body), reject });
      const listener = (message: BusMessage) => {
        if (message.fields.get(Field.path) !== path || message.fields.get(Field.member) !== member) return;
        unsubscribe();
        this.#waiting.delete(key);
        resolve(message.body);
      };
      const unsubscribe = this.#signalListeners.add(listener);
    });
  }

  close(): void {
    this.#fail(new Error('the connection to the session bus was closed'));
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      if (!this.#isAuthenticated && !this.#authenticate()) return;
      for (;;) {
        const next = decodeMessage(this.#received);
        if (next === undefined) return;
        this.#received = this.#received.subarray(next.length);
        this.#deliver(next.message);
      }
    } catch (error) {
      this.#fail(asError(error));
    }
  }

  #authenticate(): boolean {
    const end = this.#received.indexOf('\r\n');
    if (end < 0) return false;
    const answer = this.#received.toString('latin1', 0, end);
    if (!answer.startsWith('OK ')) throw new Error('the session bus refused this user');
    this.#received = this.#received.subarray(end + 2);
    this.#isAuthenticated = true;
    this.#socket.write('BEGIN\r\n');
    for (const held of this.#heldBack.splice(0)) this.#socket.write(held);
    return true;
  }

  #deliver(message: BusMessage): void {
    if (message.type === MessageType.signal) {
      this.#signalListeners.tell(message);
      return;
    }
    const serial = Number(message.fields.get(Field.replySerial));
    this.#waiting.get(serial)?.resolve(message);
    this.#waiting.delete(serial);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#socket.destroy();
  }
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare "%" in an unescaped path.
    return text;
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
