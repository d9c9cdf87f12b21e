import type { ServerSignIn } from '../../../src-preload/contract/server-sign-in.ts';
import { type Bridge, sentenceOf } from '../../ui/bridge.ts';

/** Sign-ins and their progress, as reported by main. */
export class SignInStore {
  /** The servers with a URL, by name. */
  servers = $state.raw<ReadonlyMap<string, ServerSignIn>>(new Map());
  /** Failed requests, by server; failed sign-ins are part of the state instead. */
  failures = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** The server being signed out of. */
  leaving = $state<string | null>(null);
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    void this.load();
    return this.#bridge.on('serverSignInChanged', () => void this.load());
  }

  async load(): Promise<void> {
    try {
      const all = await this.#bridge.request('serverSignIn.list', {});
      this.servers = new Map(all.map((each) => [each.server, each]));
    } catch {
      // If it fails, servers still show that they need a sign-in, and the next change reloads.
    }
  }

  /** The current step; `null` if no sign-in is in progress. */
  stepOf(server: string): ServerSignIn['step'] {
    return this.servers.get(server)?.step ?? null;
  }

  isSignedIn(server: string): boolean {
    return this.servers.get(server)?.isSignedIn ?? false;
  }

  /** Why the last sign-in failed. Cancelling is not a failure. */
  problemOf(server: string): string | null {
    const failure = this.failures.get(server);
    if (failure !== undefined) return failure;
    const problem = this.servers.get(server)?.problem ?? null;
    return problem === null || problem.code === 'cancelled' || problem.code === 'not_confirmed'
      ? null
      : problem.message;
  }

  signIn(server: string): Promise<void> {
    return this.#ask('signIn', server);
  }

  cancel(server: string): Promise<void> {
    return this.#ask('cancelSignIn', server);
  }

  signOut(server: string): Promise<void> {
    return this.#ask('signOut', server);
  }

  async #ask(what: 'signIn' | 'cancelSignIn' | 'signOut', server: string): Promise<void> {
    this.failures = new Map([...this.failures].filter(([name]) => name !== server));
    this.leaving = what === 'signOut' ? server : null;
    try {
      const state = await this.#bridge.request(`serverSignIn.${what}`, { server });
      this.servers = new Map(this.servers).set(server, state);
    } catch (error) {
      this.failures = new Map(this.failures).set(server, sentenceOf(error));
    } finally {
      this.leaving = null;
    }
  }
}
