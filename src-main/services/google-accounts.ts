import type { Account, AccountState } from '../../src-preload/contract/accounts.ts';
import type { SignInEnding } from '../accounts/google/google-account.ts';
import { clientIdFlaw, clientSecretFlaw } from '../accounts/google/google-client.ts';
import { clientFlawText } from '../accounts/google/google-problem.ts';
import { googleServiceNames } from '../accounts/google/google-scopes.ts';
import { type GoogleService, googleServices } from '../accounts/google/google-service.ts';
import { GoogleSignIns, type GoogleSignInsPorts } from '../accounts/google/google-sign-ins.ts';
import { type SignInProblem, signInProblemText } from '../accounts/sign-in-problem.ts';
import { Listeners } from '../base/listeners.ts';
import { visible } from '../base/text.ts';
import type { HttpClient } from '../network/http.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { joinBaseUrl } from '../settings/endpoints.ts';
import type { AccountNote, AccountNotes } from '../storage/records/account-notes.ts';
import type { Vendors } from '../tools/contract.ts';
import type { GoogleAccounts } from '../tools/google/google-accounts.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { accountGrant } from './sign-in-grants.ts';

export interface GoogleAccountsPorts extends Pick<GoogleSignInsPorts, 'locksFolder' | 'openBrowser'> {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  readonly secrets: Secrets;
  readonly vendors: Pick<Vendors, 'baseUrlOf'>;
  readonly effective: Pick<EffectiveSettings, 'askForGrant'>;
  readonly notes: AccountNotes;
}

/** The user's Google accounts: for tools, and for the surfaces. */
export class GoogleAccountServices implements GoogleAccounts {
  readonly #signIns: GoogleSignIns;
  readonly #secrets: Secrets;
  readonly #notes: AccountNotes;
  readonly #listeners = new Listeners();

  constructor({ http, secrets, vendors, effective, notes, locksFolder, openBrowser }: GoogleAccountsPorts) {
    this.#secrets = secrets;
    this.#notes = notes;
    this.#signIns = new GoogleSignIns({
      http,
      secrets,
      locksFolder,
      openBrowser,
      urlOf: (service, path) => joinBaseUrl(vendors.baseUrlOf(service), path),
      confirm: async (service, { tool, signInAt }, signal) => {
        const ended = this.#ending(service);
        const grant = accountGrant(service, { tool, signInAt, ended, keptIn: await this.#keptIn(service) });
        return effective.askForGrant(grant, signal);
      },
      endings: {
        of: (service) => endingIn(notes.get(service)),
        set: (service, why) => notes.ended(service, why),
      },
      now: () => Date.now(),
    });
    this.#signIns.onChange(() => this.changed());
  }

  /** Called on every step of a sign-in, and whenever an account was used. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The client may have been entered or removed. */
  changed(): void {
    this.#listeners.tell();
  }

  async address(service: GoogleService): Promise<string | undefined> {
    return (await this.#signIns.record(service))?.address;
  }

  async token(
    service: GoogleService,
    { onBrowser, ...options }: Parameters<GoogleAccounts['token']>[1],
  ): Promise<string> {
    const unfollow = this.#signIns.onChange(() => {
      if (this.#signIns.progress(service).step === 'browser') onBrowser?.();
    });
    const token = await this.#signIns.token(service, options).finally(unfollow);
    this.#notes.used(service, options.tool);
    this.changed();
    return token;
  }

  list(): Promise<Account[]> {
    return Promise.all(googleServices.map((service) => this.get(service)));
  }

