import type { FreedomLasts } from '../../src-preload/contract/bounds.ts';
import type { GrantSubject } from '../../src-preload/contract/decision-reason.ts';
import type { SharedKeyUse } from '../../src-preload/contract/provider-keys.ts';
import type { TemplateId } from '../../src-preload/contract/servers.ts';
import type { ConfiguredValues, GrantedProvider, GrantHolder, ServerLaunch } from '../settings/permission-grants.ts';

/**
 * What the permission grant of each subject names, as JSON-like values: exactly what would take effect. Confirmations
 * hold the hash of it, so a value in another form would be asked about again.
 */
export interface GrantValues extends ConfiguredValues {
  'work-freely': GrantedFreedom;
  'unasked-commands': true;
  provider: ProviderWithKey;
  'provider-test': ProviderWithKey;
  'mcp-test': ServerLaunch;
  'mcp-sign-in': ServerSignIn;
  /** The URL of the sign-in. */
  'mcp-sign-in-address': string;
  skills: readonly FolderSkill[];
  /** The client's ID or secret as it may be shown, and the sign-ins that end. */
  'google-client': string;
  'google-sign-in': AccountSignIn;
  /** The description of a tool, or those of several tools by their names. */
  tool: string | Readonly<Record<string, string>>;
  update: NewVersion;
  /** The key as it may be shown. */
  key: string;
}

export interface GrantedFreedom {
  /** The real path of a root. */
  readonly folder: string;
  readonly lasts: FreedomLasts;
  /** Without it, edits alone are covered. */
  readonly holdsCommands: boolean;
  /** A rule lets a command run there without a question. */
  readonly meetsRules: boolean;
}

/**
 * Whose key the requests of a provider are sent with, if that is settled: one that was entered, or the provider's own
 * and otherwise what `SharedKeyUse` says of the vendor's. If it isn't settled, it follows from the address.
 */
export type KeySent = 'entered' | 'own' | 'vendor' | 'none_sent' | SharedKeyUse;

export interface ProviderWithKey extends GrantedProvider {
  readonly key?: KeySent;
}

/** The sign-in to an MCP server, and what the user's account lets that server do. */
export interface ServerSignIn {
  readonly server: string;
  /** The origins of the pages where the user signs in. */
  readonly signInAt: readonly string[];
  readonly scopes: readonly string[];
  /** The scopes that were not granted before. Absent at the first sign-in. */
  readonly moreScopes?: readonly string[];
}

export interface AccountSignIn {
  /** The account's name, such as `Gmail`. */
  readonly account: string;
  /** The tool whose call needs the account. */
  readonly neededFor?: string;
  /** How the last sign-in ended. */
  readonly ended?: string;
  readonly signInAt: string;
  /** What Steward may do with the account, in words. */
  readonly may: readonly string[];
  readonly lasts: string;
}

/** A skill in a folder, with each of its files in full, because the model follows what it says. */
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

/** A secret of which a question shows only this. */
export interface GivenSecret {
  readonly name: string;
  /** The last characters of the key. */
  readonly end: string;
  /**
   * The whole secret, if it may decide what is run. Nothing that is started may be hidden: an `NODE_OPTIONS` kept in
   * the keychain can load `--require ./x.js`.
   */
  readonly whole?: string;
  /**
   * With `memory`, there is no usable keychain, and the secret is gone when Steward quits. With `nowhere`, it is used
   * once.
   */
  readonly keptIn: 'keychain' | 'memory' | 'nowhere';
}

/** The value that a question about a grant is about. */
export interface GrantedValue<S extends GrantSubject> {
  readonly subject: S;
  /** The stable key of the item: `mcpServers.files`, `endpoints.anthropic`, `folders./home/ada/notes`. */
  readonly key: string;
  readonly value: GrantValues[S];
  /** The current value, if there is one. For an update, only its version is known. */
  readonly previous?: S extends 'update' ? Pick<NewVersion, 'version'> : GrantValues[S];
  /**
   * The secrets that go to the keychain with the value, as they may be shown. They are asked about even if the value
   * was confirmed.
   */
  readonly secrets?: readonly GivenSecret[];
  /** Steward's template that made the entry of an MCP server. */
  readonly template?: TemplateId;
}

interface GrantOf<S extends GrantSubject> extends GrantedValue<S> {
  readonly holder?: GrantHolder;
}

/** A value that would let the assistant do more: a server, a folder, an endpoint, a key. */
export type PermissionGrant<S extends GrantSubject = GrantSubject> = { [K in S]: GrantOf<K> }[S];
