import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { secureAddress } from '../../accounts/secure-address.ts';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';

/** The `WWW-Authenticate` challenge of a server. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** What is needed to sign in to a server. */
export interface Discovered {
  readonly authorizationServer: string;
  /** Undefined for an older server with endpoints at fixed paths (MCP 2025-03-26). */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** The issuer that the metadata names, or the authorization server's URL if there is none. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** `undefined` if the service has no dynamic registration. */
  readonly registrationEndpoint: string | undefined;
  readonly revocationEndpoint: string | undefined;
  /** The resource indicator (RFC 8707), as the server writes it. */
  readonly resource: string | undefined;
  readonly resourceScopes: readonly string[] | undefined;
}

/**
 * Finds the authorization server of an MCP server (RFC 9728, RFC 8414, OpenID Connect Discovery). Rejects with
 * `SignInFailure` and the errors of the SDK.
 */
export async function discover(serverUrl: string, challenge: Challenge, fetchFn: FetchLike): Promise<Discovered> {
  const { checkResourceAllowed, discoverAuthorizationServerMetadata, resourceUrlFromServerUrl } = await import(
    '@modelcontextprotocol/client'
  );
  const resourceMetadata = await discoverResource(serverUrl, challenge, fetchFn);
  const resource = resourceMetadata?.resource;
  if (
    resource !== undefined &&
    !checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(serverUrl), configuredResource: resource })
  )
    throw new SignInFailure({ code: 'resource_mismatch' });
  const authorizationServer = resourceMetadata?.authorization_servers?.[0] ?? new URL('/', serverUrl).href;
  const metadata = await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn });
  const methods = metadata?.code_challenge_methods_supported;
  // MCP, "Authorization Code Protection": a service that does not list PKCE does not support it.
  if (metadata !== undefined && methods?.includes('S256') !== true)
    throw new SignInFailure({ code: 'pkce_unsupported' });
  const atFixedPlace = (path: string) => new URL(path, authorizationServer).href;
  const registration = metadata === undefined ? atFixedPlace('/register') : metadata.registration_endpoint;
  const revocation =
    metadata !== undefined && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  return {
    authorizationServer,
    metadata,
    issuer: metadata?.issuer ?? authorizationServer,
    authorizationEndpoint: secureAddress(metadata?.authorization_endpoint ?? atFixedPlace('/authorize')),
    tokenEndpoint: secureAddress(metadata?.token_endpoint ?? atFixedPlace('/token')),
    registrationEndpoint: registration === undefined ? undefined : secureAddress(registration),
    revocationEndpoint: typeof revocation === 'string' ? secureAddress(revocation) : undefined,
    resource,
    resourceScopes: resourceMetadata?.scopes_supported,
  };
}

/**
 * A server's protected resource metadata; `undefined` if it has none. A refused or unreadable response is a failure:
 * otherwise an attacker who corrupts it could choose another way to sign in.
 */
export async function discoverResource(
  serverUrl: string,
  { resourceMetadataUrl }: Challenge,
  fetchFn: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { discoverOAuthProtectedResourceMetadata } = await import('@modelcontextprotocol/client');
  let status = 0;
  const watched: FetchLike = async (url, init) => {
    status = 0;
    const response = await fetchFn(url, init);
    status = response.status;
    return response;
  };
  try {
    return await discoverOAuthProtectedResourceMetadata(
      serverUrl,
      resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
      watched,
    );
  } catch (error) {
    const isUnknown = resourceMetadataUrl === undefined && status >= 400 && status < 500;
    if (isUnknown) return undefined;
    throw error;
  }
}
