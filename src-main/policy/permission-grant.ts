import type { GrantSubject } from '../../src-preload/contract/decision-reason.ts';
import type { SharedKeyUse } from '../../src-preload/contract/provider-keys.ts';
import type { TemplateId } from '../../src-preload/contract/servers.ts';
import type { ConfiguredValues, GrantedProvider, GrantHolder, ServerLaunch } from '../settings/permission-grants.ts';

/**
 * What each subject's permission grant names, JSON-like: exactly what would take effect. Confirmations hold its hash,
 * so another form of a value would be asked about again.
 */
export interface GrantValues extends ConfiguredValues {
  provider: ProviderWithKey;
  'provider-test': ProviderWithKey;
  'mcp-test': ServerLaunch;
  'mcp-sign-in': ServerSignIn;
  /** A URL. */
  'mcp-sign-in-address': string;
  skills: readonly FolderSkill[];
  /** The client's ID or secret as it may be shown, and which sign-ins end. */
  'google-client': string;
  'google-sign-in': AccountSignIn;
  /** A tool's description, or those of several by their names. */
  tool: string | Readonly<Record<string, string>>;
  update: NewVersion;
  /** The key as it may be shown. */
  key: string;
}

/**
 * Whose key a provider's requests are sent with, if that is settled: one key, or its own or else what `SharedKeyUse`
 * says of the vendor's. Otherwise it follows from the address.
 */
export type KeySent = 'entered' | 'own' | 'vendor' | 'none_sent' | SharedKeyUse;

export interface ProviderWithKey extends GrantedProvider {
  readonly key?: KeySent;
}

/** The MCP server, and what the user's account lets it do. */
export interface ServerSignIn {
  readonly server: string;
  /** Origins. */
  readonly signInAt: readonly string[];
  readonly scopes: readonly string[];
  /** Those of `scopes` that were not granted before; absent: it is the first sign-in. */
  readonly moreScopes?: readonly string[];
}

export interface AccountSignIn {
  /** The account's name: `Gmail`. */
  readonly account: string;
  /** The tool whose call needs it. */
  readonly neededFor?: string;
  /** How the last sign-in ended. */
  readonly ended?: string;
  readonly signInAt: string;
  /** What it may do, in words. */
  readonly may: readonly string[];
  readonly lasts: string;
}

/** With each file in full, because the model follows what it says. */
export interface FolderSkill {
  readonly name: string;
  readonly description: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly text: string }[];
}

interface NewVersion {
  readonly version: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha512: string;
  /** The hosts that it is downloaded from. */
  readonly hosts: readonly string[];
}

/** A secret, of which a question shows only this. */
export interface GivenSecret {
  readonly name: string;
  /** The last characters of the key. */
  readonly end: string;
  /** Set if it may decide what is run: then it is shown, as nothing that is started may be hidden. */
  readonly whole?: string;
  /**
   * In `memory`, because there is no usable keychain, it is gone when Steward quits. With `nowhere`, it is used once.
   */
  readonly keptIn: 'keychain' | 'memory' | 'nowhere';
}

/** What is asked about one grant. */
export interface GrantedValue<S extends GrantSubject> {
  readonly subject: S;
  /** A stable key of the item: `mcpServers.files`, `endpoints.anthropic`, `folders./home/ada/notes`. */
  readonly key: string;
  readonly value: GrantValues[S];
  /** The current value, if any; of an update, only its version is known. */
  readonly previous?: S extends 'update' ? Pick<NewVersion, 'version'> : GrantValues[S];
  /**
   * Secrets that go to the keychain with it, as they may be shown. They are asked about even if the value was
   * confirmed.
   */
  readonly secrets?: readonly GivenSecret[];
  /** For an MCP server: Steward's template that made the entry. */
  readonly template?: TemplateId;
}

interface GrantOf<S extends GrantSubject> extends GrantedValue<S> {
  readonly holder?: GrantHolder;
}

/** A value that would let the assistant do more: a server, a folder, an endpoint, a key. */
export type PermissionGrant<S extends GrantSubject = GrantSubject> = { [K in S]: GrantOf<K> }[S];
