import { join } from 'node:path';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { RunningSignIns, type SignInProgress } from '../running-sign-ins.ts';
import { asSignInFailure } from '../sign-in-failure.ts';
import { SignInFailure } from '../sign-in-problem.ts';
import { GoogleAccount, type SignInEnding } from './google-account.ts';
import type { GoogleClient } from './google-client.ts';
import { type GoogleRecord, GoogleRecords } from './google-record.ts';
import { type GoogleService, googleServices } from './google-service.ts';
import { type GoogleSignInPorts, type GoogleSignInStep, googleSignIn } from './google-sign-in.ts';
import { GoogleSignInRequests, type GoogleSignInRequestsPorts } from './google-sign-in-requests.ts';

export interface GoogleSignInsPorts extends GoogleSignInRequestsPorts, Pick<GoogleSignInPorts, 'receiver'> {
  readonly secrets: Pick<Secrets, 'get' | 'set' | 'remove'>;
  /** The absolute path. */
  readonly locksFolder: string;
  /**
   * Asks whether the browser may be opened. `tool` is the call that needs it, or undefined if the user wants to
   * connect.
   */
  readonly confirm: (
    service: GoogleService,
    question: { readonly tool: string | undefined; readonly signInAt: string },
    signal: AbortSignal,
  ) => Promise<boolean>;
  /** `undefined` if no user is present. */
  readonly openBrowser: ((url: string) => Promise<void>) | undefined;
  /**
   * Remembers, across restarts, why Google no longer accepts the last sign-in. There is nothing to remember after a new
   * sign-in, or if none was made.
   */
  readonly endings: {
    of(service: GoogleService): SignInEnding | undefined;
    set(service: GoogleService, why: SignInEnding | undefined): void;
  };
  readonly now: () => number;
}

/** Outcomes after which further calls do not ask again. */
const DECLINED: ReadonlySet<string> = new Set(['not_confirmed', 'denied', 'cancelled']);

/** The user's accounts at Google, and the sign-ins in progress. */
export class GoogleSignIns {
  readonly #ports: GoogleSignInsPorts;
  readonly #requests: GoogleSignInRequests;
  readonly #records: GoogleRecords;
  readonly #accounts: ReadonlyMap<GoogleService, GoogleAccount>;
  readonly #running = new RunningSignIns<GoogleService, GoogleSignInStep>();
  /** Calls that wait for a sign-in which no user started. */
  readonly #waiting = new Map<GoogleService, number>();
  /** The user said no to a call: further calls don't ask. */
  readonly #declined = new Set<GoogleService>();
  readonly #closing = new AbortController();

  constructor(ports: GoogleSignInsPorts) {
    this.#ports = ports;
    this.#requests = new GoogleSignInRequests(ports);
    this.#records = new GoogleRecords(ports.secrets);
    this.#accounts = new Map(googleServices.map((service) => [service, this.#account(service)]));
  }

  /** The listener is called on every step of a sign-in, and on renewal. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#running.onChange(listener);
  }

  progress(service: GoogleService): SignInProgress<GoogleSignInStep> {
    return this.#running.progress(service);
  }

  /** The client that is set in the keychain or the environment. */
  async client(): Promise<GoogleClient | undefined> {
    const { secrets } = this.#ports;
    const [id, secret] = [await secrets.get('google-client-id'), await secrets.get('google-client-secret')];
    return id === undefined || secret === undefined ? undefined : { id: id.value, secret: secret.value };
  }

  /** The sign-in with the client that is set now. */
  async record(service: GoogleService): Promise<GoogleRecord | undefined> {
    return this.#of(service).record();
  }

