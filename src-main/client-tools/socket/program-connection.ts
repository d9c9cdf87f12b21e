import type { Socket } from 'node:net';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import type { ClientSession } from '../protocol/client-session.ts';
import { LineReader, lineFaultText, MAX_UNREAD_LINES } from '../protocol/line-reader.ts';
import { type ClientErrorCode, parseClientLine, type ToProgram } from '../protocol/messages.ts';
import type { Admission, Pairing, Program } from './pairing.ts';

/** A program says who it is as soon as it connects. */
const HELLO_WITHIN_MS = 10_000;
/** The limit until the program is admitted, because a hello is short. */
const MAX_HELLO_BYTES = 16 * 1024;
/** What a program is told and does not read. One answer may have 16 MB: the names of all its groups. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** How long a connection that was ended may take to read why. */
const LINGER_MS = 1_000;

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly pairing: Pick<Pairing, 'admit'>;
  readonly openSession: (
    program: Program,
    wire: { send(message: ToProgram): void; end(code: ClientErrorCode, message: string): void },
  ) => ClientSession;
  /** Once, when it was admitted and when it is gone. */
  readonly onChange: () => void;
  readonly onClosed: () => void;
  readonly log: (line: string) => void;
}

/** A connection to the local socket: one hello, then a session. */
export class ProgramConnection {
  readonly #options: ConnectionOptions;
  readonly #reader: LineReader;
  readonly #closing = new AbortController();
  readonly #helloTimer: NodeJS.Timeout;
  #admission: { readonly program: Program; readonly session: ClientSession } | undefined;
  #unread = 0;
  #hasEnded = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket } = options;
    this.#reader = new LineReader({
      onLine: (line) => this.#line(line),
      onFault: (fault) => this.end(fault, lineFaultText(fault, this.#longestLine())),
      onFull: (isFull) => void (isFull ? socket.pause() : socket.resume()),
      longestBytes: () => this.#longestLine(),
    });
    this.#helloTimer = setTimeout(() => this.end('hello_expected', 'No hello was received.'), HELLO_WITHIN_MS);
    socket.on('data', (chunk: Buffer) => this.#reader.push(chunk));
    // A program that is gone; `close` follows.
    socket.on('error', () => undefined);
    socket.once('end', () => void this.#reader.end());
    socket.once('close', () => this.#closed());
  }

  get admitted(): { readonly program: Program; readonly session: ClientSession } | undefined {
    return this.#admission;
  }

  /** Tells the program why, then closes the connection. */
  end(code: ClientErrorCode, message: string): void {
    if (!this.#hasEnded) this.#write({ type: 'client_error', code, message });
    this.#end();
  }

  #longestLine(): number | undefined {
    return this.#admission === undefined ? MAX_HELLO_BYTES : undefined;
  }

  async #line(line: string): Promise<void> {
    if (this.#hasEnded) return;
    if (this.#admission !== undefined) return this.#admission.session.receive(line);
    const parsed = parseClientLine(line);
    if (parsed.kind === 'faulty' || parsed.message.type !== 'hello')
      return this.end('hello_expected', 'The first line is {"type":"hello","name":…,"version":…}.');
    clearTimeout(this.#helloTimer);
    try {
      this.#admit(await this.#options.pairing.admit(parsed.message, this.#closing.signal));
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#options.log(`A program could not be admitted: ${String(error)}`);
      this.end('closing', 'Something went wrong in Steward. Try again.');
    }
  }

  #admit(admission: Admission): void {
    if (admission.kind === 'refused') {
      const { kind: _, ...why } = admission;
      this.#send({ type: 'refused', ...why });
      this.#end();
      return;
    }
    const { program, token } = admission;
    const wire = {
      send: (message: ToProgram) => this.#send(message),
      end: (code: ClientErrorCode, message: string) => this.end(code, message),
    };
    this.#admission = { program, session: this.#options.openSession(program, wire) };
    this.#send({ type: 'welcome', token });
    this.#options.onChange();
  }

  #send(message: ToProgram): void {
    if (this.#hasEnded) return;
    this.#write(message);
    // The program asks for more than it reads, so what it is told next would fill the memory.
    if (this.#unread > MAX_UNREAD_LINES)
      this.end('too_many_lines', `More than ${MAX_UNREAD_LINES} lines were not read.`);
    else if (this.#options.socket.writableLength > MAX_UNREAD_BYTES)
      this.end('too_many_lines', `More than ${MAX_UNREAD_BYTES / 1024 / 1024} MB were not read.`);
  }

  #write(message: ToProgram): void {
    this.#unread++;
    this.#options.socket.write(`${exactJson(message)}\n`, () => this.#unread--);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#reader.close();
    this.#leave();
    const { socket } = this.#options;
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  #closed(): void {
    this.#hasEnded = true;
    this.#reader.close();
    this.#leave();
    this.#options.onClosed();
  }

  /** Leaves at once, even if the program keeps its side open. */
  #leave(): void {
    clearTimeout(this.#helloTimer);
    this.#closing.abort(new Error('The connection was closed'));
    this.#admission?.session.disconnected();
  }
}
