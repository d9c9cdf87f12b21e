import type { FetchLike, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { LoopbackReceiver } from '../../accounts/loopback-receiver.ts';
import { secureAddress } from '../../accounts/secure-address.ts';
import { answered, browsed, codeIn } from '../../accounts/sign-in-callback.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import { authorizationFetch } from './authorization-fetch.ts';
import { documentClient, givenClient, register, registeredClient } from './client-identity.ts';
import { type Discovered, discover } from './discovery.ts';
import { checkedScopes, scopesIn } from './scopes.ts';
import type { ServerAccount } from './server-account.ts';
import { signInFailure } from './sign-in-errors.ts';
import type { RegistrationRecord, TokensRecord } from './sign-in-records.ts';
import { asRecord } from './token-requests.ts';

/** What the user is asked before the browser opens. */
export interface SignInQuestion {
  /** The MCP server's. */
  readonly url: string;
  /** Origins: where the browser goes, and where else Steward sends what it receives. */
  readonly signInAt: readonly string[];
  readonly scopes: readonly string[];
  /** Present if there already is a sign-in: its scopes. */
  readonly scopesNow?: readonly string[];
}

/** The current step. At `browser`, the browser is open and Steward is waiting. */
export type SignInStep = 'discovering' | 'asking' | 'browser' | 'finishing';

export interface BrowserSignInPorts {
  /**
   * The user started the sign-in. Otherwise a call needs it, and no new address is looked up before the user agrees.
   */
  readonly isUserActing: boolean;
  readonly confirm: (question: SignInQuestion) => Promise<boolean>;
  /** Asked about an address on a private network, before it is looked up. */
  readonly confirmPrivate: (url: string) => Promise<boolean>;
  /** The system's browser. */
  readonly openBrowser: (url: string) => Promise<void>;
  readonly onStep: (step: SignInStep) => void;
  readonly signal: AbortSignal;
}

/**
 * One sign-in of the user to a server: discovers the endpoints, asks, opens the browser, waits, and stores the tokens.
 * `moreScopes` are the scopes that a call lacks. Rejects with `SignInFailure`, or with the signal's reason.
 */
export async function browserSignIn(
  account: ServerAccount,
  ports: BrowserSignInPorts,
  moreScopes?: string,
): Promise<void> {
  try {
    await new BrowserSignIn(account, ports).run(moreScopes);
  } catch (error) {
    ports.signal.throwIfAborted();
    throw signInFailure(error);
  }
}

class BrowserSignIn {
  readonly #account: ServerAccount;
  readonly #ports: BrowserSignInPorts;
  /** Extended as the user confirms addresses. */
  readonly #confirmed = new Set<string>();
  readonly #confirmedPrivate = new Set<string>();
  readonly #fetch: FetchLike;

  constructor(account: ServerAccount, ports: BrowserSignInPorts) {
    this.#account = account;
    this.#ports = ports;
    this.#fetch = authorizationFetch({
      http: account.ports.http,
      serverUrl: account.ports.url,
      signal: ports.signal,
      confirmed: this.#confirmed,
      confirmedPrivate: this.#confirmedPrivate,
      isUserActing: ports.isUserActing,
      confirmPrivate: async (url) => {
        const isConfirmed = await ports.confirmPrivate(url);
        if (isConfirmed) this.#confirmedPrivate.add(new URL(url).origin);
        return isConfirmed;
      },
    });
  }

  async run(moreScopes: string | undefined): Promise<void> {
    const { onStep, openBrowser, signal, isUserActing } = this.#ports;
    const { url } = this.#account.ports;
    onStep('discovering');
    const before = await this.#account.record({ isFresh: true });
    // The user already knows an address from an earlier sign-in.
    if (!isUserActing && before !== undefined)
      for (const known of [before.authorizationServer, before.tokenEndpoint])
        this.#confirmed.add(new URL(known).origin);
    const found = await discover(url, this.#account.challenge, this.#fetch);
    const isMore = moreScopes !== undefined && before?.issuer === found.issuer;
    const scopes = checkedScopes(isMore ? scopesIn(before.scope, moreScopes) : this.#scopesFor(found, moreScopes));
    onStep('asking');
    await this.#confirm(found, scopes, isMore ? scopesIn(before.scope) : undefined);

    const { client, receiver } = await this.#clientAndReceiver(found, scopes.join(' '));
    try {
      const { startAuthorization } = await import('@modelcontextprotocol/client');
      const { authorizationUrl, codeVerifier } = await startAuthorization(found.authorizationServer, {
        ...(found.metadata === undefined ? {} : { metadata: found.metadata }),
        clientInformation: client,
        redirectUrl: receiver.redirectUri,
        state: receiver.state,
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
        ...(found.resource === undefined ? {} : { resource: found.resource }),
      });
      onStep('browser');
      const callback = await browsed(receiver, secureAddress(authorizationUrl.href), openBrowser);
      onStep('finishing');
      await answered(callback, async () => {
        await issuerChecked(callback.parameters, found);
        const exchange = { parameters: callback.parameters, codeVerifier, redirectUri: receiver.redirectUri, scopes };
        const record = await this.#exchanged(found, client, exchange);
        signal.throwIfAborted();
        await this.#account.locked(() => this.#account.ports.records.keepTokens(record));
      });
    } catch (error) {
      // Some services show an unknown client in the browser and never redirect.
      if (mayBeUnknownClient(error)) await this.#account.ports.records.removeRegistration();
      throw error;
    } finally {
      receiver.close();
    }
  }

  /** The MCP specification's order ("Scope Selection Strategy"), after the configured scopes. */
  #scopesFor({ metadata, resourceScopes }: Discovered, moreScopes: string | undefined): readonly string[] {
    const { oauth } = this.#account.ports;
    if (oauth?.scopes !== undefined) return scopesIn(oauth.scopes.join(' '), moreScopes);
    const wanted = scopesIn(this.#account.challenge.scope ?? resourceScopes?.join(' '), moreScopes);
    // Some services issue no refresh token unless this scope is requested (SEP-2207).
    const hasOffline = metadata?.scopes_supported?.includes('offline_access') === true;
    return wanted.length > 0 && hasOffline ? scopesIn(wanted.join(' '), 'offline_access') : wanted;
  }

  async #confirm(found: Discovered, scopes: readonly string[], scopesNow?: readonly string[]): Promise<void> {
    const { url } = this.#account.ports;
    const { authorizationEndpoint, tokenEndpoint, registrationEndpoint = tokenEndpoint } = found;
    const { revocationEndpoint = tokenEndpoint } = found;
    const sentTo = [tokenEndpoint, registrationEndpoint, revocationEndpoint].map((each) => new URL(each).origin);
    const signInAt = [...new Set([new URL(authorizationEndpoint).origin, ...sentTo])];
    const isConfirmed = await this.#ports.confirm({ url, signInAt, scopes, ...(scopesNow && { scopesNow }) });
    if (!isConfirmed) throw new SignInFailure({ code: 'not_confirmed' });
    for (const origin of sentTo) this.#confirmed.add(origin);
  }

  /** A registration is only valid for its port. */
  async #clientAndReceiver(
    found: Discovered,
    scope: string,
  ): Promise<{ readonly client: OAuthClientInformationMixed; readonly receiver: LoopbackReceiver }> {
    const { oauth, secretOf, records } = this.#account.ports;
    const { signal } = this.#ports;
    const port = oauth?.callbackPort;
    const known = (await givenClient(oauth, secretOf)) ?? documentClient(oauth, found);
    if (known !== undefined) return { client: known, receiver: await LoopbackReceiver.open({ port, signal }) };

    const stored = await records.registration();
    const isUsable = stored?.issuer === found.issuer && (port === undefined || port === stored.port);
    if (stored !== undefined && isUsable) {
      const receiver = await this.#receiverAt(stored.port, port !== undefined);
      if (receiver !== undefined) return { client: registeredClient(stored), receiver };
    }
    const receiver = await LoopbackReceiver.open({ port, signal });
    try {
      const made: RegistrationRecord = await register(found, { ...receiver, scope }, this.#fetch);
      await this.#account.locked(() => records.keepRegistration(made));
      return { client: registeredClient(made), receiver };
    } catch (error) {
      receiver.close();
      throw error;
    }
  }

  /** `undefined` if another program has the port and it was not configured by the user. */
  async #receiverAt(port: number, isChosen: boolean): Promise<LoopbackReceiver | undefined> {
    try {
      return await LoopbackReceiver.open({ port, signal: this.#ports.signal });
    } catch (error) {
      const isTaken = error instanceof SignInFailure && error.problem.code === 'port_taken';
      if (!isTaken || isChosen) throw error;
      return undefined;
    }
  }

  async #exchanged(
    found: Discovered,
    client: OAuthClientInformationMixed,
    { parameters, codeVerifier, redirectUri, scopes }: Exchange,
  ): Promise<TokensRecord> {
    const { exchangeAuthorization } = await import('@modelcontextprotocol/client');
    const { metadata, resource, issuer, authorizationServer, tokenEndpoint, revocationEndpoint } = found;
    const tokens = await exchangeAuthorization(authorizationServer, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: client,
      authorizationCode: codeIn(parameters),
      ...issIn(parameters),
      codeVerifier,
      redirectUri,
      ...(resource === undefined ? {} : { resource }),
      fetchFn: this.#fetch,
    });
    const authMethods = metadata?.token_endpoint_auth_methods_supported;
    const { ports } = this.#account;
    return asRecord(
      // The scope is omitted if it is the requested one (RFC 6749 section 5.1).
      { scope: scopes.join(' '), ...tokens },
      {
        serverUrl: ports.url,
        issuer,
        authorizationServer,
        tokenEndpoint,
        clientId: client.client_id,
        ...(revocationEndpoint === undefined ? {} : { revocationEndpoint }),
        ...(authMethods === undefined ? {} : { authMethods }),
        ...(resource === undefined ? {} : { resource }),
        privateOrigins: [...this.#confirmedPrivate],
      },
      ports.now(),
    );
  }
}

interface Exchange {
  /** The callback's query. */
  readonly parameters: URLSearchParams;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** RFC 9207: checked before anything else in the callback is trusted, including an error. */
async function issuerChecked(parameters: URLSearchParams, { metadata }: Discovered): Promise<void> {
  const { validateAuthorizationResponseIssuer } = await import('@modelcontextprotocol/client');
  validateAuthorizationResponseIssuer({
    iss: issIn(parameters).iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
}

function issIn(parameters: URLSearchParams): { readonly iss?: string } {
  const iss = parameters.get('iss');
  return iss === null ? {} : { iss };
}

function mayBeUnknownClient(error: unknown): boolean {
  const { problem } = signInFailure(error);
  if (problem.code === 'expired') return true;
  return problem.code === 'refused' && (problem.error === 'invalid_client' || problem.error === 'unauthorized_client');
}
