import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, RequestId, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/json.ts';
import type { MessageLog } from '../messages/message-log.ts';
import type { MessageMending } from '../messages/message-mending.ts';
import { usable } from '../messages/oversized-message.ts';
import { RepeatedUpdates } from '../messages/repeated-updates.ts';
import { withMarkedIntegers } from './exact-integers.ts';
import type { StdioTransport } from './stdio-transport.ts';

/**
 * Logs and repairs a transport's messages on the way, and passes each response on in the async context of its request:
 * the SDK handles an `input_required` result where the response arrives. Otherwise the SDK can't tell the difference.
 */
export class WatchedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #inner: Transport;
  readonly #mending: MessageMending;
  readonly #log: MessageLog;
  /** Closes the POST of a request, which its server may keep open for ever. */
  readonly #posts = new Map<RequestId, AbortController>();
  /** The server's requests that have no response yet. */
  readonly #open = new Set<RequestId>();
  #isEnding = false;
  #ending: Promise<void> | undefined;
  /** The contexts of requests that have no response yet. */
  readonly #contexts = new Map<RequestId, ReturnType<typeof AsyncLocalStorage.snapshot>>();

  constructor(inner: Transport, mending: MessageMending, log: MessageLog) {
    this.#inner = inner;
    this.#mending = mending;
    this.#log = log;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    const receive: NonNullable<Transport['onmessage']> = (given, extra) => {
      const message = usable(given, (fault) => log.leftOut(given, fault));
      if (message === undefined) return;
      log.add('received', message);
      this.#opened(message);
      if (!('method' in message) && message.id !== undefined) this.#closePost(message.id);
      this.#contextOf(message)(() => this.onmessage?.(mending.received(message), extra));
    };
    const updates = new RepeatedUpdates((message) => receive(message));
    inner.onmessage = (given, extra) => {
      if (!updates.holds(given)) receive(given, extra);
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message) && message.id !== undefined) {
      const isOpen = this.#open.delete(message.id);
      // The request has been answered with an error.
      if (this.#isEnding && !isOpen) return;
    }
    this.#log.add('sent', withoutEntries(message));
    this.#mending.sent(message);
    this.#keepContext(message);
    const id = 'id' in message && 'method' in message ? message.id : undefined;
    // Called when no response will come.
    const forget = () => {
      if (id === undefined) return;
      this.#contexts.delete(id);
      this.#posts.delete(id);
    };
    options?.requestSignal?.addEventListener('abort', forget, { once: true });
    const sent = this.#inner.send(withMarkedIntegers(message), this.#withPost(id, options));
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#closePost(cancelled);
    await sent.catch((error: unknown) => {
      forget();
      throw error;
    });
  }

  /**
   * Answers the server's open requests with an error: nobody will answer them any more. Resolves when that is sent, or
   * after a moment.
   */
  async #answerOpen(): Promise<void> {
    this.#isEnding = true;
    const open = [...this.#open];
    if (open.length === 0) return;
    const error = { code: ENDING, message: 'Steward is closing the connection' };
    const sent = Promise.allSettled(open.map((id) => this.send({ jsonrpc: '2.0', id, error })));
    await Promise.race([sent, delay(ANSWERED_WITHIN_MS, undefined, { ref: false })]);
  }

  #opened(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message && this.#open.size < MAX_OPEN) this.#open.add(message.id);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#open.delete(cancelled);
  }

  #withPost(id: RequestId | undefined, options: TransportSendOptions | undefined): TransportSendOptions | undefined {
    if (id === undefined || !this.hasPerRequestStream) return options;
    const post = new AbortController();
    this.#posts.set(id, post);
    const given = options?.requestSignal;
    return { ...options, requestSignal: given === undefined ? post.signal : AbortSignal.any([given, post.signal]) };
  }

  /** Closes the request after a moment, in which the server may close it and hears of a cancellation. */
  #closePost(id: RequestId): void {
    const post = this.#posts.get(id);
    this.#posts.delete(id);
    if (post !== undefined) setTimeout(() => post.abort(), CLOSE_POST_AFTER_MS).unref();
  }

  #keepContext(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#contexts.set(message.id, AsyncLocalStorage.snapshot());
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#contexts.delete(cancelled);
  }

  #contextOf(message: JSONRPCMessage): (work: () => void) => void {
    if ('method' in message || message.id === undefined) return (work) => work();
    const context = this.#contexts.get(message.id);
    this.#contexts.delete(message.id);
    return context ?? ((work) => work());
  }

  async close(): Promise<void> {
    await this.end();
    await this.#inner.close();
  }

  /** What is to be said before the connection is closed. */
  end(): Promise<void> {
    this.#ending ??= this.#answerOpen();
    return this.#ending;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }
}

const CLOSE_POST_AFTER_MS = 500;
const ANSWERED_WITHIN_MS = 1_000;
/** Requests of a server that are tracked. */
const MAX_OPEN = 1_000;
/** JSON-RPC leaves this range to applications. */
const ENDING = -32_000;

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** What the user entered in a server's form is never logged. */
function withoutEntries(message: JSONRPCMessage): JSONRPCMessage {
  if (
    'result' in message &&
    isRecord(message.result) &&
    message.result.action === 'accept' &&
    'content' in message.result
  )
    return { ...message, result: { ...message.result, content: NOT_LOGGED } };
  if ('params' in message && isRecord(message.params) && 'inputResponses' in message.params)
    return { ...message, params: { ...message.params, inputResponses: NOT_LOGGED } };
  return message;
}

const NOT_LOGGED = '(not logged)';

/** Watches a child process in the same way. The SDK recognises stdio by these two fields. */
export class WatchedStdioTransport extends WatchedTransport {
  readonly #process: StdioTransport;

  constructor(inner: StdioTransport, mending: MessageMending, log: MessageLog) {
    super(inner, mending, log);
    this.#process = inner;
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  get stderr(): StdioTransport['stderr'] {
    return this.#process.stderr;
  }
}
