import type { OAuth2Client } from 'google-auth-library';
import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { fetchResponse } from '../../network/fetch-response.ts';
import { type HttpClient, type HttpRequest, type HttpResponse, isSuccess } from '../../network/http.ts';
import { shownErrorCode } from '../oauth-error-code.ts';
import { secureAddress, shownAddress } from '../secure-address.ts';
import { asSignInFailure } from '../sign-in-failure.ts';
import { SignInFailure } from '../sign-in-problem.ts';
import type { GoogleClient } from './google-client.ts';
import type { GoogleService } from './google-service.ts';

/** Tokens and profiles are a few kilobytes at most. */
const MAX_BYTES = 200_000;

export interface GoogleSignInRequestsPorts {
  readonly http: Pick<HttpClient, 'access' | 'request'>;
  /** An address of Google's, or of what the user configured in its place. */
  readonly urlOf: (service: 'googleAuth' | 'googleToken' | 'googleApis', path: string) => string;
}

/** What the token endpoint issued. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** `undefined`: as asked for. */
  readonly scopes: readonly string[] | undefined;
  readonly expiresInSeconds: number;
  /** `undefined`: it has no known end. */
  readonly signInEndsInSeconds: number | undefined;
}

/** It is shown, and nothing else is. */
const ADDRESS = /^[^\s\p{C}]{1,320}$/u;

const Tokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  expires_in: z.number().positive().default(3600),
  refresh_token_expires_in: z.number().positive().optional(),
});

/** Where a service says whose account it is. */
const PROFILES: Readonly<Record<GoogleService, { readonly path: string; readonly key: string }>> = {
  gmail: { path: '/gmail/v1/users/me/profile', key: 'emailAddress' },
  // The id of the primary calendar is the user's address.
  calendar: { path: '/calendar/v3/calendars/primary', key: 'id' },
};

/**
 * What is said to Google about signing in. No request follows a redirect, and none is repeated: a code must not be sent
 * twice. All methods reject with `SignInFailure`, or with the signal's reason.
 */
export class GoogleSignInRequests {
  readonly #ports: GoogleSignInRequestsPorts;

  constructor(ports: GoogleSignInRequestsPorts) {
    this.#ports = ports;
  }

