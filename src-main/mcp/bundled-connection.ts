import type { McpServerConfig } from '../settings/config-schema.ts';
import type { CallResult } from './calls/call-result.ts';
import type { ToolList } from './calls/tool-list.ts';
import { type ConnectionPorts, McpConnection } from './connection.ts';

const IDLE_MS = 5 * 60_000;

export interface Timers {
  /** Returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

const systemTimers: Timers = {
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * The connection to the bundled server. Its process ends after five minutes without a call; the next call starts it
 * again.
 */
export class BundledConnection extends McpConnection {
  readonly #timers: Timers;
  #calls = 0;
  #cancel: (() => void) | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(
    name: string,
    config: McpServerConfig,
    known: ToolList,
    ports: ConnectionPorts,
    timers: Timers = systemTimers,
  ) {
    super(name, config, known, ports);
    this.#timers = timers;
    // Covers automatic restarts too.
    this.onChange(() => this.#beginIdle());
  }

  override async call(...args: Parameters<McpConnection['call']>): Promise<CallResult> {
    this.#calls += 1;
    this.#endIdle();
    try {
      await this.#ending;
      return await super.call(...args);
    } finally {
      this.#calls -= 1;
      this.#beginIdle();
    }
  }

  override stop(): Promise<void> {
    this.#endIdle();
    return super.stop();
  }

  #beginIdle(): void {
    if (this.#calls > 0 || this.#cancel !== undefined || this.state.name !== 'ready') return;
    this.#cancel = this.#timers.after(IDLE_MS, () => {
      this.#ending = this.stop();
    });
  }

  #endIdle(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
