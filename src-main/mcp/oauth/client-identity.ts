import type { FetchLike, OAuthClientInformationMixed, OAuthClientMetadata } from '@modelcontextprotocol/client';
import { SignInFailure } from '../../accounts/sign-in-problem.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { type SecretOf, withSecrets } from '../transport/server-environment.ts';
import type { Discovered } from './discovery.ts';
import type { RegistrationRecord } from './sign-in-records.ts';

/**
 * A client identity comes, in order of preference, from the user, from a metadata document, or from dynamic
 * registration.
 */
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

type OAuthConfig = McpServerConfig['oauth'];

/** The client the user registered. Rejects with `ServerFailure` if its secret is missing. */
export async function givenClient(
  { clientId, clientSecret }: NonNullable<OAuthConfig> = {},
  secretOf: SecretOf,
): Promise<OAuthClientInformationMixed | undefined> {
  if (clientId === undefined) return undefined;
  const given = { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
  return { client_id: clientId, ...(await withSecrets(given, secretOf)) };
}

/** The client ID metadata document the user configured, if the service supports these. */
export function documentClient(
  { clientMetadataUrl }: NonNullable<OAuthConfig> = {},
  { metadata }: Pick<Discovered, 'metadata'>,
): OAuthClientInformationMixed | undefined {
  const isTaken = metadata?.client_id_metadata_document_supported === true;
  return clientMetadataUrl !== undefined && isTaken ? { client_id: clientMetadataUrl } : undefined;
}

export function registeredClient({
  clientId,
  clientSecret,
  authMethod,
}: RegistrationRecord): OAuthClientInformationMixed {
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(authMethod === undefined ? {} : { token_endpoint_auth_method: authMethod }),
  };
}

/** Registers Steward at the service (RFC 7591). Rejects with `SignInFailure` and the errors of the SDK. */
export async function register(
  { authorizationServer, metadata, registrationEndpoint, issuer }: Discovered,
  { redirectUri, port, scope }: { readonly redirectUri: string; readonly port: number; readonly scope: string },
  fetchFn: FetchLike,
): Promise<RegistrationRecord> {
  if (registrationEndpoint === undefined) throw new SignInFailure({ code: 'no_client' });
  const { registerClient } = await import('@modelcontextprotocol/client');
  const supported = metadata?.token_endpoint_auth_methods_supported;
  const method = AUTH_METHODS.find((each) => supported?.includes(each));
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Steward',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
    ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
  };
  const registered = await registerClient(authorizationServer, {
    ...(metadata === undefined ? {} : { metadata }),
    clientMetadata,
    ...(scope === '' ? {} : { scope }),
    fetchFn,
  });
  const { client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: authMethod } = registered;
  return {
    issuer,
    port,
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(authMethod === undefined ? {} : { authMethod }),
  };
}