  /**
   * The sign-in that is kept, even if its client is no longer set. With `isLast`, disconnecting it asks Google to
   * revoke it.
   */
  async kept(service: GoogleService): Promise<{ readonly record: GoogleRecord; readonly isLast: boolean } | undefined> {
    const record = await this.#records.get(service);
    return record && { record, isLast: !(await this.#hasOthers(service, record.clientId)) };
  }

  isInMemory(service: GoogleService): Promise<boolean> {
    return this.#records.isInMemory(service);
  }

  /** Starts a sign-in that the user requested, or joins the one in progress. Rejects with `SignInFailure`. */
  connect(service: GoogleService): Promise<void> {
    this.#declined.delete(service);
    // Now it is theirs: calls that stop waiting do not cancel it.
    this.#waiting.delete(service);
    return this.#begin(service, undefined);
  }

  /** Cancels the sign-in in progress, if any. */
  cancel(service: GoogleService): void {
    this.#running.cancel(service);
  }

  /**
   * An access token for a call. If there is no sign-in, the user is asked, once for all calls that wait. `rejected` is
   * a token that the service did not accept. With `isQuiet`, the user is not asked. Rejects with `SignInFailure`, or
   * with the signal’s reason.
   */
  async token(
    service: GoogleService,
    {
      tool,
      signal,
      rejected,
      isQuiet = false,
    }: {
      readonly tool: string;
      readonly signal: AbortSignal;
      readonly rejected?: string;
      readonly isQuiet?: boolean;
    },
  ): Promise<string> {
    signal.throwIfAborted();
    const account = this.#of(service);
    const token = await untilAborted(account.token(rejected), signal);
    if (token !== undefined) return token;
    if (isQuiet) throw this.#missing(service);
    await this.#signInForCall(service, tool, signal);
    const fresh = await untilAborted(account.token(), signal);
    if (fresh === undefined) throw this.#missing(service);
    return fresh;
  }

  /**
   * Deletes the sign-in. Google is asked to revoke it only if no other account of its client is left, because that ends
   * all of them. Rejects with `SecretsError`.
   */
  async disconnect(service: GoogleService): Promise<void> {
    this.cancel(service);
    const record = await this.#of(service).remove();
    this.#ended(service);
    if (record === undefined || (await this.#hasAccounts(service, record.clientId))) return;
    await this.#revoke(service, record);
  }

  /** Deletes every sign-in and asks Google to revoke them. Rejects with `SecretsError`. */
  async disconnectAll(): Promise<void> {
    const removed: { readonly service: GoogleService; readonly record: GoogleRecord | undefined }[] = [];
    for (const service of googleServices) {
      this.cancel(service);
      removed.push({ service, record: await this.#of(service).remove() });
      this.#ended(service);
    }
    for (const { service, record } of removed) if (record !== undefined) await this.#revoke(service, record);
  }

  /** Sign-ins that are kept, of any other client than this one. */
  async ofOtherClients(
    clientId: string,
  ): Promise<readonly { readonly service: GoogleService; readonly record: GoogleRecord }[]> {
    const kept = await Promise.all(
      googleServices.map(async (service) => ({ service, record: await this.#records.get(service, { isFresh: true }) })),
    );
    return kept.flatMap(({ service, record }) =>
      record === undefined || record.clientId === clientId ? [] : [{ service, record }],
    );
  }

  /** Deletes sign-ins of any other client than this one: they are of no use. Rejects with `SecretsError`. */
  async dropOthers(clientId: string): Promise<void> {
    for (const { service } of await this.ofOtherClients(clientId)) {
      await this.#of(service).remove();
      this.#ended(service);
    }
  }

  /** Makes one harmless request with the sign-in, and reports its outcome as the account's problem. */
  async test(service: GoogleService): Promise<void> {
    try {
      await this.#check(this.#of(service));
      this.#running.report(service, undefined);
    } catch (error) {
      this.#running.report(service, asSignInFailure(error).problem);
    }
  }

  /** Cancels everything, including waiting for a browser. */
  async close(): Promise<void> {
    this.#closing.abort(new SignInFailure({ code: 'cancelled' }));
    for (const account of this.#accounts.values()) account.close();
    await this.#running.close();
  }

  #of(service: GoogleService): GoogleAccount {
    const account = this.#accounts.get(service);
    if (account === undefined) throw new TypeError(`${service} is no service of Google`);
    return account;
  }

  #account(service: GoogleService): GoogleAccount {
    const { locksFolder, now, endings } = this.#ports;
    return new GoogleAccount(service, {
      requests: this.#requests,
      records: this.#records,
      now,
      client: () => this.client(),
      lockFile: join(locksFolder, `google-${service}.lock`),
      onEnded: (why) => {
        endings.set(service, why);
        this.#running.report(service, { code: 'sign_in_ended', account: service, why });
      },
      onRenewed: () => this.#running.report(service, this.progress(service).problem),
    });
  }

  async #check(account: GoogleAccount): Promise<void> {
    const { service } = account;
    const ask = (token: string | undefined) => {
      if (token === undefined) throw this.#missing(service);
      return this.#requests.address(service, token, this.#closing.signal);
    };
    const token = await account.token();
    const address = await untilRenewed(
      () => ask(token),
      async () => ask(await account.token(token)),
    );
    await account.keepAddress(address);
  }

  async #signInForCall(service: GoogleService, tool: string, signal: AbortSignal): Promise<void> {
    const isJoined = this.#running.isRunning(service);
    if (!isJoined && this.#declined.has(service))
      throw new SignInFailure({ code: 'declined_before', account: service });
    if (this.#ports.openBrowser === undefined) throw this.#missing(service);
    // One that the user started continues without the calls.
    const isOfCalls = !isJoined || this.#waiting.has(service);
    if (isOfCalls) this.#waiting.set(service, (this.#waiting.get(service) ?? 0) + 1);
    try {
      await untilAborted(this.#begin(service, tool), signal);
    } catch (error) {
      const { code } = asSignInFailure(error).problem;
      if (!signal.aborted && DECLINED.has(code)) this.#declined.add(service);
      throw error;
    } finally {
      const left = (this.#waiting.get(service) ?? 0) - 1;
      if (left > 0) this.#waiting.set(service, left);
      else if (this.#waiting.delete(service)) this.cancel(service);
    }
  }

  #begin(service: GoogleService, tool: string | undefined): Promise<void> {
    const { confirm, openBrowser, receiver, endings } = this.#ports;
    return this.#running.begin(service, async ({ signal, onStep }) => {
      if (openBrowser === undefined) throw this.#missing(service);
      const problem = await googleSignIn(this.#of(service), {
        confirm: (signInAt) => confirm(service, { tool, signInAt }, signal),
        hasAccounts: (clientId) => this.#hasAccounts(service, clientId),
        openBrowser,
        onStep,
        signal,
        ...(receiver === undefined ? {} : { receiver }),
      });
      endings.set(service, undefined);
      return problem;
    });
  }

  /** The last sign-in ended, or there was none. */
  #missing(account: GoogleService): SignInFailure {
    const { endings, openBrowser } = this.#ports;
    const why = endings.of(account);
    return new SignInFailure(
      why === undefined
        ? { code: 'needs_sign_in', account, takesFlag: openBrowser === undefined }
        : { code: 'sign_in_ended', account, why },
    );
  }

  #ended(service: GoogleService): void {
    this.#ports.endings.set(service, undefined);
    this.#running.report(service, undefined);
  }

  /** Whether an account of this client is signed in, or another than this one is being signed in. */
  async #hasAccounts(service: GoogleService, clientId: string): Promise<boolean> {
    const record = await this.#records.get(service, { isFresh: true });
    return record?.clientId === clientId || this.#hasOthers(service, clientId);
  }

  /** Whether another account than this one is signed in with this client, or is being signed in. */
  async #hasOthers(service: GoogleService, clientId: string): Promise<boolean> {
    const others = googleServices.filter((each) => each !== service);
    if (others.some((other) => this.#running.isRunning(other))) return true;
    const records = await Promise.all(others.map((other) => this.#records.get(other, { isFresh: true })));
    return records.some((record) => record?.clientId === clientId);
  }

  async #revoke(service: GoogleService, { refreshToken }: GoogleRecord): Promise<void> {
    try {
      await this.#requests.revoke(refreshToken, this.#closing.signal);
    } catch (error) {
      this.#running.report(service, { code: 'not_revoked', reason: asSignInFailure(error).message });
    }
  }
}

/** Asks once more, with a new token, if the service rejected the first one. */
async function untilRenewed<T>(ask: () => Promise<T>, askAgain: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { problem } = asSignInFailure(error);
    if (problem.code !== 'api_refused' || problem.status !== 401) throw error;
    return askAgain();
  }
}
