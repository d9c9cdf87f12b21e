import { randomUUID } from 'node:crypto';
import type { ClientHost, ClientRequest, HostResponse } from './records.ts';

/** Source: tool catalogue D.1 ("config"). */
export interface InvocationSettings {
  readonly invokeTimeoutMs: number;
  readonly strategy: 'FallbackMessage' | 'FailFast' | 'RetryWithBackoff';
  readonly maxRetries: number;
  /** The text of a result that does not arrive, in which `{0}` stands for the tool. */
  readonly fallbackTemplate: string;
}

/**
 * How a call ended. If the client did not answer or is gone, it is `unavailable` if the turn goes on, and `failed` if
 * the turn ends. `text` is for the model.
 */
export type InvocationEnd =
  | { readonly kind: 'answered'; readonly response: HostResponse }
  | { readonly kind: 'unavailable' | 'failed' | 'cancelled'; readonly text: string };

export interface Invocation extends Omit<ClientRequest, 'requestId'> {
  /** The client that is asked, now. */
  readonly host: () => ClientHost | undefined;
  readonly signal: AbortSignal;
}

const FIRST_BACKOFF_MS = 1_000;
/** A client that sends nonsense all day must not fill the log. */
const MAX_LOGGED = 20;

interface Waiting {
  readonly call: Invocation;
  readonly request: ClientRequest;
  /** The client that was asked, or undefined if none was connected. */
  host: ClientHost | undefined;
  retries: number;
  /** The next attempt is due: a disconnect changes nothing. */
  isBackingOff: boolean;
  stopTimer: () => void;
  end: (end: InvocationEnd) => void;
}

/** The calls that wait for a client's answer. Source: tool catalogue D.5. */
export class Invocations {
  readonly #waiting = new Map<string, Waiting>();
  readonly #settings: () => InvocationSettings;
  readonly #log: (message: string) => void;
  #logged = 0;

  constructor(settings: () => InvocationSettings, log: (message: string) => void) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Never rejects. */
  async call(call: Invocation): Promise<InvocationEnd> {
    if (call.signal.aborted) return cancelled(call);
    const { host: _, signal, ...details } = call;
    const request: ClientRequest = { requestId: randomUUID(), ...details };
    return new Promise((resolve) => {
      const onAbort = () => {
        this.#tellCancelled(waiting);
        waiting.end(cancelled(call));
      };
      const waiting: Waiting = {
        call,
        request,
        host: undefined,
        retries: 0,
        isBackingOff: false,
        stopTimer: () => undefined,
        end: (end) => {
          waiting.stopTimer();
          signal.removeEventListener('abort', onAbort);
          this.#waiting.delete(request.requestId);
          resolve(end);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(request.requestId, waiting);
      this.#send(waiting);
    });
  }

  /** Returns the answered call's id if `host` was asked and the answer is the first. */
  answer(response: HostResponse, host: ClientHost): boolean {
    const waiting = this.#waiting.get(response.requestId);
    if (waiting === undefined || waiting.host !== host) {
      this.#note(`The client ${host.name} answered a request that does not wait for it: ${response.requestId}`);
      return false;
    }
    waiting.end({ kind: 'answered', response });
    return true;
  }

  disconnected(host: ClientHost): void {
    for (const waiting of [...this.#waiting.values()])
      if (waiting.host === host && !waiting.isBackingOff) this.#unanswered(waiting);
  }

  #send(waiting: Waiting): void {
    waiting.stopTimer();
    waiting.isBackingOff = false;
    waiting.host = waiting.call.host();
    if (waiting.host?.isConnected !== true) {
      this.#unanswered(waiting);
      return;
    }
    if (waiting.host.ownCode?.isPatient?.(waiting.call.toolName) !== true)
      waiting.stopTimer = timer(this.#settings().invokeTimeoutMs, () => this.#unanswered(waiting));
    try {
      waiting.host.request(waiting.request);
    } catch {
      this.#unanswered(waiting);
    }
  }

  /** Answers a call that timed out, or whose client is gone. */
  #unanswered(waiting: Waiting): void {
    waiting.stopTimer();
    const { strategy, maxRetries, fallbackTemplate } = this.#settings();
    const { toolName } = waiting.request;
    if (strategy === 'RetryWithBackoff' && waiting.retries < maxRetries) {
      const waitMs = FIRST_BACKOFF_MS * 2 ** waiting.retries;
      waiting.retries += 1;
      waiting.isBackingOff = true;
      waiting.stopTimer = timer(waitMs, () => this.#send(waiting));
      return;
    }
    this.#tellCancelled(waiting);
    if (strategy === 'FallbackMessage')
      waiting.end({ kind: 'unavailable', text: fallbackTemplate.replaceAll('{0}', () => toolName) });
    else if (strategy === 'FailFast')
      waiting.end({ kind: 'failed', text: `Client tool '${toolName}' timed out waiting for response.` });
    else waiting.end({ kind: 'failed', text: `Client tool '${toolName}' timed out.` });
  }

  #tellCancelled({ host, request }: Waiting): void {
    if (host?.isConnected !== true) return;
    try {
      host.cancel(request.requestId);
    } catch {
      this.#note(`The client ${host.name} could not be told that a call ended`);
    }
  }

  #note(message: string): void {
    this.#logged += 1;
    if (this.#logged <= MAX_LOGGED) this.#log(message);
  }
}

function cancelled({ toolName }: Pick<Invocation, 'toolName'>): InvocationEnd {
  return { kind: 'cancelled', text: `Client tool '${toolName}' was cancelled.` };
}

/** Returns a function that calls it off. */
function timer(ms: number, work: () => void): () => void {
  const timeout = setTimeout(work, ms);
  return () => clearTimeout(timeout);
}