  async get(service: GoogleService): Promise<Account> {
    const [client, kept] = [await this.#signIns.client(), await this.#signIns.kept(service)];
    const { step = null, problem } = this.#signIns.progress(service);
    const { lastUsed } = this.#notes.get(service);
    const ending = this.#ending(service);
    const withoutRecord: AccountState = ending === undefined ? 'not_connected' : 'lapsed';
    const withoutClient = client === undefined ? 'no_client' : withoutRecord;
    const { record } = kept ?? {};
    const isUsed = record !== undefined && record.clientId === client?.id;
    return {
      name: service,
      state: isUsed ? 'connected' : withoutClient,
      disconnecting: disconnecting(kept),
      address: record?.address ?? null,
      scopes: record?.scopes ?? [],
      keptIn: await this.#keptIn(service),
      connectedAt: isoOrNull(record?.connectedAt),
      endsAt: isoOrNull(record?.endsAt),
      tokenExpiresAt: isoOrNull(record?.expiresAt),
      lastRenewedAt: isoOrNull(record?.issuedAt),
      lastUsed: lastUsed ?? null,
      step,
      problem: shownProblem(isUsed ? problemOfRecord(problem) : (problem ?? ending)),
    };
  }

  /** Call it only on the user's request. Rejects with `SignInFailure`. */
  connect(service: GoogleService): Promise<void> {
    return this.#signIns.connect(service);
  }

  cancel(service: GoogleService): void {
    this.#signIns.cancel(service);
  }

  /** Rejects with `SecretsError`. */
  disconnect(service: GoogleService): Promise<void> {
    return this.#signIns.disconnect(service);
  }

  /** Rejects with `SecretsError`. */
  disconnectAll(): Promise<void> {
    return this.#signIns.disconnectAll();
  }

  /** Makes one harmless request; its outcome is the account's `problem`. */
  test(service: GoogleService): Promise<void> {
    return this.#signIns.test(service);
  }

  /**
   * What looks wrong about a client id or secret that is to be stored, for people. Undefined if nothing does, or if it
   * is another key.
   */
  keyFlaw(name: string, value: string): string | undefined {
    const flaw =
      (name === 'google-client-id' && clientIdFlaw(value)) ||
      (name === 'google-client-secret' && clientSecretFlaw(value));
    return flaw === false || flaw === undefined ? undefined : clientFlawText(flaw);
  }

  /** The accounts whose sign-ins would end with another client id, for people: `Gmail (ada@example.com)`. */
  async endedByClient(id: string): Promise<readonly string[]> {
    const others = await this.#signIns.ofOtherClients(id);
    return others.map(({ service, record: { address } }) =>
      address === undefined ? googleServiceNames[service] : `${googleServiceNames[service]} (${visible(address)})`,
    );
  }

  /** Deletes sign-ins of other clients than this one. Rejects with `SecretsError`. */
  clientChanged(id: string): Promise<void> {
    return this.#signIns.dropOthers(id);
  }

  /** Cancels everything, including waiting for a browser. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#signIns.close();
  }

  #ending(account: GoogleService): SignInProblem | undefined {
    const why = endingIn(this.#notes.get(account));
    return why === undefined ? undefined : { code: 'sign_in_ended', account, why };
  }

  async #keptIn(service: GoogleService): Promise<'keychain' | 'memory'> {
    // Asks the keychain, so that it is known whether there is one.
    if (await this.#signIns.isInMemory(service)) return 'memory';
    return this.#secrets.backend ?? 'memory';
  }
}

function endingIn({ ended }: AccountNote): SignInEnding | undefined {
  if (ended === undefined) return undefined;
  return ended.why === 'testing' ? 'testing' : 'refused';
}

function disconnecting(kept: { readonly isLast: boolean } | undefined): Account['disconnecting'] {
  if (kept === undefined) return null;
  return kept.isLast ? 'revoke' : 'delete';
}

/** Another process may have signed in again. */
function problemOfRecord(problem: SignInProblem | undefined): SignInProblem | undefined {
  return problem?.code === 'sign_in_ended' ? undefined : problem;
}

function shownProblem(problem: SignInProblem | undefined): Account['problem'] {
  return problem === undefined ? null : { code: problem.code, message: visible(signInProblemText(problem)) };
}

function isoOrNull(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
