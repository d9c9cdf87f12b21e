import { isRecord } from '../../base/json.ts';
import { ModelError } from '../provider.ts';
import { record } from './answer-fields.ts';
import { ReportedError } from './error-shape.ts';
import type { Service } from './service.ts';
import { limitText } from './vendor-failure.ts';
import { fairTurns, WholeEvents } from './whole-events.ts';

/**
 * The only way for a vendor's SDK to reach the network. It adds what SDKs lack: limits on silence and size, no
 * redirects (they would carry the key to another host), and only the headers that we intend to send (SDKs add
 * `ANTHROPIC_CUSTOM_HEADERS` or `OPENAI_CUSTOM_HEADERS` from the environment, the account of the environment, and facts
 * about this machine).
 */
export interface FetchGuard {
  readonly fetch: typeof fetch;
  /** Why the guard ended the exchange; the SDK does not pass such reasons on. */
  readonly failure: () => ModelError | undefined;
}

/** The same for every provider; only tests replace them. */
export interface ExchangeOptions {
  /**
   * Milliseconds without a byte after which a request is aborted; default: `IDLE_MS`, where the provider says nothing
   * else.
   */
  readonly idleMs?: number;
  /** For one answer as received, decompressed; default `MAX_ANSWER_BYTES`. */
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
  /** Limit for the decompressed body. */
  readonly maxBytes: number;
  /**
   * An SDK reads the answers as server-sent events, whatever their header says. This turns an answer that came as a
   * whole, as JSON, into the events that it would have been streamed as; without any, it is no answer of this API.
   */
  readonly eventsOf?: (answer: unknown) => readonly StreamEvent[];
  /** Sent with each request, the key among them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One server-sent event. */
export interface StreamEvent {
  /** Its `event` field, for services whose SDK tells events by it. */
  readonly name?: string;
  readonly data: unknown;
}

const PASSED_HEADERS = new Set(['accept', 'content-type', 'user-agent', 'anthropic-version']);

export function guardFetch(options: FetchGuardOptions): FetchGuard {
  const { service } = options;
  let failure: ModelError | undefined;
  const guard = new AbortController();

  const fail = (error: ModelError): ModelError => {
    failure ??= error;
    guard.abort(failure);
    return failure;
  };
  const withinIdleLimit = <T>(step: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      // Rejects independently: an injected fetch may ignore the signal.
      const timer = setTimeout(() => reject(fail(noAnswer(options))), options.idleMs);
      step.then(resolve, reject).finally(() => clearTimeout(timer));
    });

  const guarded: typeof fetch = async (input, init = {}) => {
    // A larger request is cut off while it is being sent, which looks like a broken connection and would be retried.
    const bytes = typeof init.body === 'string' ? Buffer.byteLength(init.body) : 0;
    if (bytes > (service.maxRequestBytes ?? Number.POSITIVE_INFINITY)) throw fail(requestTooLarge(service, bytes));
    const signal = init.signal ? AbortSignal.any([init.signal, guard.signal]) : guard.signal;
    const headers = chosenHeaders(init.headers, options.headers);
    const response = await withinIdleLimit(options.fetch(input, { ...init, headers, signal, redirect: 'manual' }));
    if (response.status >= 300 && response.status < 400) throw fail(redirected(response, service.host));
    if (response.ok && /^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      throw fail(notTheApi(service));
    }
    if (response.body === null) return response;
    const limited = limitedBody(response.body, options, withinIdleLimit, fail);
    const { eventsOf } = options;
    const body = response.ok && eventsOf ? wholeEventsOf(limited, { ...options, eventsOf }, fail) : limited;
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
  return { fetch: guarded, failure: () => failure };
}

function limitedBody(
  source: ReadableStream<Uint8Array>,
  { maxBytes, service }: FetchGuardOptions,
  withinIdleLimit: <T>(step: Promise<T>) => Promise<T>,
  fail: (error: ModelError) => ModelError,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let received = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await withinIdleLimit(reader.read());
        if (done) {
          controller.close();
          return;
        }
        received += value.byteLength;
        if (received > maxBytes) throw fail(answerTooLarge(service.host, maxBytes));
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Reads only on demand: otherwise a slow consumer would look like a silent server.
    { highWaterMark: 0 },
  );
}

/** Bytes of one event. A picture or the repetition of a whole answer has a few million. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

function wholeEventsOf(
  source: ReadableStream<Uint8Array>,
  { service, maxBytes, eventsOf }: FetchGuardOptions & Required<Pick<FetchGuardOptions, 'eventsOf'>>,
  fail: (error: ModelError) => ModelError,
): ReadableStream<Uint8Array> {
  const most = Math.min(maxBytes, MAX_EVENT_BYTES);
  const events = new WholeEvents(most);
  const takeTurn = fairTurns();
  const reader = source.getReader();
  let hasEvents = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          await takeTurn();
          const event = events.take();
          if (event !== undefined) {
            hasEvents = true;
            return controller.enqueue(event);
          }
          const { done, value } = await reader.read();
          if (done) {
            const rest = events.rest();
            const whole = hasEvents ? undefined : parsedJson(Buffer.from(rest).toString('utf8').trim());
            if (whole !== undefined)
              controller.enqueue(asEventStream(whole, eventsOf, () => fail(notAnAnswer(service))));
            else if (rest.length > 0) controller.enqueue(rest);
            return controller.close();
          }
          if (!events.push(value)) throw fail(answerTooLarge(service.host, most));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Some services and gateways don't stream, or fail before they do, and answer 200 with JSON. SDKs find no event in it,
 * which looks like a lost connection. Throws what the service reported, or `notAnAnswer()`.
 */
function asEventStream(
  answer: unknown,
  eventsOf: (answer: unknown) => readonly StreamEvent[],
  notAnAnswer: () => ModelError,
): Uint8Array {
  const { error } = record(Array.isArray(answer) ? answer[0] : answer);
  if (typeof error === 'string') throw new ReportedError({ message: error });
  if (isRecord(error)) throw new ReportedError(error);
  const events = eventsOf(answer);
  if (events.length === 0) throw notAnAnswer();
  const lines = events.map(({ name, data }) => {
    const field = name === undefined ? '' : `event: ${name}\n`;
    return `${field}data: ${JSON.stringify(data)}\n\n`;
  });
  return Buffer.from(lines.join(''));
}

function parsedJson(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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

function notAnAnswer({ host, vendor }: Service): ModelError {
  return new ModelError(
    'bad_answer',
    `${host} answered with JSON that is no answer of ${vendor.api}. Check the base URL.`,
  );
}

function notTheApi({ host, vendor }: Service): ModelError {
  return new ModelError(
    'bad_answer',
    `${host} answered with a web page instead of ${vendor.api}. Check the base URL, or sign in to the network you are on.`,
  );
}
