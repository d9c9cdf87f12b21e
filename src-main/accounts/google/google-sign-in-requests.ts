import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isRecord, parsedJson } from '../../base/json.ts';
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
  /** Undefined if the granted scopes are those that were asked for. */
  readonly scopes: readonly string[] | undefined;
  readonly expiresInSeconds: number;
  /** Undefined if the sign-in has no known end. */
  readonly signInEndsInSeconds: number | undefined;
}

/** The address of the account is shown, and nothing else that Google says of it. */
const ADDRESS = /^[^\s\p{C}]{1,320}$/u;

const Tokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  expires_in: z.coerce.number().positive().default(3600),
  refresh_token_expires_in: z.coerce.number().positive().optional(),
});

/** The pages at which a service says whose account it is. */
const PROFILES: Readonly<Record<GoogleService, { readonly path: string; readonly key: string }>> = {
  gmail: { path: '/gmail/v1/users/me/profile', key: 'emailAddress' },
  // The id of the primary calendar is the user's address.
  calendar: { path: '/calendar/v3/calendars/primary', key: 'id' },
};

/**
 * The requests to Google about signing in. None follows a redirect, and none is repeated, because a code must not be
 * sent twice. All methods reject with `SignInFailure`, or with the signal's reason.
 */
export class GoogleSignInRequests {
  readonly #ports: GoogleSignInRequestsPorts;

  constructor(ports: GoogleSignInRequestsPorts) {
    this.#ports = ports;
  }

  /** The origin at which the user signs in, for the question. */
  get signInOrigin(): string {
    return new URL(this.#ports.urlOf('googleAuth', '/')).origin;
  }

  /** The address for the browser, and the verifier that only this process knows (RFC 7636). */
  authorization(
    client: GoogleClient,
    asked: { readonly redirectUri: string; readonly state: string; readonly scopes: readonly string[] },
  ): { readonly url: string; readonly codeVerifier: string } {
    const codeVerifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: asked.redirectUri,
      state: asked.state,
      scope: asked.scopes.join(' '),
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      access_type: 'offline',
      // Without this, Google gives a refresh token only the first time that the user consents.
      prompt: 'consent',
      // Each service has a grant of its own.
      include_granted_scopes: 'false',
    });
    return { url: secureAddress(this.#ports.urlOf('googleAuth', `/o/oauth2/v2/auth?${query}`)), codeVerifier };
  }

  exchange(
    client: GoogleClient,
    { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
    signal: AbortSignal,
  ): Promise<IssuedTokens> {
    const grant = { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri };
    return this.#issued(client, grant, signal);
  }

  refresh(client: GoogleClient, refreshToken: string, signal: AbortSignal): Promise<IssuedTokens> {
    return this.#issued(client, { grant_type: 'refresh_token', refresh_token: refreshToken }, signal);
  }

  /** Ends every grant of this user to this client. A token that counts for nothing any more is fine. */
  async revoke(token: string, signal: AbortSignal): Promise<void> {
    const response = await this.#post('/revoke', { token }, signal);
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
    throw unexpected();
  }

  /** Requests tokens as in RFC 6749 sections 4.1.3 and 6. */
  async #issued(
    { id, secret }: GoogleClient,
    grant: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IssuedTokens> {
    const response = await this.#post('/token', { ...grant, client_id: id, client_secret: secret }, signal);
    if (!isSuccess(response.status)) throw tokenFailure(response);
    const { data, success } = Tokens.safeParse(parsedBody(response));
    if (!success) throw unexpected();
    return {
      accessToken: data.access_token,
      refreshToken: data.refresh_token,
      scopes: data.scope?.split(' ').filter((scope) => scope !== ''),
      expiresInSeconds: data.expires_in,
      signInEndsInSeconds: data.refresh_token_expires_in,
    };
  }

  #post(path: string, form: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpResponse> {
    const url = this.#ports.urlOf('googleToken', path);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#send({ url, method: 'POST', headers, body: new URLSearchParams(form).toString() }, signal);
  }

  async #send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { http } = this.#ports;
    const url = secureAddress(request.url);
    try {
      const response = await http.request(
        { ...request, url, maxRedirects: 0, maxBytes: MAX_BYTES },
        {
          signal,
          // This is Google's own address, or what the user confirmed in config.json.
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

function unexpected(): SignInFailure {
  return new SignInFailure({ code: 'protocol', reason: 'Google sent an unexpected response' });
}

function unreachable(status: number): SignInFailure {
  return new SignInFailure({ code: 'unreachable', reason: `Google answered with HTTP ${status}.` });
}

function parsedBody({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  const value = parsedJson(body.toString('utf8'));
  return isRecord(value) ? value : {};
}
