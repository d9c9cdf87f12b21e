import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { TimeLimit } from '../base/time-limit.ts';
import { ACCEPTED_ENCODINGS, decoded, readBody } from './body-reader.ts';
import { connectionProblem } from './connection-problem.ts';
import { Connections } from './connections.ts';
import {
  accessTo,
  covers,
  type Destination,
  type Lookup,
  lookUp,
  parseHttpUrl,
  type Surroundings,
  systemLookup,
  writtenDestination,
} from './destination.ts';
import {
  type HttpClient,
  type HttpContext,
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type OpenHttpResponse,
} from './http.ts';
import type { NetworkAccess } from './network-access.ts';
import { type OwnNetworks, systemNetworks } from './own-networks.ts';
import { type Hop, nextHop } from './redirect.ts';

const MAX_REDIRECTS = 5;
const MAX_BYTES = 2_000_000;
const TIMEOUT_MS = 30_000;

const DEFAULT_HEADERS = { accept: '*/*', 'accept-encoding': ACCEPTED_ENCODINGS, 'user-agent': 'Steward' };

/**
 * Set by the connection itself; a caller's values are dropped, as in `fetch`. Above all `Host`: otherwise one host
 * could be allowed and another one on the same address be reached.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface HttpClientOptions {
  /** Resolves host names. */
  readonly lookup?: Lookup;
  /** The networks of this machine, which need a question even if their addresses are public. */
  readonly ownNetworks?: OwnNetworks;
}

/** The client that really connects: no cookies, no proxy, no address that was not classified. */
export function createHttpClient({
  lookup = systemLookup,
  ownNetworks = systemNetworks,
}: HttpClientOptions = {}): HttpClient {
  const surroundings = { lookup, ownNetworks };
  const connections = new Connections();
  return {
    access: (url, method) => accessTo(writtenDestination(parseHttpUrl(url), surroundings), method),
    request: (request, context) => exchange(request, context, { ...surroundings, connections }),
    open: (request, context) => open(request, context, { ...surroundings, connections }),
    connect: async (peer, context) => {
      const { connectToPeer } = await import('./peer-connection.ts');
      return connectToPeer(peer, context, surroundings);
    },
    close: () => connections.close(),
  };
}

interface Network extends Surroundings {
  readonly connections: Connections;
}

async function exchange(request: HttpRequest, context: HttpContext, network: Network): Promise<HttpResponse> {
  const { maxBytes = MAX_BYTES } = request;
  return withinLimits(request, context, async (limits) => {
    const { head, isRedirected, isPrivate, method, contentEncoding, body } = await reach(request, network, limits);
    tellHead(request, head);
    const contentLength = method === 'HEAD' ? undefined : head.headers['content-length'];
    const bytes = await readBody(body, { contentEncoding, contentLength }, maxBytes);
    return { ...head, isRedirected, isPrivate, body: bytes };
  });
}

/** The clock runs until there is an answer; the body may take any time. */
async function open(request: HttpRequest, context: HttpContext, network: Network): Promise<OpenHttpResponse> {
  return withinLimits(request, context, async (limits) => {
    const { head, isRedirected, isPrivate, contentEncoding, body } = await reach(request, network, limits);
    return { ...head, isRedirected, isPrivate, body: decoded(body, contentEncoding) };
  });
}

/** Runs within the request's time limit, and reports failures in our words. */
async function withinLimits<T>(
  { timeoutMs = TIMEOUT_MS, url }: HttpRequest,
  context: HttpContext,
  work: (limits: Leave) => Promise<T>,
): Promise<T> {
  context.signal.throwIfAborted();
  const host = parseHttpUrl(url).hostname;
  const clock = new TimeLimit(timeoutMs);
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, clock.signal, failed.signal]);
  const limits: Leave = { context, allowed: [...context.authorized], clock, signal, host };
  try {
    return await work(limits);
  } catch (error) {
    // Closes a body that was not read to its end.
    failed.abort();
    context.signal.throwIfAborted();
    if (clock.signal.aborted)
      throw new HttpFailure('timed_out', `Request timed out after ${timeoutMs / 1_000} seconds`, { cause: error });
    if (error instanceof EndedByCaller) throw error.cause;
    if (error instanceof HttpFailure) throw error;
    throw new HttpFailure('connection', connectionProblem(error, limits.host), { cause: error });
  } finally {
    clock.stop();
  }
}

