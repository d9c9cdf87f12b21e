import type { ServerSignIn } from '../../../src-preload/contract/server-sign-in.ts';
import { type Bridge, sentenceOf } from '../../ui/bridge.ts';

/** Who is signed in where, and how far a sign-in is, as main reports it. */
export class SignInStore {
  /** Of servers with a URL, by name. */
  servers = $state.raw<ReadonlyMap<string, ServerSignIn>>(new Map());
  /** A request that failed, by server; not a sign-in that did not work, which is part of the state. */
  failures = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** The server that is being signed out of. */
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
      // Without it a server still says that it needs a sign-in, and the next change loads again.
    }
  }

  /** How far it is; `null`: nobody is signing in. */
  stepOf(server: string): ServerSignIn['step'] {
    return this.servers.get(server)?.step ?? null;
  }

  isSignedIn(server: string): boolean {
    return this.servers.get(server)?.isSignedIn ?? false;
  }

  /** Why the last sign-in did not work. What the person ended is not a failure. */
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