  /** Where the user signs in, for the question. */
  get signInOrigin(): string {
    return new URL(this.#ports.urlOf('googleAuth', '/')).origin;
  }

  /** The address for the browser, and the verifier that only this process knows (RFC 7636). */
  async authorization(
    client: GoogleClient,
    asked: { readonly redirectUri: string; readonly state: string; readonly scopes: readonly string[] },
  ): Promise<{ readonly url: string; readonly codeVerifier: string }> {
    const { CodeChallengeMethod } = await import('google-auth-library');
    const oauth = await this.#oauth(client, new AbortController().signal);
    const { codeVerifier, codeChallenge = '' } = await oauth.generateCodeVerifierAsync();
    const url = oauth.generateAuthUrl({
      redirect_uri: asked.redirectUri,
      state: asked.state,
      scope: [...asked.scopes],
      code_challenge: codeChallenge,
      code_challenge_method: CodeChallengeMethod.S256,
      access_type: 'offline',
      // Otherwise Google gives a refresh token only the first time that the user consents.
      prompt: 'consent',
      // Each service has a grant of its own.
      include_granted_scopes: false,
    });
    return { url: secureAddress(url), codeVerifier };
  }

  exchange(
    client: GoogleClient,
    { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
    signal: AbortSignal,
  ): Promise<IssuedTokens> {
    return this.#issued(client, signal, (oauth) =>
      oauth.getToken({ code, codeVerifier, redirect_uri: redirectUri }).then(({ res }) => res),
    );
  }

  refresh(client: GoogleClient, refreshToken: string, signal: AbortSignal): Promise<IssuedTokens> {
    return this.#issued(client, signal, async (oauth) => {
      oauth.setCredentials({ refresh_token: refreshToken });
      // The library puts the old refresh token into its result, over a new one; only this event has what the service
      // sent.
      let data: unknown;
      oauth.on('tokens', (tokens) => {
        data = { ...tokens };
      });
      await oauth.refreshAccessToken();
      return { data };
    });
  }

  /** Ends every grant of this user to this client. A token that counts for nothing any more is fine. */
  async revoke(token: string, signal: AbortSignal): Promise<void> {
    const response = await this.#send(
      {
        url: this.#ports.urlOf('googleToken', '/revoke'),
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token }).toString(),
      },
      signal,
    );
    if (isSuccess(response.status)) return;
    const failure = tokenFailure(response);
    const { problem } = failure;
    if (problem.code !== 'google_refused' || problem.error !== 'invalid_token') throw failure;
  }

  /** The signed-in user's address. */
  async address(service: GoogleService, accessToken: string, signal: AbortSignal): Promise<string> {
    const { path, key } = PROFILES[service];
    const url = this.#ports.urlOf('googleApis', path);
    const response = await this.#send({ url, headers: { authorization: `Bearer ${accessToken}` } }, signal);
    const body = parsedBody(response);
    if (!isSuccess(response.status)) throw apiFailure(service, response.status, body);
    const address = body[key];
    if (typeof address === 'string' && ADDRESS.test(address)) return address;
    throw new SignInFailure({ code: 'protocol', reason: 'Google sent an unexpected response' });
  }

  async #issued(
    client: GoogleClient,
    signal: AbortSignal,
    ask: (oauth: OAuth2Client) => Promise<{ readonly data?: unknown } | null | undefined>,
  ): Promise<IssuedTokens> {
    try {
      const answer = await ask(await this.#oauth(client, signal));
      const { expires_in, ...tokens } = Tokens.parse(withExpiry(answer?.data));
      return {
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token,
        scopes: tokens.scope?.split(' ').filter((scope) => scope !== ''),
        expiresInSeconds: expires_in,
        signInEndsInSeconds: tokens.refresh_token_expires_in,
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof z.ZodError)
        throw new SignInFailure({ code: 'protocol', reason: 'Google sent an unexpected response' });
      // Without the library's own error, which holds the request with its secrets.
      throw new SignInFailure(asSignInFailure(error).problem);
    }
  }

  async #oauth({ id, secret }: GoogleClient, signal: AbortSignal): Promise<OAuth2Client> {
    const { OAuth2Client } = await import('google-auth-library');
    const { urlOf } = this.#ports;
    const oauth = new OAuth2Client({
      clientId: id,
      clientSecret: secret,
      endpoints: {
        oauth2AuthBaseUrl: urlOf('googleAuth', '/o/oauth2/v2/auth'),
        oauth2TokenUrl: urlOf('googleToken', '/token'),
      },
      transporterOptions: {
        fetchImplementation: this.#fetch(signal),
        // Otherwise gaxios loads an agent for the environment's proxy, which is not used.
        noProxy: [/^/],
      },
    });
    oauth.transporter.interceptors.request.add({
      resolved: async ({ retry: _retry, retryConfig: _config, ...once }) => once,
    });
    return oauth;
  }

  #fetch(signal: AbortSignal): typeof fetch {
    return async (target, init = {}) => {
      const response = await this.#send(
        {
          url: String(target),
          method: init.method ?? 'GET',
          headers: Object.fromEntries(new Headers(init.headers)),
          body: String(init.body ?? ''),
        },
        signal,
      );
      if (!isSuccess(response.status)) throw tokenFailure(response);
      return fetchResponse(response, new Uint8Array(response.body));
    };
  }

  async #send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { http } = this.#ports;
    const url = secureAddress(request.url);
    try {
      const response = await http.request(
        { ...request, url, maxRedirects: 0, maxBytes: MAX_BYTES },
        {
          signal,
          // Google's own address, or what the user confirmed in config.json.
          authorized: [http.access(url, request.method ?? 'GET')],
          allowAccess: async (access) => {
            throw new SignInFailure({ code: 'address_not_allowed', url: shownAddress(access.url) });
          },
        },
      );
      const { location } = response.headers;
      if (response.status >= 300 && response.status < 400)
        throw new SignInFailure({ code: 'redirected', url: shownAddress(new URL(location ?? '', url).href) });
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw asSignInFailure(error);
    }
  }
}

/** The library replaces the lifetime with a point in time by its own clock. */
function withExpiry(answer: unknown): unknown {
  if (!isRecord(answer) || typeof answer.expiry_date !== 'number') return answer;
  return { ...answer, expires_in: Math.max(1, Math.round((answer.expiry_date - Date.now()) / 1_000)) };
}

function tokenFailure(response: HttpResponse): SignInFailure {
  const { status } = response;
  if (status >= 500 || status === 429) return unreachable(status);
  const { error } = parsedBody(response);
  const code = typeof error === 'string' ? shownErrorCode(error) : undefined;
  return code === undefined ? unreachable(status) : new SignInFailure({ code: 'google_refused', error: code });
}

function apiFailure(
  account: GoogleService,
  status: number,
  { error }: Readonly<Record<string, unknown>>,
): SignInFailure {
  if (status >= 500 || status === 429) return unreachable(status);
  // The reason is named in several places, depending on the API's age.
  const isDisabled = status === 403 && /accessNotConfigured|SERVICE_DISABLED/.test(JSON.stringify(error ?? ''));
  if (isDisabled) return new SignInFailure({ code: 'api_disabled', account });
  return new SignInFailure({ code: 'api_refused', account, status });
}

function unreachable(status: number): SignInFailure {
  return new SignInFailure({ code: 'unreachable', reason: `Google answered with HTTP ${status}.` });
}

function parsedBody({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
