import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { LoggedMessage } from '../../../src-preload/contract/server-diagnostics.ts';
import { sizeOf } from '../../base/approximate-size.ts';
import type { LogEntry } from '../status/server-log.ts';
import { excerpt } from './excerpt.ts';
import { MAX_MESSAGE_BYTES } from './oversized-message.ts';

type Direction = 'sent' | 'received';

/** Open requests that are tracked; the oldest are dropped. */
const MAX_OPEN = 1_000;

/** Writes the messages of one connection to its log, with each response next to its request. */
export class MessageLog {
  readonly #log: (entry: LogEntry) => void;
  readonly #redact: (text: string) => string;
  readonly #now: () => number;
  /** The requests that have no response yet, by sender and id. */
  readonly #open = new Map<string, { readonly method: string; readonly at: number }>();

  constructor(
    log: (entry: LogEntry) => void,
    redact: (text: string) => string,
    now: () => number = () => performance.now(),
  ) {
    this.#log = log;
    this.#redact = redact;
    this.#now = now;
  }

  add(direction: Direction, message: JSONRPCMessage): void {
    this.#log({ kind: direction, text: excerpt(message, this.#redact), message: this.#factsOf(direction, message) });
  }

  /** Only the method of a skipped message is read. */
  leftOut(message: JSONRPCMessage, fault: string): void {
    const what = 'method' in message ? String(message.method) : 'a response without a request';
    this.#log({ kind: 'skipped', text: `a message that is ${fault}: ${what}` });
  }

  #factsOf(direction: Direction, message: JSONRPCMessage): LoggedMessage {
    const bytes = Math.min(sizeOf(message, MAX_MESSAGE_BYTES), MAX_MESSAGE_BYTES);
    if ('method' in message) {
      const { method } = message;
      if (!('id' in message)) return { kind: 'notification', method, bytes };
      this.#asked(`${direction} ${message.id}`, method);
      return { kind: 'request', method, id: message.id, bytes };
    }
    const kind = 'error' in message ? 'error' : 'result';
    const { id } = message;
    if (id === undefined) return { kind, bytes };
    const request = this.#answered(`${direction === 'sent' ? 'received' : 'sent'} ${id}`);
    return { kind, id, bytes, ...request };
  }

  #asked(key: string, method: string): void {
    this.#open.set(key, { method, at: this.#now() });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }

  #answered(key: string): Pick<LoggedMessage, 'method' | 'afterMs'> {
    const request = this.#open.get(key);
    this.#open.delete(key);
    return request === undefined ? {} : { method: request.method, afterMs: Math.round(this.#now() - request.at) };
  }
}
