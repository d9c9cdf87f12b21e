import type { NetworkAccess } from './network-access.ts';

/** The one HTTP client. Source: tool catalogue B.3, "Shared". */
export interface HttpClient {
  /**
   * What a request would touch, by what is written: the class is `network-private` if the host is a private address or a name
   * that is never public. Nothing is looked up, for the name itself can carry something out. Throws `HttpFailure` (`scheme`,
   * `url`) for what is no http or https URL.
   */
  access(url: string, method: string): NetworkAccess;

  /**
   * One exchange, redirects followed by hand. Each hop (the first too) that `context.authorized` does not cover is put to
   * `context.allowAccess` before its host is looked up, and once more if it turns out to be private; the clock stands
   * meanwhile. Connects to the addresses that were looked up for it and to no others. A status of 400 or more is no failure.
   * Rejects with `HttpFailure`, with what `allowAccess` rejected with, with the signal's reason on Stop.
   */
  request(request: HttpRequest, context: HttpContext): Promise<HttpResponse>;

  /** Ends idle connections. */
  close(): Promise<void>;
}

/** Who asks, as far as a request needs it. */
export interface HttpContext {
  readonly signal: AbortSignal;
  /** What was decided in advance. */
  readonly authorized: readonly NetworkAccess[];
  /** Puts a further access to whoever decides. Resolves if it is allowed; what it rejects with ends the exchange as it is. */
  readonly allowAccess: (access: NetworkAccess) => Promise<void>;
}

export interface HttpRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Redirects that are followed; default 5. 0: a redirect is the answer. */
  readonly maxRedirects?: number;
  /** Decoded bytes of the body; default 2,000,000. */
  readonly maxBytes?: number;
  /** For the whole exchange with the body, less the time in which the person is asked; default 30,000. */
  readonly timeoutMs?: number;
  /** Hears of the last hop's answer before its body is read; what it throws ends the exchange. */
  readonly onHead?: (head: Pick<HttpResponse, 'url' | 'status' | 'headers'>) => void;
}

export interface HttpResponse {
  /** Of the last hop. */
  readonly url: string;
  readonly isRedirected: boolean;
  /** Some hop was on the person's own machine or network. */
  readonly isPrivate: boolean;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded (gzip, deflate, br). */
  readonly body: Buffer;
}

export type HttpFailureCode =
  | 'url'
  | 'scheme'
  | 'too_large'
  | 'too_many_redirects'
  | 'timed_out'
  /** No connection, or it broke off; the message says why. */
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
