import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * A server may report a change of a resource or a list as often as it likes; each report costs checking, logging and
 * reading again.
 */
const ONCE_PER_MS = 250;
/** Resources whose reports are counted at the same time; reports of more are dropped. */
const MAX_URIS = 100;
const LIST_CHANGES = [
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
];

/** Passes on the first report of a change, and after a while one for all that came meanwhile. */
export class RepeatedUpdates {
  readonly #pass: (message: JSONRPCMessage) => void;
  /** The last report that was held back, by URI or list. */
  readonly #held = new Map<string, JSONRPCMessage | undefined>();

  constructor(pass: (message: JSONRPCMessage) => void) {
    this.#pass = pass;
  }

  /** Whether it is held back. */
  holds(message: JSONRPCMessage): boolean {
    const key = changedIn(message);
    if (key === undefined) return false;
    if (this.#held.has(key)) {
      this.#held.set(key, message);
      return true;
    }
    if (this.#held.size >= MAX_URIS && !LIST_CHANGES.includes(key)) return true;
    this.#held.set(key, undefined);
    setTimeout(() => this.#release(key), ONCE_PER_MS).unref();
    return false;
  }

  #release(key: string): void {
    const last = this.#held.get(key);
    this.#held.delete(key);
    if (last !== undefined && !this.holds(last)) this.#pass(last);
  }
}

/** The resource or the list; `undefined` for any other message. */
function changedIn(message: JSONRPCMessage): string | undefined {
  if (!('method' in message)) return undefined;
  if (LIST_CHANGES.includes(message.method)) return message.method;
  const uri = message.method === 'notifications/resources/updated' ? message.params?.uri : undefined;
  return typeof uri === 'string' ? uri : undefined;
}
