import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { RunningSignIns, type SignInProgress, type SignInRun } from '../../accounts/running-sign-ins.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import { canonicalHash } from '../../base/canonical-json.ts';
import type { HttpClient } from '../../network/http.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { browserSignIn, type SignInQuestion, type SignInStep } from './browser-sign-in.ts';
import { ServerAccount } from './server-account.ts';
import { signInFailure } from './sign-in-errors.ts';
import { SignInRecords } from './sign-in-records.ts';

export interface SignInsPorts {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  readonly secrets: Pick<Secrets, 'get' | 'set' | 'remove'>;
  readonly secretOf: (server: string, name: string) => Promise<string | undefined>;
  /** The confirmed entry of a server, or undefined if there is no such server. */
  readonly configOf: (server: string) => McpServerConfig | undefined;
  /** The absolute path. */
  readonly locksFolder: string;
  readonly confirm: (server: string, question: SignInQuestion, signal: AbortSignal) => Promise<boolean>;
  readonly confirmPrivate: (server: string, url: string, signal: AbortSignal) => Promise<boolean>;
  /** `undefined` if no user is present. */
  readonly openBrowser: ((url: string) => Promise<void>) | undefined;
  readonly now: () => number;
}

/** The accounts for all remote servers, and the sign-ins in progress: at most one per server. */
export class SignIns {
  readonly #ports: SignInsPorts;
  readonly #accounts = new Map<string, { readonly hash: string; readonly account: ServerAccount }>();
  readonly #running = new RunningSignIns<string, SignInStep>(signInFailure);
  /** Scopes the user declined, by server: calls don't ask for them again. */
  readonly #declined = new Map<string, string>();

  constructor(ports: SignInsPorts) {
    this.#ports = ports;
  }

  /** The listener is called on every step of a sign-in. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#running.onChange(listener);
  }

  progress(server: string): SignInProgress<SignInStep> {
    return this.#running.progress(server);
  }

  async isSignedIn(server: string): Promise<boolean> {
    return (await this.account(server)?.record()) !== undefined;
  }

  /** `undefined` if the server has no URL. */
  account(server: string): ServerAccount | undefined {
    const { url, oauth } = this.#ports.configOf(server) ?? {};
    if (url === undefined) return undefined;
    const hash = canonicalHash({ url, oauth });
    const known = this.#accounts.get(server);
    if (known?.hash === hash) return known.account;
    known?.account.close();
    const { http, secrets, secretOf, locksFolder, now } = this.#ports;
    const lock = createHash('sha256').update(server).digest('hex').slice(0, 16);
    const account = new ServerAccount({
      url,
      oauth,
      http,
      now,
      records: new SignInRecords(secrets, server),
      secretOf: (name) => secretOf(server, name),
      lockFile: join(locksFolder, `mcp-${lock}.lock`),
    });
    this.#accounts.set(server, { hash, account });
    return account;
  }

  /**
   * Starts a sign-in, or joins the one in progress; only on the user's request. Resolves when there are tokens; rejects
   * with `SignInFailure`.
   */
  signIn(server: string): Promise<void> {
    this.#declined.delete(server);
    return this.#begin(server, true);
  }

  /** Cancels the sign-in in progress, if any. */
  cancel(server: string): void {
    this.#running.cancel(server);
  }

  /** Deletes the tokens and Steward's registration, and notifies the service. */
  async signOut(server: string): Promise<void> {
    this.cancel(server);
    await this.account(server)?.signOut();
    this.#running.report(server, undefined);
  }

  /** Deletes the sign-in and registration of a server that was removed. Rejects with `SecretsError`. */
  async forget(server: string): Promise<void> {
    this.cancel(server);
    const { secrets } = this.#ports;
    const known = this.#accounts.get(server)?.account;
    this.#accounts.delete(server);
    if (known !== undefined) return known.signOut();
    const records = new SignInRecords(secrets, server);
    await records.removeTokens();
    await records.removeRegistration();
  }

  /**
   * Asks the user for the scopes the server's last response asked for. Resolves to whether they were granted; false
   * without asking if nothing is missing, if they were declined before, or if no user is present.
   */
  async stepUp(server: string, signal: AbortSignal): Promise<boolean> {
    const missing = await this.account(server)?.missingScopes();
    if (missing === undefined || missing.length === 0 || this.#ports.openBrowser === undefined) return false;
    const scopes = missing.join(' ');
    if (this.#declined.get(server) === scopes) return false;
    // A sign-in the user started continues without the call.
    const isJoined = this.#running.isRunning(server);
    const cancel = () => {
      if (!isJoined) this.cancel(server);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await this.#begin(server, false);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      const { code } = signInFailure(error).problem;
      if (code === 'not_confirmed' || code === 'denied') this.#declined.set(server, scopes);
      return false;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Cancels everything, including waiting for a browser. */
  async close(): Promise<void> {
    for (const { account } of this.#accounts.values()) account.close();
    await this.#running.close();
  }

  #begin(server: string, isUserActing: boolean): Promise<void> {
    return this.#running.begin(server, async (run) => {
      await this.#signIn(server, isUserActing, run);
      return undefined;
    });
  }

  async #signIn(server: string, isUserActing: boolean, { signal, onStep }: SignInRun<SignInStep>): Promise<void> {
    const { confirm, confirmPrivate, openBrowser } = this.#ports;
    const account = this.account(server);
    if (account === undefined || openBrowser === undefined)
      throw new SignInFailure({ code: 'browser_not_opened', reason: 'no user is present' });
    const missing = await account.missingScopes();
    const ports = {
      confirm: (question: SignInQuestion) => confirm(server, question, signal),
      confirmPrivate: (url: string) => confirmPrivate(server, url, signal),
      onStep,
      openBrowser,
      signal,
      isUserActing,
    };
    await browserSignIn(account, ports, missing.length === 0 ? undefined : missing.join(' '));
  }
}