/** The final answer after all redirects were followed. */
async function reach(
  request: HttpRequest,
  network: Network,
  limits: Leave,
): Promise<Answer & { readonly isRedirected: boolean; readonly isPrivate: boolean; readonly method: string }> {
  const { maxRedirects = MAX_REDIRECTS } = request;
  let hop = firstHop(request);
  let isPrivate = false;
  for (let redirects = 0; ; redirects++) {
    limits.host = hop.url.hostname;
    const destination = await allowedDestination(hop, redirects > 0, network, limits);
    isPrivate ||= destination.class === 'network-private';
    const answer = await send(hop, destination, network.connections, limits.signal);
    const next = maxRedirects === 0 ? undefined : nextHop(hop, answer.head.status, answer.location);
    if (next === undefined) return { ...answer, isRedirected: redirects > 0, isPrivate, method: hop.method };
    answer.body.destroy();
    if (redirects >= maxRedirects)
      throw new HttpFailure('too_many_redirects', `Too many redirects (max ${maxRedirects})`);
    hop = next;
  }
}

function firstHop({ url, method = 'GET', headers = {}, body = '' }: HttpRequest): Hop {
  const given = Object.entries(headers)
    .map(([name, value]) => [name.trim().toLowerCase(), value] as const)
    .filter(([name]) => !OWN_HEADERS.has(name));
  return {
    url: parseHttpUrl(url),
    method: method.toUpperCase(),
    headers: { ...DEFAULT_HEADERS, ...Object.fromEntries(given) },
    ...(body === '' ? {} : { body }),
  };
}

/** Carries the caller's own error past the handling of network errors. */
class EndedByCaller extends Error {
  override readonly name = 'EndedByCaller';
}

function endedByCaller(cause: unknown): never {
  throw new EndedByCaller('The caller ended the exchange.', { cause });
}

function tellHead({ onHead }: HttpRequest, head: Answer['head']): void {
  try {
    onHead?.(head);
  } catch (error) {
    endedByCaller(error);
  }
}

interface Leave {
  readonly context: HttpContext;
  /** Accesses that were allowed in advance or during the exchange. */
  readonly allowed: NetworkAccess[];
  readonly clock: TimeLimit;
  readonly signal: AbortSignal;
  /** The host of the hop that is being made. */
  host: string;
}

/** The addresses of a hop once it is allowed: first by its URL, then by what the host resolves to. */
async function allowedDestination(
  { url, method }: Hop,
  isRedirected: boolean,
  network: Network,
  leave: Leave,
): Promise<Destination> {
  const written = writtenDestination(url, network);
  const access = accessTo(written, method);
  const granted = await allow(isRedirected ? { ...access, cameUp: 'redirect' } : access, leave);
  const destination = await lookUp(written, network, leave.signal);
  const found = accessTo(destination, method);
  if (!covers(granted, found)) await allow({ ...granted, ...found, cameUp: 'lookup' }, leave);
  return destination;
}

/** The access that covers it, after asking if necessary. */
async function allow(access: NetworkAccess, { context, allowed, clock }: Leave): Promise<NetworkAccess> {
  const covering = allowed.find((each) => covers(each, access));
  if (covering !== undefined) return covering;
  await clock.whileStopped(() => context.allowAccess(access)).catch(endedByCaller);
  allowed.push(access);
  return access;
}

interface Answer {
  readonly head: Pick<HttpResponse, 'url' | 'status' | 'headers'>;
  readonly location: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly body: Readable;
}

async function send(
  { url, method, headers, body }: Hop,
  destination: Destination,
  connections: Connections,
  signal: AbortSignal,
): Promise<Answer> {
  if (destination.addresses.length === 0)
    throw destination.problem ?? new HttpFailure('connection', `The host ${destination.host} has no address`);
  const pool = await connections.to(destination);
  const response = await pool.request({
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers },
    body: body ?? null,
    signal,
  });
  // A discarded body emits an error event, which would otherwise be unhandled.
  response.body.on('error', () => undefined);
  const received = joined(response.headers);
  return {
    head: { url: url.href, status: response.statusCode, headers: received },
    location: firstOf(response.headers.location),
    contentEncoding: received['content-encoding'],
    body: response.body,
  };
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name.toLowerCase(), readable(Array.isArray(value) ? value.join(', ') : value)] as const],
  );
  return Object.fromEntries(entries);
}

/**
 * Header bytes arrive as Latin-1. Servers that send more than ASCII send UTF-8, and browsers read addresses that way.
 */
function readable(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

function firstOf(value: string | string[] | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined ? undefined : readable(first);
}
