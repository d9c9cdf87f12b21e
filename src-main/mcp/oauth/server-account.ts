import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import { LockedRenewal } from '../../accounts/locked-renewal.ts';
import type { AccountPorts } from './account-ports.ts';
import { authorizationFetch } from './authorization-fetch.ts';
import { type Challenge, discoverResource } from './discovery.ts';
import { scopesBeyond } from './scopes.ts';
import { oauthCode } from './sign-in-errors.ts';
import type { TokensRecord } from './sign-in-records.ts';
import { asRecord, isRefusal, refreshed, revoke } from './token-requests.ts';

/** A token that expires within this time is renewed before it is used. */
const RENEW_BEFORE_MS = 60_000;

/**
 * Steward's account at one remote server: the tokens of the last sign-in, renewed when they expire. It never opens a
 * browser: if renewal fails, the server needs a sign-in, which the user starts (`browserSignIn`).
 */
export class ServerAccount implements AuthProvider {
  readonly ports: AccountPorts;
  readonly #sentWith = new WeakMap<Response, string>();
  readonly #closing = new AbortController();
  readonly #renewal: LockedRenewal<boolean>;
  #challenge: Challenge = {};
  #missingScope: string | undefined;
  /** A token the server accepted. */
  #accepted: string | undefined;
  #lastRenewal: string | undefined;

  constructor(ports: AccountPorts) {
    this.ports = ports;
    this.#renewal = new LockedRenewal(ports.lockFile);
  }

  /** The last challenge of the server. */
  get challenge(): Challenge {
    return this.#challenge;
  }

  /** The scopes that the last rejected request lacked; empty if none. */
  async missingScopes(): Promise<readonly string[]> {
    return scopesBeyond((await this.record())?.scope, this.#missingScope);
  }

  /** The record of the last sign-in, if it was for this server. */
  async record(options: { readonly isFresh?: boolean } = {}): Promise<TokensRecord | undefined> {
    const record = await this.ports.records.tokens(options);
    // The name may have belonged to a different server.
    return record?.serverUrl === this.ports.url ? record : undefined;
  }

  /** The `fetch` of the server's transport, so that each response can be matched with the token that was sent. */
  watched(fetchFn: FetchLike): FetchLike {
    return async (url, init) => {
      const response = await fetchFn(url, init);
      const [, token] = /^Bearer (.+)$/i.exec(new Headers(init?.headers).get('authorization') ?? '') ?? [];
      if (token !== undefined) this.#sentWith.set(response, token);
      if (response.status !== 401) this.#accepted = token;
      if (response.status === 403) await this.#hearOfScope(response);
      return response;
    };
  }

  async token(): Promise<string | undefined> {
    const record = await this.record();
    if (record === undefined) return undefined;
    const { expiresAt, accessToken } = record;
    const endsSoon = expiresAt !== undefined && this.ports.now() > expiresAt - RENEW_BEFORE_MS;
    if (!endsSoon || record.refreshToken === undefined) return accessToken;
    // The token may still be valid; if not, the server will reject it.
    await this.#renew(accessToken).catch(() => undefined);
    return (await this.record({ isFresh: true }))?.accessToken;
  }

  /** Renews the rejected token. Rejects with `UnauthorizedError` if the user has to sign in. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const { extractWWWAuthenticateParams, UnauthorizedError } = await import('@modelcontextprotocol/client');
    this.#challenge = extractWWWAuthenticateParams(response);
    const rejected = this.#sentWith.get(response);
    if (rejected === undefined || !(await this.#renew(rejected, response))) throw new UnauthorizedError();
  }

  /** Changes the records under the lock. */
  locked<T>(change: () => Promise<T>): Promise<T> {
    return this.#renewal.locked(change);
  }

  /** Deletes the sign-in and the registration, and revokes them at the service where it supports that. */
  async signOut(): Promise<void> {
    const { records } = this.ports;
    const record = await this.locked(async () => {
      const last = await this.record({ isFresh: true });
      await records.removeTokens();
      await records.removeRegistration();
      return last;
    });
    if (record !== undefined) await revoke(record, this.ports, this.#fetch(record)).catch(() => undefined);
  }

  /** Aborts requests in progress. */
  close(): void {
    this.#closing.abort(new Error('The server is being stopped'));
  }

  /** Whether there is a new token. */
  #renew(rejected: string, response?: Response): Promise<boolean> {
    return this.#renewal.run(rejected, () => this.#renewLocked(rejected, response !== undefined));
  }

  async #renewLocked(rejected: string, isRefused: boolean): Promise<boolean> {
    // Another process may have renewed it while we waited.
    const record = await this.record({ isFresh: true });
    if (record === undefined) return false;
    if (record.accessToken !== rejected) return true;
    const mayBeRenewed =
      record.refreshToken !== undefined &&
      // A token rejected immediately after renewal means that the sign-in itself is no longer valid.
      (!isRefused || this.#accepted === rejected || this.#lastRenewal !== rejected) &&
      (!isRefused || (await this.#isStillIssuer(record)));
    const renewed = mayBeRenewed ? await this.#refreshed(record) : undefined;
    if (renewed === undefined) {
      await this.ports.records.removeTokens();
      return false;
    }
    await this.ports.records.keepTokens(renewed);
    this.#lastRenewal = renewed.accessToken;
    return true;
  }

  async #hearOfScope(response: Response): Promise<void> {
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope') return;
    this.#missingScope = scope;
    if (resourceMetadataUrl !== undefined) this.#challenge = { ...this.#challenge, resourceMetadataUrl };
  }

  /** Whether the server still names the authorization server that issued the tokens. Source: SEP-2352. */
  async #isStillIssuer(record: TokensRecord): Promise<boolean> {
    const resource = await discoverResource(this.ports.url, this.#challenge, this.#fetch(record)).catch(
      () => undefined,
    );
    // Without metadata, nothing is assumed to have changed.
    return resource?.authorization_servers?.includes(record.authorizationServer) ?? true;
  }

  /** `undefined` if the service refuses to renew it. */
  async #refreshed(record: TokensRecord): Promise<TokensRecord | undefined> {
    try {
      const tokens = await refreshed(record, this.ports, this.#fetch(record));
      return asRecord(tokens, record, this.ports.now());
    } catch (error) {
      if (isRefusal(oauthCode(error))) return undefined;
      throw error;
    }
  }

  #fetch({ tokenEndpoint, revocationEndpoint = tokenEndpoint, privateOrigins }: TokensRecord): FetchLike {
    const { http, url } = this.ports;
    return authorizationFetch({
      http,
      serverUrl: url,
      signal: this.#closing.signal,
      confirmed: new Set([new URL(tokenEndpoint).origin, new URL(revocationEndpoint).origin]),
      confirmedPrivate: new Set(privateOrigins),
      isUserActing: false,
    });
  }
}
