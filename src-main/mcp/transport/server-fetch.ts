import type { FetchLike, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/json.ts';
import { fetchResponse, isWithoutBody } from '../../network/fetch-response.ts';
import { type HttpClient, isSuccess, type OpenHttpResponse } from '../../network/http.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import {
  faultOfLine,
  MAX_IN_BATCH,
  MAX_MESSAGE_BYTES,
  oversizedAnswer,
  unreadableAnswer,
} from '../messages/oversized-message.ts';
import { ServerFailure } from '../status/server-problem.ts';
import { eventStream } from './event-stream.ts';
import { withoutIntegerMarks } from './exact-integers.ts';
import { ServerPace } from './server-pace.ts';

/** The limit until the response starts. Tools have limits of their own. */
const ANSWER_WITHIN_MS = 10 * 60_000;
/** The limit until a notification or an answer is accepted. A server may begin its work with the first one. */
const ACCEPTED_WITHIN_MS = 30_000;
/** The limit for the body of anything that is not awaited: a notification, an answer, the text of an error. */
const ASIDE_WITHIN_MS = 10_000;
const MAX_ASIDE_BYTES = 16 * 1024;
/** Notifications and answers on their way; each needs a socket. */
const MAX_UNREAD_MESSAGES = 200;
const METHODS = ['GET', 'POST', 'DELETE'];
/** Source: MCP specification 2025-11-25, "Session Management". Longer ones do not fit beside other headers. */
const SESSION_ID = /^[\x21-\x7e]{1,4096}$/;

export interface ServerFetchOptions {
  /** The URL as the user confirmed it. */
  readonly url: string;
  readonly http: Pick<HttpClient, 'access' | 'open'>;
  /**
   * Whether a request is answered in the response to its POST; with the older transport, only the GET's stream has
   * messages.
   */
  readonly answersPosts: boolean;
  /** Receives a description of what is not passed on. */
  readonly skipped: (what: string) => void;
  /** The server asks for more than it reads, so the connection has to be closed. It is called once. */
  readonly onUnread: () => void;
}

/**
 * `fetch` for one server over our HTTP client. It reaches only the origin that the user confirmed, and one on a private
 * network only if the confirmed URL itself names it. What the server sends is limited after decompression: a message
 * that is too long is skipped and fails only the call it answers, a stream without end is slowed down, and of any other
 * body only the beginning is read.
 */
export function serverFetch({ url, http, answersPosts, skipped, onUnread }: ServerFetchOptions): FetchLike {
  const authorized = METHODS.map((method) => http.access(url, method));
  const pace = new ServerPace();
  let unread = 0;
  let isRefused = false;

  const exchange = async (target: string | URL, init: RequestInit, awaits: Awaited): Promise<Response> => {
    const ending = new AbortController();
    const signal =
      init.signal === null || init.signal === undefined ? ending.signal : AbortSignal.any([init.signal, ending.signal]);
    if (awaits === 'stream') await pace.open(signal);
    const response = await http.open(
      {
        url: String(target),
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === 'string' ? { body: withoutIntegerMarks(init.body) } : {}),
        // The SDK follows same-origin redirects itself.
        maxRedirects: 0,
        timeoutMs: awaits === 'nothing' ? ACCEPTED_WITHIN_MS : ANSWER_WITHIN_MS,
      },
      { signal, authorized, allowAccess: refuse },
    );
    try {
      return fetchResponse(checked(response), await content(response, awaits, ending));
    } catch (error) {
      ending.abort();
      throw error;
    }
  };

  const content = async (response: OpenHttpResponse, awaits: Awaited, ending: AbortController) => {
    if (isWithoutBody(response.status)) {
      await response.body[Symbol.asyncIterator]().return?.();
      return null;
    }
    const type = response.headers['content-type'] ?? '';
    const isAwaited = awaits !== 'nothing' && awaits !== 'receipt';
    if (isAwaited && isSuccess(response.status) && response.status !== 202) {
      if (/^text\/event-stream\b/i.test(type)) return eventStream(response.body, { pace, skipped });
      if (awaits !== 'stream' && /^application\/json\b/i.test(type)) return wholeAnswer(response, awaits.id, skipped);
    }
    return beginning(response, ending);
  };

  return async (target, init = {}) => {
    const awaits = awaitedBy(init, answersPosts);
    if (awaits !== 'nothing') return exchange(target, init, awaits);
    if (unread >= MAX_UNREAD_MESSAGES) {
      if (!isRefused) onUnread();
      isRefused = true;
      throw new ServerFailure({ code: 'protocol', reason: 'it does not read what it asks for' });
    }
    unread++;
    return exchange(target, init, awaits).finally(() => {
      unread--;
    });
  };
}

/**
 * What the SDK reads of a response: events, an answer, or only whether the request was accepted (`receipt`) or arrived
 * (`nothing`).
 */
type Awaited = 'stream' | 'receipt' | 'nothing' | { readonly id: RequestId };

function awaitedBy({ method = 'GET', body }: RequestInit, answersPosts: boolean): Awaited {
  if (method === 'GET') return 'stream';
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  if (!isRecord(message) || !('method' in message)) return 'nothing';
  const { id } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return 'nothing';
  return answersPosts ? { id } : 'receipt';
}

async function refuse(access: NetworkAccess): Promise<never> {
  throw new ServerFailure({ code: 'address_not_allowed', url: access.url });
}

/** Throws `ServerFailure` for a session id that could not be sent back. */
function checked(response: OpenHttpResponse): OpenHttpResponse {
  const id = response.headers['mcp-session-id'];
  if (id === undefined || SESSION_ID.test(id)) return response;
  throw new ServerFailure({
    code: 'protocol',
    reason: 'its session id is too long or has other than ASCII characters',
  });
}

/** An answer as JSON. One that is too long or has too many values to be parsed is replaced. */
async function wholeAnswer(
  { body, headers }: OpenHttpResponse,
  id: RequestId,
  skipped: (what: string) => void,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_MESSAGE_BYTES) {
      const stated = headers['content-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 0;
      const known = Math.max(bytes, stated);
      skipped(`a message of ${known} bytes or more`);
      return JSON.stringify(oversizedAnswer(id, known));
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const fault = faultOfLine(text) ?? faultOfBatch(text);
  if (fault === undefined) return text;
  skipped(`a message that is ${fault}`);
  return JSON.stringify(unreadableAnswer(id, fault));
}

/** A batch (revision 2025-03-26) contains several messages, each of which may want an answer. */
function faultOfBatch(text: string): string | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  const batch: unknown = JSON.parse(text);
  const count = Array.isArray(batch) ? batch.length : 0;
  return count > MAX_IN_BATCH ? `a batch of ${count} messages` : undefined;
}

/** As much of a body as arrives soon. The body is then closed. */
async function beginning({ body }: OpenHttpResponse, ending: AbortController): Promise<string> {
  const timer = setTimeout(() => ending.abort(), ASIDE_WITHIN_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ASIDE_BYTES) break;
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, MAX_ASIDE_BYTES).toString('utf8');
}
