import type { SettingsSection, VendorPage } from './settings.ts';

/** A place where a user can fix a failure. Trying again is not listed here. */
export type Remedy =
  /** `server` and `provider` say whose page to open: that of this MCP server, or of this model provider. */
  | {
      readonly kind: 'settings';
      readonly section: SettingsSection;
      readonly server?: string;
      readonly provider?: string;
    }
  | { readonly kind: 'page'; readonly page: VendorPage };

/** A user signs in to an MCP server on its page. */
export function signInRemedy(server: string): Remedy {
  return { kind: 'settings', section: 'servers', server };
}

/** A user changes a model provider (its key, address or model) on its page. */
export function providerRemedy(provider: string): Remedy {
  return { kind: 'settings', section: 'models', provider };
}

/** A user connects Google accounts, and enters their client, in the section *Accounts*. */
export const ACCOUNTS_REMEDY: Remedy = { kind: 'settings', section: 'accounts' };

export function leadsToAccounts(remedies: readonly Remedy[] = []): boolean {
  return remedies.some((remedy) => remedy.kind === 'settings' && remedy.section === 'accounts');
}

export interface SignInOffer {
  readonly server: string;
  readonly remedy: Remedy;
}

/** The MCP servers that a user can sign in to, which lets them answer. */
export function signInsOffered(remedies: readonly Remedy[] = []): readonly SignInOffer[] {
  return remedies.flatMap((remedy) =>
    remedy.kind === 'settings' && remedy.server !== undefined ? [{ remedy, server: remedy.server }] : [],
  );
}

export function needsSignInText(...servers: readonly string[]): string {
  return servers.length === 1
    ? `The MCP server ${servers[0]} needs you to sign in.`
    : `The MCP servers ${servers.join(', ')} need you to sign in.`;
}
