import { z } from 'zod';
import { request } from './route.ts';
import { SecretName, type SecretStatus } from './settings.ts';

/** `product` is the program that answers for the Secret Service, if it is a known one. */
export type KeychainBackend =
  | { readonly kind: 'macos' | 'windows' }
  | { readonly kind: 'secret-service'; readonly product: 'gnome-keyring' | 'kwallet' | 'keepassxc' | null }
  /** No keychain exists, or it can't be used. Secrets are kept until Steward quits. */
  | { readonly kind: 'memory' };

/** A key, or a part of the Google client. */
export interface StoredKey extends SecretStatus {
  /** The name of its keychain entry. */
  readonly entry: string;
  readonly canBeTested: boolean;
  /** When the key was last used (ISO 8601), or null if it was not since Steward was started. */
  readonly lastUsedAt: string | null;
}

/** A value that the configuration of an MCP server refers to by `${keychain:NAME}`. */
export interface ServerSecret {
  readonly server: string;
  readonly name: string;
  readonly entry: string;
  readonly isSet: boolean;
  readonly keptIn: 'keychain' | 'memory';
  readonly lastUsedAt: string | null;
}

/** The sign-in to a remote MCP server. Times are ISO 8601. */
export interface StoredSignIn {
  readonly server: string;
  readonly entry: string;
  /** The scopes that were granted, or none if the service named none. */
  readonly scopes: readonly string[];
  readonly keptIn: 'keychain' | 'memory';
  /** When the access token expires. */
  readonly expiresAt: string | null;
  /** The token is renewed when it expires. */
  readonly isRenewed: boolean;
}

/** Everything that Steward keeps secret, except for connected accounts (`accounts.list`). Never contains a value. */
export interface CredentialList {
  readonly keychain: KeychainBackend;
  /** The keys that are set. */
  readonly keys: readonly StoredKey[];
  readonly serverSecrets: readonly ServerSecret[];
  readonly signIns: readonly StoredSignIn[];
}

export const credentials = {
  list: request(z.object({})).returns<CredentialList>(),
  /** Asks the service with the stored key. Needs a click. */
  testKey: request(z.object({ name: SecretName })).returns<{ readonly works: boolean; readonly message: string }>(),
  /** Deletes a value of an MCP server. Needs a click. */
  removeServerSecret: request(
    z.object({ server: z.string().min(1).max(100), name: z.string().min(1).max(100) }),
  ).returns<CredentialList>(),
};
