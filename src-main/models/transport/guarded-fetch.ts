import { setImmediate as nextTurn } from 'node:timers/promises';
import { ModelError } from '../provider.ts';
import { limitText, type Service } from './service.ts';

/** Limits that are the same for every provider; only tests replace them. */
export interface ExchangeOptions {
  /**
   * Milliseconds without a byte after which a request is aborted. The default is `IDLE_MS`, unless the provider says
   * otherwise.
   */
  readonly idleMs?: number;
  /** Bytes of one answer as received, after decompression; `MAX_ANSWER_BYTES` by default. */
  readonly maxAnswerBytes?: number;
  readonly fetch?: typeof fetch;
}

export const IDLE_MS = 90_000;
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface FetchGuardOptions {
  readonly fetch: typeof fetch;
  readonly service: Service;
  /** Milliseconds without a byte, counted only while waiting for one. */
  readonly idleMs: number;
  /** The most bytes of a body, after decompression. */
  readonly maxBytes: number;
  /** Headers that are sent with each request, including the key. */
  readonly headers: Readonly<Record<string, string>>;
}

const PASSED_HEADERS = new Set(['accept', 'content-type', 'user-agent', 'anthropic-version']);

/**
 * The only way to a model's service. It adds what fetch and SDKs lack: limits on silence and size, no redirects (they
 * would carry the key to another host), and only the headers that we intend to send (an SDK adds
 * `ANTHROPIC_CUSTOM_HEADERS` from the environment, and facts about this machine). Its errors are of the class
 * `ModelError`, except those of the connection.
 */
export function guardFetch(options: FetchGuardOptions): typeof fetch {
  const { service } = options;
  const guard = new AbortController();

  const fail = (error: ModelError): ModelError => {
    guard.abort(error);
    return error;
  };
  const withinIdleLimit = <T>(step: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      // Rejects independently: an injected fetch may ignore the signal.
      const timer = setTimeout(() => reject(fail(noAnswer(options))), options.idleMs);
      step.then(resolve, reject).finally(() => clearTimeout(timer));
    });

  return async (input, init = {}) => {
    // A larger request is cut off while it is being sent, which looks like a broken connection and would be retried.
    const bytes = typeof init.body === 'string' ? Buffer.byteLength(init.body) : 0;
    if (bytes > (service.maxRequestBytes ?? Number.POSITIVE_INFINITY)) throw requestTooLarge(service, bytes);
    const signal = init.signal ? AbortSignal.any([init.signal, guard.signal]) : guard.signal;
    const headers = chosenHeaders(init.headers, options.headers);
    const response = await withinIdleLimit(options.fetch(input, { ...init, headers, signal, redirect: 'manual' }));
    if (response.status >= 300 && response.status < 400) throw fail(redirected(response, service.host));
    if (response.ok && /^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      throw fail(notTheApi(service));
    }
    if (response.body === null) return response;
    const body = limitedBody(response.body, options, withinIdleLimit, fail);
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

/**
 * The most bytes without the end of a line. A picture or the repetition of a whole answer has a few million. Code that
 * reads lines keeps the bytes until the line ends.
 */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

function limitedBody(
  source: ReadableStream<Uint8Array>,
  { maxBytes, service }: FetchGuardOptions,
  withinIdleLimit: <T>(step: Promise<T>) => Promise<T>,
  fail: (error: ModelError) => ModelError,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const takeTurn = fairTurns();
  let received = 0;
  let lineBytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await takeTurn();
        const { done, value } = await withinIdleLimit(reader.read());
        if (done) {
          controller.close();
          return;
        }
        received += value.byteLength;
        const lineEnd = value.lastIndexOf(LINE_FEED);
        lineBytes = lineEnd < 0 ? lineBytes + value.byteLength : value.byteLength - lineEnd - 1;
        if (received > maxBytes) throw fail(answerTooLarge(service.host, maxBytes));
        if (lineBytes > MAX_LINE_BYTES) throw fail(answerTooLarge(service.host, MAX_LINE_BYTES));
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // The body is read only on demand: otherwise a slow consumer would look like a silent server.
    { highWaterMark: 0 },
  );
}

/** How long an answer that never waits is read before timers, input and Stop get their turn. */
const SLICE_MS = 10;

/** Returns a function that resolves at once, but now and then only after everything else had its turn. */
export function fairTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await nextTurn();
    since = performance.now();
  };
}

function chosenHeaders(given: RequestInit['headers'], ours: Readonly<Record<string, string>>): Headers {
  const chosen = new Headers();
  for (const [name, value] of new Headers(given)) {
    if (PASSED_HEADERS.has(name)) chosen.set(name, value);
  }
  for (const [name, value] of Object.entries(ours)) chosen.set(name, value);
  return chosen;
}

function requestTooLarge({ host, maxRequestBytes }: Service, bytes: number): ModelError {
  return new ModelError(
    'request_too_large',
    `The request is too large for ${host}: ${Math.ceil(bytes / 1024 / 1024)} MB${limitText(maxRequestBytes)}. ` +
      'Start a new conversation, or send fewer or smaller images and files.',
  );
}

function noAnswer({ service: { host }, idleMs }: FetchGuardOptions): ModelError {
  const seconds = Math.max(1, Math.round(idleMs / 1000));
  return new ModelError(
    'no_answer',
    `${host} sent nothing for ${seconds} seconds, so the request was given up. Your message is kept: try again.`,
  );
}

function answerTooLarge(host: string, maxBytes: number): ModelError {
  const size = maxBytes >= 1024 * 1024 ? `${Math.round(maxBytes / 1024 / 1024)} MiB` : `${maxBytes} bytes`;
  return new ModelError(
    'answer_too_large',
    `The answer from ${host} exceeded ${size} and was cut off. Ask for something shorter, or try again.`,
  );
}

function redirected(response: Response, host: string): ModelError {
  const location = response.headers.get('location') ?? '';
  const target = URL.canParse(location) ? new URL(location).host : undefined;
  return new ModelError(
    'bad_request',
    `${host} redirects (HTTP ${response.status}${target ? `, to ${target}` : ''}). The key is not sent to another address: ` +
      'set the final address as base URL if it is right.',
  );
}

function notTheApi({ host, vendor }: Service): ModelError {
  return new ModelError(
    'bad_answer',
    `${host} answered with a web page instead of ${vendor.api}. Check the base URL, or sign in to the network you are on.`,
  );
}
