import { homedir } from 'node:os';
import { Readable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { errorMessage, systemCode } from '../../base/errors.ts';
import { isRecord, parsedJson } from '../../base/json.ts';
import { LineSplitter } from '../../base/line-splitter.ts';
import { batchFileCommand, isBatchFile } from '../../processes/batch-file.ts';
import { findExecutable } from '../../processes/find-executable.ts';
import type { ProcessOutcome, ProcessRunner, RunningProcess } from '../../processes/process-runner.ts';
import {
  answeredBy,
  faultOfLine,
  MAX_IN_BATCH,
  MAX_MESSAGE_BYTES,
  oversizedAnswer,
  unreadableAnswerTo,
} from '../messages/oversized-message.ts';
import type { LogEntry } from '../status/server-log.ts';
import { ServerFailure, type ServerOutput } from '../status/server-problem.ts';
import { withoutIntegerMarks } from './exact-integers.ts';
import { ProcessOutput } from './process-output.ts';
import type { ServerExit, ServerProcess } from './server-process.ts';

/** How long a server may take to exit after its stdin was closed; then its process tree is killed. */
const END_BY_ITSELF_MS = 5_000;
/** Answers that a server asks for and does not read would fill the memory. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
const MAX_UNREAD_MESSAGES = 10_000;
/** Short, because the server already had time to exit. */
const GRACE_MS = 300;

export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly processes: Pick<ProcessRunner, 'start'>;
  readonly log: (entry: LogEntry) => void;
  /** Removes secrets from its stderr. */
  readonly redact: (text: string) => string;
  /** How long the process may take to end after its stdin was closed. Without this, it is five seconds. */
  readonly endByItselfMs?: number;
}

/**
 * A server as a child process: one JSON-RPC message per line on stdin and stdout. Other output on stdout is logged and
 * skipped, and so is a message that is too long, which fails only the call it answers. `pid` and `stderr` tell the SDK
 * that this is stdio; it then probes for the protocol era in place. Source:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports.
 */
export class StdioTransport implements Transport, ServerProcess {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #options: StdioTransportOptions;
  readonly #stderr = new Readable({ read: () => undefined });
  readonly #output: ProcessOutput;
  #running: RunningProcess | undefined;
  #exit: ServerExit | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;
  /** Messages that the server has not read yet. */
  #unread = 0;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#output = new ProcessOutput(options);
    // The stream is drained even if nobody reads it.
    this.#stderr.resume();
  }

  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  get stderr(): Readable {
    return this.#stderr;
  }

  get output(): ServerOutput {
    return this.#output.now;
  }

  get exit(): ServerExit | undefined {
    return this.#exit;
  }

  /** Rejects with `ServerFailure`. */
  async start(): Promise<void> {
    const { processes, environment, command } = this.#options;
    const stdout = new LineSplitter({
      maxBytes: MAX_MESSAGE_BYTES,
      onLine: (line) => this.#receive(line),
      onOverlong: (line) => {
        this.#options.log({ kind: 'skipped', text: `a message of ${line.bytes} bytes` });
        const id = answeredBy(line);
        if (id !== undefined) this.onmessage?.(oversizedAnswer(id, line.bytes));
      },
    });
    const program = await this.#program();
    try {
      this.#running = await processes.start({
        ...program,
        directory: homedir(),
        environment,
        signal: new AbortController().signal,
        dialogue: {
          onStdout: (chunk) => stdout.add(chunk),
          onStderr: (chunk) => {
            this.#stderr.push(chunk);
            this.#output.addStderr(chunk);
          },
        },
      });
    } catch (error) {
      if (systemCode(error) === 'ENOENT') throw this.#notFound(error);
      throw new ServerFailure({ code: 'not_started', reason: `${command}: ${errorMessage(error)}` }, { cause: error });
    }
    void this.#running.finished.then((outcome) => {
      stdout.end();
      this.#output.end();
      this.#ended(outcome);
    });
  }

  /** Rejects once the process has ended, or if it does not read. */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#running?.stdin;
    if (stdin === undefined || stdin === null || this.#isClosed) throw new Error('The server is not running');
    if (this.#unread > MAX_UNREAD_MESSAGES || stdin.writableLength > MAX_UNREAD_BYTES) this.#endUnread();
    this.#unread++;
    await new Promise<void>((done, failed) => {
      stdin.write(`${withoutIntegerMarks(JSON.stringify(message))}\n`, (error) => (error ? failed(error) : done()));
    }).finally(() => {
      this.#unread--;
    });
  }

  /** Closes stdin, waits, then kills the process tree. Resolves when no process is left. */
  close(): Promise<void> {
    this.#closing ??= this.#close(this.#options.endByItselfMs ?? END_BY_ITSELF_MS);
    return this.#closing;
  }

  #endUnread(): never {
    this.#options.log({ kind: 'state', text: 'ended: it does not read what it asks for' });
    // The process would not read that its stdin ends either.
    this.#closing ??= this.#close(0);
    this.#tellClosed();
    throw new Error('The server does not read');
  }

  async #close(endByItselfMs: number): Promise<void> {
    const running = this.#running;
    if (running === undefined) return this.#tellClosed();
    running.stdin?.end();
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((done) => {
      timer = setTimeout(done, endByItselfMs);
    });
    await Promise.race([running.finished, tooLong]);
    clearTimeout(timer);
    await running.end(GRACE_MS);
    await running.finished;
    this.#tellClosed();
  }

  async #program(): Promise<{ command: string; args: readonly string[]; windowsVerbatimArguments?: boolean }> {
    const { command, args, environment } = this.#options;
    const path = await findExecutable(command, homedir(), environment);
    if (path === undefined) throw this.#notFound();
    return isBatchFile(path) ? batchFileCommand(path, args, environment) : { command: path, args };
  }

  #notFound(cause?: unknown): ServerFailure {
    const { command, environment } = this.#options;
    const searchPath = environment.PATH ?? environment.Path ?? '';
    return new ServerFailure({ code: 'command_not_found', command, searchPath }, { cause });
  }

  #receive(line: string): void {
    if (line.trim() === '' || this.#isClosed) return;
    const fault = faultOfLine(line);
    if (fault !== undefined) {
      this.#skip(line, fault);
      return;
    }
    const messages = messagesIn(line);
    if (messages === undefined) this.#output.addStray(line);
    else if (messages.length > MAX_IN_BATCH)
      this.#options.log({ kind: 'skipped', text: `a batch of ${messages.length} messages` });
    else for (const message of messages) this.onmessage?.(message);
  }

  #skip(line: string, fault: string): void {
    this.#options.log({ kind: 'skipped', text: `a message that is ${fault}` });
    const answer = unreadableAnswerTo(line, fault);
    if (answer !== undefined) this.onmessage?.(answer);
  }

  #ended({ exitCode, exitSignal }: ProcessOutcome): void {
    this.#exit = { exitCode, exitSignal };
    this.#stderr.push(null);
    // The remaining child processes end with the program.
    if (this.#closing === undefined) void this.close();
    this.#tellClosed();
  }

  #tellClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

/** A batch (revision 2025-03-26) contains several. `undefined` if the line is not a message. */
function messagesIn(line: string): readonly JSONRPCMessage[] | undefined {
  const value = parsedJson(line);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.length > 0 && values.every(isMessage) ? values : undefined;
}

/** The SDK validates the content against the request it answers. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return isRecord(value) && value.jsonrpc === '2.0' && ['method', 'result', 'error'].some((key) => key in value);
}
