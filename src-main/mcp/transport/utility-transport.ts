import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { UtilityProcess } from '../../processes/utility-process.ts';
import { ServerFailure, type ServerOutput } from '../status/server-problem.ts';
import { type OutputSinks, ProcessOutput } from './process-output.ts';
import type { ServerExit, ServerProcess } from './server-process.ts';

const KILL_AFTER_MS = 1_000;

/** The bundled server in the desktop app: a utility process; each message is a `postMessage`. */
export class UtilityTransport implements Transport, ServerProcess {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #open: () => Promise<UtilityProcess>;
  readonly #output: ProcessOutput;
  #running: UtilityProcess | undefined;
  #exit: ServerExit | undefined;
  #isClosed = false;

  constructor(open: () => Promise<UtilityProcess>, sinks: OutputSinks) {
    this.#open = open;
    this.#output = new ProcessOutput(sinks);
  }

  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  get output(): ServerOutput {
    return this.#output.now;
  }

  get exit(): ServerExit | undefined {
    return this.#exit;
  }

  /** Rejects with `ServerFailure`. */
  async start(): Promise<void> {
    const running = await this.#open().catch((cause: unknown) => {
      throw new ServerFailure({ code: 'not_started', reason: errorMessage(cause) }, { cause });
    });
    this.#running = running;
    running.onStderr((chunk) => this.#output.addStderr(chunk));
    running.onMessage((message) => {
      if (isMessage(message) && !this.#isClosed) this.onmessage?.(message);
    });
    void running.exited.then((exitCode) => {
      this.#output.end();
      this.#exit = { exitCode, exitSignal: null };
      this.#tellClosed();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#running === undefined || this.#isClosed) throw new Error('The server is not running');
    this.#running.post(message);
  }

  /** Resolves when the process has ended. */
  async close(): Promise<void> {
    const running = this.#running;
    if (running !== undefined && this.#exit === undefined) {
      running.end();
      const killing = setTimeout(() => killed(running.pid), KILL_AFTER_MS);
      await running.exited;
      clearTimeout(killing);
    }
    this.#tellClosed();
  }

  #tellClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return isRecord(value) && value.jsonrpc === '2.0';
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
