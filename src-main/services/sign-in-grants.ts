import { googleScopes, googleServiceNames, scopeInWords } from '../accounts/google/google-scopes.ts';
import type { GoogleService } from '../accounts/google/google-service.ts';
import { type SignInProblem, signInProblemText } from '../accounts/sign-in-problem.ts';
import type { SignInQuestion } from '../mcp/oauth/browser-sign-in.ts';
import type { PermissionGrant } from '../policy/permission-grant.ts';

/** May the user's browser be opened for this sign-in? */
export function signInGrant(
  server: string,
  { url, signInAt, scopes, scopesNow }: SignInQuestion,
): PermissionGrant<'mcp-sign-in'> {
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
export function signInAddressGrant(server: string, url: string): PermissionGrant<'mcp-sign-in-address'> {
  return { subject: 'mcp-sign-in-address', key: `mcpServers[${server}].signInAddress`, value: url };
}

export interface AccountQuestion {
  /** The tool whose call needs the sign-in. Undefined if the user wants to connect. */
  readonly tool: string | undefined;
  /** Origin of the page that the browser opens. */
  readonly signInAt: string;
  /** How the last sign-in ended, if it did. */
  readonly ended: SignInProblem | undefined;
  readonly keptIn: 'keychain' | 'memory';
}

const IN_KEYCHAIN =
  'Until you disconnect. If the consent screen of your Google client is in Testing, Google ends it after seven days.';
const IN_MEMORY = 'Until Steward quits, because there is no keychain.';

/** May the user's browser be opened to connect this account? */
export function accountGrant(
  service: GoogleService,
  { tool, signInAt, ended, keptIn }: AccountQuestion,
): PermissionGrant<'google-sign-in'> {
  return {
    subject: 'google-sign-in',
    key: `accounts.${service}.signIn`,
    value: {
      account: googleServiceNames[service],
      ...(tool === undefined ? {} : { neededFor: tool }),
      ...(ended === undefined ? {} : { ended: signInProblemText(ended) }),
      signInAt,
      may: googleScopes[service].map((scope) => capitalized(scopeInWords(scope))),
      lasts: keptIn === 'keychain' ? IN_KEYCHAIN : IN_MEMORY,
    },
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
