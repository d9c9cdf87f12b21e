import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import type { AccountPorts } from './account-ports.ts';
import { givenClient, registeredClient } from './client-identity.ts';
import type { TokensRecord } from './sign-in-records.ts';

/** The error responses of a token endpoint that make it pointless to try again. */
const REFUSALS = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_grant_type'];

export function isRefusal(code: string | undefined): boolean {
  return code !== undefined && REFUSALS.includes(code);
}

/** Rejects with the errors of the SDK. */
export async function refreshed(record: TokensRecord, ports: AccountPorts, fetchFn: FetchLike): Promise<OAuthTokens> {
  const { refreshAuthorization } = await import('@modelcontextprotocol/client');
  const { authorizationServer, refreshToken = '', resource } = record;
  return refreshAuthorization(authorizationServer, {
    metadata: metadataOf(record),
    clientInformation: await clientOf(record, ports),
    refreshToken,
    ...(resource === undefined ? {} : { resource }),
    fetchFn,
  });
}

/** Source: RFC 6749 appendix A. Anything else in a header would be reported with its value. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
const MAX_VALIDITY_SECONDS = 10 * 365 * 24 * 60 * 60;

/**
 * The record to keep from a token response. Throws `SignInFailure` for tokens other than bearer tokens, and for those
 * that can't be sent.
 */
export function asRecord(
  { access_token, refresh_token, scope, expires_in, token_type }: OAuthTokens,
  before: Omit<TokensRecord, 'accessToken'>,
  now: number,
): TokensRecord {
  if (token_type.toLowerCase() !== 'bearer')
    throw new SignInFailure({ code: 'protocol', reason: 'the service issued a token that is not a bearer token' });
  // Some services write an empty one instead of none.
  const hasRefreshToken = refresh_token !== undefined && refresh_token !== '';
  if (!TOKEN.test(access_token) || (hasRefreshToken && !TOKEN.test(refresh_token)))
    throw new SignInFailure({ code: 'protocol', reason: 'the service issued a token that cannot be sent' });
  const { expiresAt: _expired, ...kept } = before;
  const validForSeconds = Math.min(expires_in ?? 0, MAX_VALIDITY_SECONDS);
  return {
    ...kept,
    accessToken: access_token,
    ...(hasRefreshToken ? { refreshToken: refresh_token } : {}),
    ...(scope === undefined ? {} : { scope }),
    ...(expires_in === undefined ? {} : { expiresAt: now + validForSeconds * 1_000 }),
  };
}

/** The part of the authorization server's metadata that its token endpoint needs. */
function metadataOf({ issuer, tokenEndpoint, authMethods }: TokensRecord): AuthorizationServerMetadata {
  return {
    issuer,
    authorization_endpoint: tokenEndpoint,
    token_endpoint: tokenEndpoint,
    response_types_supported: ['code'],
    ...(authMethods === undefined ? {} : { token_endpoint_auth_methods_supported: [...authMethods] }),
  };
}

/** The client the tokens were issued to; its secret is read from the keychain. */
async function clientOf(
  { issuer, clientId }: TokensRecord,
  { oauth, secretOf, records }: AccountPorts,
): Promise<OAuthClientInformationMixed> {
  const given = await givenClient(oauth, secretOf);
  if (given?.client_id === clientId) return given;
  const registration = await records.registration();
  const isOfIt = registration?.clientId === clientId && registration.issuer === issuer;
  return isOfIt ? registeredClient(registration) : { client_id: clientId };
}

/** Revokes the tokens at the service (RFC 7009). Rejects with `SignInFailure` and `HttpFailure`. */
export async function revoke(record: TokensRecord, ports: AccountPorts, fetchFn: FetchLike): Promise<void> {
  const { revocationEndpoint, refreshToken, accessToken, authMethods = [] } = record;
  if (revocationEndpoint === undefined) return;
  const { selectClientAuthMethod } = await import('@modelcontextprotocol/client');
  const client = await clientOf(record, ports);
  const { client_id, client_secret = '' } = client;
  const body = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
  });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  const method = selectClientAuthMethod(client, [...authMethods]);
  if (method === 'client_secret_basic')
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`);
  else body.set('client_id', client_id);
  if (method === 'client_secret_post') body.set('client_secret', client_secret);
  await fetchFn(revocationEndpoint, { method: 'POST', headers, body });
}
