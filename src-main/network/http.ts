import type { Socket } from 'node:net';
import type { NetworkAccess } from './network-access.ts';
import type { Peer } from './peer.ts';

/** The one HTTP client. Source: tool catalogue B.3, "Shared". */
export interface HttpClient {
  /**
   * The access that a request needs, judged by its URL alone: `network-private` if the host is a private address or a
   * name that is never public. Nothing is looked up, since the name itself can leak data. Throws `HttpFailure`
   * (`scheme`, `url`) for anything but an http or https URL.
   */
  access(url: string, method: string): NetworkAccess;

  /**
   * One exchange, following redirects itself. Each hop (including the first) that `context.authorized` does not cover
   * is passed to `context.allowAccess` before its host is looked up, and again if it turns out to be private; the clock
   * is paused meanwhile. Connects only to the addresses that were looked up for it. A status of 400 or more is not a
   * failure. Rejects with `HttpFailure`, with what `allowAccess` rejected with, with the signal's reason on Stop.
   */
  request(request: HttpRequest, context: HttpContext): Promise<HttpResponse>;

  /**
   * Requests in the same way, but resolves as soon as there is an answer, whose body may continue until the signal
   * aborts. The time limit applies until then. The reader enforces `maxBytes`.
   */
  open(request: HttpRequest, context: HttpContext): Promise<OpenHttpResponse>;

  /**
   * A connection for a command, which says by itself what it needs. `context.isAllowed` is asked before the host is
   * looked up, and again if it turns out to be private. Connects only to the addresses that were looked up for it.
   * Resolves with undefined if it is not allowed. Rejects with the system's error, with the signal's reason on Stop.
   */
  connect(peer: Peer, context: PeerContext): Promise<Socket | undefined>;

  /** Ends idle connections. */
  close(): Promise<void>;
}

export interface PeerContext {
  readonly signal: AbortSignal;
  readonly isAllowed: (reach: PeerReach) => Promise<boolean>;
}

/** Where a connection leads, as far as that is known. */
export interface PeerReach {
  readonly class: NetworkAccess['class'];
  /** It leads to a cloud machine's credentials. */
  readonly isMetadata: boolean;
}

/** What a request needs to know about its caller. */
export interface HttpContext {
  readonly signal: AbortSignal;
  /** Accesses that were allowed in advance. */
  readonly authorized: readonly NetworkAccess[];
  /**
   * Asks the policy about a further access. Resolves if it is allowed; a rejection ends the exchange and is passed on.
   */
  readonly allowAccess: (access: NetworkAccess) => Promise<void>;
}

export interface HttpRequest {
  readonly url: string;
  /** The method, which is GET if it is absent. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The number of redirects to follow, which is 5 if it is absent. With 0, a redirect is returned as the answer. */
  readonly maxRedirects?: number;
  /** The most decoded bytes of the body; 2,000,000 by default. */
  readonly maxBytes?: number;
  /**
   * The limit for the whole exchange including the body, but without the time in which the user is asked. It is 30,000
   * if it is absent.
   */
  readonly timeoutMs?: number;
  /** Called with the last hop's answer before its body is read; what it throws ends the exchange. */
  readonly onHead?: (head: Pick<HttpResponse, 'url' | 'status' | 'headers'>) => void;
}

export interface HttpResponse {
  /** The URL of the last hop. */
  readonly url: string;
  readonly isRedirected: boolean;
  /** At least one hop was on the user's own machine or network. */
  readonly isPrivate: boolean;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decoded (gzip, deflate, br). */
  readonly body: Buffer;
}

/** An answer whose body is still being received. */
export interface OpenHttpResponse extends Omit<HttpResponse, 'body'> {
  /** The body, decoded. A reader that doesn't read to the end must close it (`return`, or the signal). */
  readonly body: AsyncIterable<Buffer>;
}

export type HttpFailureCode =
  | 'url'
  | 'scheme'
  | 'too_large'
  | 'too_many_redirects'
  | 'timed_out'
  /** There was no connection, or it was lost. The message says why. */
  | 'connection';

/** `message` is the catalogue's text without `Error: ` in front. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly code: HttpFailureCode;

  constructor(code: HttpFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
