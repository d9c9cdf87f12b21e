import { asciiJson, parsedRecord } from '../../accounts/ascii-record.ts';
import { mcpRecordName } from '../../secrets/secret-names.ts';
import type { Secrets } from '../../secrets/secrets.ts';

/** Steward's registration at an authorization server. */
export interface RegistrationRecord {
  readonly issuer: string;
  /** The redirect port; the registration is valid for no other. */
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly authMethod?: string;
}

/** The result of a sign-in. */
export interface TokensRecord {
  /** The MCP server's. The tokens are only sent there, even if the name is reused for another server. */
  readonly serverUrl: string;
  readonly issuer: string;
  /** The server's metadata names it. */
  readonly authorizationServer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly authMethods?: readonly string[];
  readonly clientId: string;
  /** The resource indicator (RFC 8707). */
  readonly resource?: string;
  /** Origins on private networks that the user confirmed. */
  readonly privateOrigins: readonly string[];
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** The scopes, separated by spaces. */
  readonly scope?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** The records of one server in the keychain: `Steward/mcp/{server}/oauth:client` and `oauth:tokens`. */
export class SignInRecords {
  readonly #secrets: Pick<Secrets, 'get' | 'set' | 'remove'>;
  readonly #server: string;

  constructor(secrets: Pick<Secrets, 'get' | 'set' | 'remove'>, server: string) {
    this.#secrets = secrets;
    this.#server = server;
  }

  async tokens(options: { readonly isFresh?: boolean } = {}): Promise<TokensRecord | undefined> {
    const stored = await this.#secrets.get(mcpRecordName(this.#server, 'oauth:tokens'), options);
    return parseTokens(parsedRecord(stored?.value));
  }

  /** Rejects with `SecretsError`. */
  async keepTokens(record: TokensRecord): Promise<void> {
    await this.#secrets.set(mcpRecordName(this.#server, 'oauth:tokens'), asciiJson(record));
  }

  async removeTokens(): Promise<void> {
    await this.#secrets.remove(mcpRecordName(this.#server, 'oauth:tokens'));
  }

  async registration(): Promise<RegistrationRecord | undefined> {
    const stored = await this.#secrets.get(mcpRecordName(this.#server, 'oauth:client'), { isFresh: true });
    return parseRegistration(parsedRecord(stored?.value));
  }

  /** Rejects with `SecretsError`. */
  async keepRegistration(record: RegistrationRecord): Promise<void> {
    await this.#secrets.set(mcpRecordName(this.#server, 'oauth:client'), asciiJson(record));
  }

  async removeRegistration(): Promise<void> {
    await this.#secrets.remove(mcpRecordName(this.#server, 'oauth:client'));
  }
}

function parseTokens(stored: Readonly<Record<string, unknown>>): TokensRecord | undefined {
  const { serverUrl, issuer, authorizationServer, tokenEndpoint, clientId, accessToken } = stored;
  if (
    typeof serverUrl !== 'string' ||
    typeof issuer !== 'string' ||
    typeof authorizationServer !== 'string' ||
    typeof tokenEndpoint !== 'string' ||
    typeof clientId !== 'string' ||
    typeof accessToken !== 'string'
  )
    return undefined;
  const texts = ['revocationEndpoint', 'resource', 'refreshToken', 'scope'] as const;
  return {
    serverUrl,
    issuer,
    authorizationServer,
    tokenEndpoint,
    clientId,
    accessToken,
    ...Object.fromEntries(texts.flatMap((key) => (typeof stored[key] === 'string' ? [[key, stored[key]]] : []))),
    ...(Array.isArray(stored.authMethods) ? { authMethods: stored.authMethods.map(String) } : {}),
    ...(typeof stored.expiresAt === 'number' ? { expiresAt: stored.expiresAt } : {}),
    privateOrigins: Array.isArray(stored.privateOrigins) ? stored.privateOrigins.map(String) : [],
  };
}

function parseRegistration(stored: Readonly<Record<string, unknown>>): RegistrationRecord | undefined {
  const { issuer, port, clientId, clientSecret, authMethod } = stored;
  if (typeof issuer !== 'string' || typeof port !== 'number' || typeof clientId !== 'string') return undefined;
  return {
    issuer,
    port,
    clientId,
    ...(typeof clientSecret === 'string' ? { clientSecret } : {}),
    ...(typeof authMethod === 'string' ? { authMethod } : {}),
  };
}
