import type { AppEvents } from '../../../src-preload/contract/index.ts';
import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import { FrameBatch } from '../../base/frame-batch.ts';
import type { McpConnection } from '../../mcp/connection.ts';
import type { McpManager } from '../../mcp/manager.ts';

/** Sends the page one server's log while it is shown. */
export class LogFollower {
  readonly #send: (more: AppEvents['serverLog']) => void;
  #stop: () => void = () => undefined;

  constructor(send: (more: AppEvents['serverLog']) => void) {
    this.#send = send;
  }

  /** The entries so far; empty if the server does not exist or is not confirmed. Stops following any other server. */
  follow(manager: Pick<McpManager, 'get' | 'onChange'>, server: string): readonly ServerLogEntry[] {
    this.stop();
    const batch = new FrameBatch<ServerLogEntry>((entries) => this.#send({ server, entries, isNew: false }));
    let followed: McpConnection | undefined;
    let endEntries: () => void = () => undefined;
    const take = (connection: McpConnection | undefined) => {
      endEntries();
      batch.take();
      followed = connection;
      endEntries = connection?.log.onEntry((entry) => batch.push(entry)) ?? (() => undefined);
      return connection?.log.entries ?? [];
    };
    const first = take(manager.get(server));
    // A changed entry in config.json replaces the server, with a new log.
    const endChanges = manager.onChange(() => {
      const now = manager.get(server);
      if (now !== followed && now !== undefined) this.#send({ server, entries: take(now), isNew: true });
    });
    this.#stop = () => {
      endChanges();
      endEntries();
      batch.take();
    };
    return first;
  }

  stop(): void {
    this.#stop();
    this.#stop = () => undefined;
  }
}
