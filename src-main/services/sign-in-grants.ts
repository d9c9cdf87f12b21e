import type { SignInQuestion } from '../mcp/oauth/browser-sign-in.ts';
import type { PermissionGrant } from '../policy/permission-grants.ts';

/** May the user's browser be opened for this sign-in? */
export function signInGrant(server: string, { url, signInAt, scopes, scopesNow }: SignInQuestion): PermissionGrant {
  const shown = { server: url, signInAt, scopes };
  const more = scopesNow === undefined ? {} : { moreScopes: scopes.filter((scope) => !scopesNow.includes(scope)) };
  return {
    subject: 'mcp-sign-in',
    key: `mcpServers[${server}].signIn`,
    value: { ...shown, ...more },
    ...(scopesNow === undefined ? {} : { previous: { ...shown, scopes: scopesNow } }),
  };
}

/** May an address on the user's own machine or network be contacted for a sign-in? */
export function signInAddressGrant(server: string, url: string): PermissionGrant {
  return { subject: 'mcp-sign-in-address', key: `mcpServers[${server}].signInAddress`, value: url };
}
