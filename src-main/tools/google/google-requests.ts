import { setTimeout as wait } from 'node:timers/promises';
import type { GoogleService } from '../../accounts/google/google-service.ts';
import { fetchResponse } from '../../network/fetch-response.ts';
import {
  type HttpClient,
  type HttpContext,
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  isSuccess,
} from '../../network/http.ts';
import { joinBaseUrl } from '../../settings/endpoints.ts';
import type { ToolContext, Vendors } from '../contract.ts';
import { AccountUnreached } from '../unreached.ts';
import { AccountToken } from './account-token.ts';
import type { GoogleAccounts } from './google-accounts.ts';
import { GoogleFailure, googleProblem, retryAfterSeconds } from './google-failure.ts';

/** What requests to Google need. */
export interface GooglePorts extends Pick<ToolContext, 'signal' | 'allowAccess' | 'onOutput'> {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  readonly google: Pick<GoogleAccounts, 'token'>;
  readonly vendors: Pick<Vendors, 'baseUrlOf'>;
}

export interface GoogleRequester {
  readonly service: GoogleService;
  /** The tool that makes the requests. */
  readonly tool: string;
  /** Whether a POST may be repeated without harm, because what it creates has an id of ours. */
  readonly isRepeatable?: boolean;
  /** The number of retries, 3 by default. Another token after a rejected one is always tried. */
  readonly maxRetries?: number;
  /** Whether to fail instead of asking the user to sign in. */
  readonly isQuiet?: boolean;
  /** Tells whether Google may have begun with the request: true before it is sent, false if its token was rejected. */
  readonly onSent?: (mayHaveBegun: boolean) => void;
}

/** Options for each request of `@googleapis/…`. */
export interface GoogleRequestOptions {
  readonly fetchImplementation: typeof fetch;
  /** Answers are read as JSON, whatever their header says. */
  readonly responseType: 'json';
  /** The library's own retries are off: they neither obey `Retry-After` nor know which POST does no harm twice. */
  readonly retry: false;
  /** Otherwise gaxios loads an agent for the environment's proxy, which is not used. */
  readonly noProxy: RegExp[];
  readonly signal: AbortSignal;
}

const METHODS = ['GET', 'POST'];
/**
 * The most bytes of an answer. A message may have 25 MB (https://support.google.com/mail/answer/6584), in base64 within
 * JSON.
 */
const MAX_BYTES = 50_000_000;
const TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 3;
const FIRST_WAIT_MS = 500;
/** The longest time that a call waits before Google is asked again. */
const MAX_WAIT_MS = 20_000;

/**
 * Sends the API's requests over our HTTP client, to the configured address, with the account's token. Requests that
 * Google wants repeated are repeated a few times. They reject with `GoogleFailure` (as a cause: gaxios wraps it),
 * `SignInFailure`, `HttpFailure`, or the signal's reason.
 */
export function googleRequests(requester: GoogleRequester, ports: GooglePorts): GoogleRequestOptions {
  const account = new AccountRequests(requester, ports);
  return {
    fetchImplementation: async (target, init = {}) => {
      const { pathname, search } = new URL(target instanceof Request ? target.url : target);
      const response = await account.send({
        path: `${pathname}${search}`,
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
      });
      return fetchResponse(response, new Uint8Array(response.body));
    },
    responseType: 'json',
    retry: false,
    noProxy: [/^/],
    signal: ports.signal,
  };
}

interface ApiRequest extends Pick<HttpRequest, 'body'> {
  /** The path, with its query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

class AccountRequests {
  readonly #requester: GoogleRequester;
  readonly #ports: GooglePorts;
  readonly #base: string;
  readonly #context: HttpContext;
  readonly #token: AccountToken;

  constructor(requester: GoogleRequester, ports: GooglePorts) {
    const { http, vendors, google, signal, allowAccess, onOutput } = ports;
    const { service, tool, isQuiet = false } = requester;
    this.#requester = requester;
    this.#ports = ports;
    this.#base = vendors.baseUrlOf('googleApis');
    const authorized = METHODS.map((method) => http.access(joinBaseUrl(this.#base, '/'), method));
    this.#context = { signal, allowAccess, authorized };
    this.#token = new AccountToken(async (rejected) => {
      const token = google.token(service, {
        tool,
        signal,
        ...(rejected === undefined ? {} : { rejected }),
        ...(isQuiet ? { isQuiet } : {}),
        onBrowser: () => onOutput('Continue in your browser to sign in to Google.\n'),
      });
      return token.catch((error: unknown) => {
        throw rejected === undefined ? new AccountUnreached(error) : error;
      });
    });
  }

  async send(request: ApiRequest): Promise<HttpResponse> {
    const { service, isRepeatable = false, maxRetries = DEFAULT_RETRIES } = this.#requester;
    const { signal } = this.#ports;
    const mayRepeat = isRepeatable || request.method === 'GET';
    for (let retries = 0; ; retries++) {
      const attempt = this.#token.use((token) => this.#exchange(request, token));
      const answer = await attempt.catch((error: unknown) => {
        if (!mayRepeat || retries >= maxRetries || !isLostConnection(error)) throw error;
        return undefined;
      });
      if (answer !== undefined && isSuccess(answer.status)) return answer;
      const pause = answer === undefined ? undefined : retryAfterSeconds(answer);
      const waitMs = pause === undefined ? backOff(retries) : pause * 1_000;
      if (answer !== undefined) {
        const problem = googleProblem(service, answer.status, answer.body.toString('utf8'), pause);
        // Google has not even begun with a request that was one too many.
        const isTemporary = problem.code === 'too_many_requests' || (mayRepeat && problem.code === 'unavailable');
        if (!isTemporary || retries >= maxRetries || waitMs > MAX_WAIT_MS) throw new GoogleFailure(problem);
      }
      await wait(waitMs, undefined, { signal });
    }
  }

  async #exchange({ path, method, headers, body }: ApiRequest, token: string): Promise<HttpResponse> {
    const { onSent } = this.#requester;
    onSent?.(true);
    const answer = await this.#ports.http.request(
      {
        url: joinBaseUrl(this.#base, path),
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body }),
        // The token is sent only to the configured address.
        maxRedirects: 0,
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
      },
      this.#context,
    );
    onSent?.(answer.status !== 401);
    return answer;
  }
}

function isLostConnection(error: unknown): boolean {
  return error instanceof HttpFailure && error.code === 'connection';
}

/** Half of the wait is random, so that requests which failed together don't come back together. */
function backOff(retries: number): number {
  return FIRST_WAIT_MS * 2 ** retries * (0.5 + Math.random() / 2);
}
