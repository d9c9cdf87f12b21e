import type { FetchLike, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/json.ts';
import { fetchResponse, isWithoutBody } from '../../network/fetch-response.ts';
import { type HttpClient, HttpFailure, type OpenHttpResponse } from '../../network/http.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import { LineReader } from '../messages/line-reader.ts';
import { answeredBy, MAX_MESSAGE_BYTES, oversizedAnswer } from '../messages/oversized-message.ts';
import { ServerFailure } from '../status/server-problem.ts';

/** Until the response starts; tools have their own limits. */
const ANSWER_WITHIN_MS = 10 * 60_000;
/** All lines of one event together: the SDK buffers them until the event ends. */
const MAX_EVENT_BYTES = 2 * MAX_MESSAGE_BYTES;
const METHODS = ['GET', 'POST', 'DELETE'];

export interface ServerFetchOptions {
  /** As confirmed by the user. */
  readonly url: string;
  readonly http: Pick<HttpClient, 'access' | 'open'>;
  readonly skipped: (bytes: number) => void;
}

/**
 * `fetch` for one server over our HTTP client. It reaches only the origin the user confirmed, and one on a private network only if
 * the confirmed URL itself names it. A message that is too long is skipped and fails only the call it answers.
 */
export function serverFetch({ url, http, skipped }: ServerFetchOptions): FetchLike {
  const authorized = METHODS.map((method) => http.access(url, method));
  return async (target, init = {}) => {
    const body = typeof init.body === 'string' ? init.body : undefined;
    const response = await http.open(
      {
        url: String(target),
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(body === undefined ? {} : { body }),
        // The SDK follows same-origin redirects itself.
        maxRedirects: 0,
        timeoutMs: ANSWER_WITHIN_MS,
      },
      { signal: init.signal ?? new AbortController().signal, authorized, allowAccess: refuse },
    );
    if (isWithoutBody(response.status)) {
      await response.body[Symbol.asyncIterator]().return?.();
      return fetchResponse(response, null);
    }
    const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
    const content = isStream
      ? streamOf(eventsWithin(response.body, skipped))
      : await wholeBody(response, body, skipped);
    return fetchResponse(response, content);
  };
}

async function refuse(access: NetworkAccess): Promise<never> {
  throw new ServerFailure({ code: 'address_not_allowed', url: access.url });
}

async function wholeBody(
  { body }: OpenHttpResponse,
  request: string | undefined,
  skipped: (bytes: number) => void,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes <= MAX_MESSAGE_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes <= MAX_MESSAGE_BYTES) return Buffer.concat(chunks).toString('utf8');
  skipped(bytes);
  const id = requestId(request);
  if (id === undefined)
    throw new HttpFailure('too_large', `The answer has ${bytes} bytes, and at most ${MAX_MESSAGE_BYTES} are read`);
  return JSON.stringify(oversizedAnswer(id, bytes));
}

function requestId(request: string | undefined): RequestId | undefined {
  const message: unknown = request === undefined ? undefined : JSON.parse(request);
  const id = isRecord(message) ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await texts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    // Takes effect on the next chunk, or with the signal.
    cancel: () => void texts.return(undefined),
  });
}

/** Server-sent events, line by line. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream. */
async function* eventsWithin(body: AsyncIterable<Buffer>, skipped: (bytes: number) => void): AsyncGenerator<string> {
  let ready = '';
  let eventBytes = 0;
  const lines = new LineReader({
    maxBytes: MAX_MESSAGE_BYTES,
    onLine: (line) => {
      ready += `${line}\n`;
      eventBytes = line === '' ? 0 : eventBytes + line.length;
      if (eventBytes > MAX_EVENT_BYTES)
        throw new HttpFailure('too_large', `An event has more than ${MAX_EVENT_BYTES} bytes`);
    },
    onOverlong: ({ bytes, head, tail }) => {
      skipped(bytes);
      const id = answeredBy({ head: head.replace(/^data: ?/, ''), tail });
      if (id !== undefined) ready += `data: ${JSON.stringify(oversizedAnswer(id, bytes))}\n`;
    },
  });
  for await (const chunk of body) {
    lines.add(chunk);
    if (ready !== '') yield ready;
    ready = '';
  }
  lines.end();
  if (ready !== '') yield ready;
}
