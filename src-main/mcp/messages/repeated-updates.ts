import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** A server may report a change of a resource as often as it likes; each report costs parsing, checking and logging. */
const ONCE_PER_MS = 250;
/** Resources whose reports are counted at the same time; reports of more are dropped. */
const MOST_URIS = 100;

/** Passes on the first report of a resource's change, and after a while one for all that came meanwhile. */
export class RepeatedUpdates {
  readonly #pass: (message: JSONRPCMessage) => void;
  /** By URI: the last report that was held back. */
  readonly #held = new Map<string, JSONRPCMessage | undefined>();

  constructor(pass: (message: JSONRPCMessage) => void) {
    this.#pass = pass;
  }

  /** Whether it is held back. */
  holds(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/resources/updated') return false;
    const uri = message.params?.uri;
    if (typeof uri !== 'string') return false;
    if (this.#held.has(uri)) {
      this.#held.set(uri, message);
      return true;
    }
    if (this.#held.size >= MOST_URIS) return true;
    this.#held.set(uri, undefined);
    setTimeout(() => this.#release(uri), ONCE_PER_MS).unref();
    return false;
  }

  #release(uri: string): void {
    const last = this.#held.get(uri);
    this.#held.delete(uri);
    if (last !== undefined && !this.holds(last)) this.#pass(last);
  }
}
