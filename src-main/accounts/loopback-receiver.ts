import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { systemCode } from '../base/errors.ts';
import { type Clocks, LifeTime } from './life-time.ts';
import { loopbackPage, type PageOutcome } from './loopback-page.ts';
import { SignInFailure } from './sign-in-problem.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';
const LIFE_MINUTES = 5;
const STATE_BYTES = 32;
/** A browser needs two or three. */
const MAX_CONNECTIONS = 20;
/** A code is usually a few hundred characters, rarely a few thousand. */
const MAX_HEADER_BYTES = 32_768;

export interface LoopbackOptions {
  /** The redirect port. Without this, it is any free one. */
  readonly port?: number;
  /** Cancels the wait. */
  readonly signal: AbortSignal;
  /** Tests set this. */
  readonly lifeMs?: number;
  readonly clocks?: Clocks;
}

/** The browser's request. */
export interface Callback {
  /** The parameters of the redirect. None of them is repeated, and `state` has been checked. */
  readonly parameters: URLSearchParams;
  /** Shows the user the outcome. Only the first call counts. */
  readonly answer: (outcome: 'signed-in' | 'denied' | 'failed') => void;
}

/**
 * Waits on this machine for the redirect of one sign-in. Source: RFC 8252 sections 7.3 and 8.3. Requests from elsewhere
 * (another program, a page in the browser) have no effect, since only the service knows `state`.
 */
export class LoopbackReceiver {
  /** It is `http://127.0.0.1:PORT/callback`. */
  readonly redirectUri: string;
  readonly port: number;
  /** The value that goes along with the request and must come back. */
  readonly state = randomBytes(STATE_BYTES).toString('base64url');
  readonly #server: Server;
  readonly #life: LifeTime;
  readonly #signal: AbortSignal;
  readonly #arrived: Promise<Callback>;
  #arrive: (callback: Callback) => void = () => undefined;
  #giveUp: (reason: unknown) => void = () => undefined;
  #answer: ((outcome: PageOutcome) => void) | undefined;

  /** Rejects with `SignInFailure` (`port_taken`), or with the signal's reason. */
  static async open(options: LoopbackOptions): Promise<LoopbackReceiver> {
    const { port = 0, signal } = options;
    signal.throwIfAborted();
    const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 10_000, requestTimeout: 10_000 });
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenFailure(error, port)));
      server.listen({ host: HOST, port, exclusive: true }, resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port');
    return new LoopbackReceiver(server, address.port, options);
  }

  private constructor(
    server: Server,
    port: number,
    { signal, lifeMs = LIFE_MINUTES * 60_000, clocks }: LoopbackOptions,
  ) {
    this.#server = server;
    this.port = port;
    this.redirectUri = `http://${HOST}:${port}${PATH}`;
    this.#signal = signal;
    this.#life = new LifeTime(lifeMs, () => this.#fail(expired()), clocks);
    this.#arrived = new Promise((resolve, reject) => {
      this.#arrive = resolve;
      this.#giveUp = reject;
    });
    // Prevents an unhandled rejection if nothing is waiting yet.
    this.#arrived.catch(() => undefined);
    server.on('error', (error) => this.#fail(error));
    server.on('request', (request, response) => this.#received(request, response));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** The one callback of this sign-in. Rejects with `SignInFailure` (`expired`), or with the signal's reason. */
  callback(): Promise<Callback> {
    return this.#arrived;
  }

  /** Stops waiting. A page that is still loading shows a failure. */
  close(): void {
    this.#life.stop();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#answer?.('failed');
    this.#server.close();
    this.#server.closeIdleConnections();
    this.#giveUp(new SignInFailure({ code: 'cancelled' }));
  }

  readonly #onAbort = () => this.#fail(this.#signal.reason);

  #fail(error: unknown): void {
    this.#giveUp(error);
    this.close();
  }

  #received(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const parameters = this.#callbackIn(request);
    if (parameters === undefined) show(response, 'not-ours');
    else if (this.#life.isOver) {
      show(response, 'failed');
      this.#fail(expired());
    } else if (this.#answer === undefined) this.#take(parameters, response);
    else show(response, 'used');
  }

  #take(parameters: URLSearchParams, response: ServerResponse): void {
    let isAnswered = false;
    this.#answer = (outcome) => {
      if (!isAnswered) show(response, outcome);
      isAnswered = true;
    };
    this.#arrive({ parameters, answer: this.#answer });
  }

  /** `undefined` for anything but the callback of this sign-in. */
  #callbackIn({ method, headers, url = '' }: IncomingMessage): URLSearchParams | undefined {
    // DNS rebinding: a web page can reach this port under its own host name, which is then the Host header.
    if (method !== 'GET' || headers.host !== `${HOST}:${this.port}`) return undefined;
    // A redirect is a navigation, which has no Origin (browsers that once sent one sent `null`); a page's request does.
    if (headers.origin !== undefined && headers.origin !== 'null') return undefined;
    const queryAt = url.indexOf('?');
    if (queryAt < 0 || url.slice(0, queryAt) !== PATH) return undefined;
    const parameters = new URLSearchParams(url.slice(queryAt));
    // RFC 6749 section 3.1: parameters must not repeat.
    if (new Set(parameters.keys()).size !== [...parameters.keys()].length) return undefined;
    return isSame(parameters.get('state') ?? '', this.state) ? parameters : undefined;
  }
}

function expired(): SignInFailure {
  return new SignInFailure({ code: 'expired', minutes: LIFE_MINUTES });
}

function listenFailure(error: Error, port: number): Error {
  const isTaken = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes(systemCode(error));
  return isTaken ? new SignInFailure({ code: 'port_taken', port }, { cause: error }) : error;
}

function show(response: ServerResponse, outcome: PageOutcome): void {
  const { status, headers, body } = loopbackPage(outcome);
  response.writeHead(status, headers).end(body);
}

/** Compares in constant time, so that a caller can't guess the value piece by piece. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
