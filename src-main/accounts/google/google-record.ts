import type { SecretName } from '../../secrets/secret-names.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { asciiJson, parsedRecord } from '../ascii-record.ts';
import type { GoogleService } from './google-service.ts';

/** A sign-in to one service of Google. Times are milliseconds since 1970. */
export interface GoogleRecord {
  /** The tokens are of no use with another client. */
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The scopes that Google granted. */
  readonly scopes: readonly string[];
  /** The user's mail address, if Google told it. */
  readonly address?: string;
  readonly connectedAt: number;
  /** When the access token was issued. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** When the sign-in itself ends, if Google said so. It does for clients in Testing. */
  readonly endsAt?: number;
}

const NAMES = { gmail: 'google-gmail', calendar: 'google-calendar' } as const satisfies Record<
  GoogleService,
  SecretName
>;

/** The records in the keychain: `Steward/google-gmail`, `Steward/google-calendar`. */
export class GoogleRecords {
  readonly #secrets: Pick<Secrets, 'get' | 'set' | 'remove'>;

  constructor(secrets: Pick<Secrets, 'get' | 'set' | 'remove'>) {
    this.#secrets = secrets;
  }

  async get(service: GoogleService, options: { readonly isFresh?: boolean } = {}): Promise<GoogleRecord | undefined> {
    return parseRecord(parsedRecord((await this.#secrets.get(NAMES[service], options))?.value));
  }

  /** Whether it is only kept until Steward quits. */
  async isInMemory(service: GoogleService): Promise<boolean> {
    return (await this.#secrets.get(NAMES[service]))?.source === 'memory';
  }

  /** Rejects with `SecretsError`. */
  async keep(service: GoogleService, record: GoogleRecord): Promise<void> {
    await this.#secrets.set(NAMES[service], asciiJson(record));
  }

  /** Rejects with `SecretsError`. */
  async remove(service: GoogleService): Promise<void> {
    await this.#secrets.remove(NAMES[service]);
  }
}

function parseRecord(stored: Readonly<Record<string, unknown>>): GoogleRecord | undefined {
  const { clientId, accessToken, refreshToken, scopes, address, connectedAt, issuedAt, expiresAt, endsAt } = stored;
  if (
    typeof clientId !== 'string' ||
    typeof accessToken !== 'string' ||
    typeof refreshToken !== 'string' ||
    typeof connectedAt !== 'number' ||
    typeof issuedAt !== 'number' ||
    typeof expiresAt !== 'number'
  )
    return undefined;
  return {
    clientId,
    accessToken,
    refreshToken,
    connectedAt,
    issuedAt,
    expiresAt,
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    ...(typeof address === 'string' ? { address } : {}),
    ...(typeof endsAt === 'number' ? { endsAt } : {}),
  };
}
