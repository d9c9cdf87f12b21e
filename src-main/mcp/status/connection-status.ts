import { Listeners } from '../../base/listeners.ts';
import type { ServerLog } from './server-log.ts';
import { mayPass, type ServerProblem, stateProblemText } from './server-problem.ts';
import { BackOff, isConnected, type ServerState } from './server-state.ts';

export interface StatusPorts {
  /** `start` makes the next try after a failure. */
  readonly connection: { readonly name: string; readonly log: ServerLog; start(): Promise<void> };
  /** `log` writes for people. */
  readonly reportTo: { readonly log: (message: string) => void };
}

/** The state of one connection: who hears of it, when it is tried again, and what people are told of its failures. */
export class ConnectionStatus {
  readonly #ports: StatusPorts;
  readonly #listeners = new Listeners();
  readonly #backOff = new BackOff();
  /** Failures that were reported, without their numbers: ports, times and process ids differ from try to try. */
  readonly #reported = new Set<string>();
  /** The server was ready in this session. */
  wasReady = false;
  #state: ServerState = { name: 'off' };
  #retry: NodeJS.Timeout | undefined;

  constructor(ports: StatusPorts) {
    this.#ports = ports;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The listener is called on every change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  change(state: ServerState): void {
    this.#state = state;
    this.wasReady ||= isConnected(state);
    this.note('problem' in state ? stateProblemText(state) : state.name);
    this.tell();
  }

  /**
   * Tries again later, as long as that may help. With `isLost`, the failure is only reported if the server does not
   * come back on its own.
   */
  fail(name: 'failed' | 'listing-failed', problem: ServerProblem, { isLost = false } = {}): void {
    const waitMs = mayPass(problem) ? this.#backOff.next() : undefined;
    const next = waitMs === undefined ? {} : { retryAt: Date.now() + waitMs };
    const state = name === 'failed' ? { name, problem, ...next } : { name, since: Date.now(), problem, ...next };
    if (!isLost || waitMs === undefined) this.#report(state);
    if (waitMs !== undefined) this.#retry = setTimeout(() => void this.#ports.connection.start(), waitMs);
    this.change(state);
  }

  /** The connection is lost; one that lasted is tried again as often as at first. */
  lost(problem: ServerProblem): void {
    this.endRetry();
    if (isConnected(this.#state)) this.#backOff.wasReadyFor(Date.now() - this.#state.since);
    this.fail('failed', problem, { isLost: true });
  }

  endRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  /** A user starts it anew: it may be tried, and fail, as if for the first time. */
  renew(): void {
    this.#backOff.reset();
    this.#reported.clear();
  }

  note(text: string): void {
    this.#ports.connection.log.add({ kind: 'state', text });
  }

  tell(): void {
    this.#listeners.tell();
  }

  /** Each failure once: it may come again with every try. */
  #report(state: Extract<ServerState, { readonly problem: ServerProblem }>): void {
    const text = `MCP server '${this.#ports.connection.name}' ${stateProblemText(state)}`;
    const same = text.replace(/\d+/g, '0');
    if (this.#reported.has(same)) return;
    this.#reported.add(same);
    this.#ports.reportTo.log(text);
  }
}
