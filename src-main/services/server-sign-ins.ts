import { ownValue } from '../base/json.ts';
import { SignIns, type SignInsPorts } from '../mcp/oauth/sign-ins.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import { signInAddressGrant, signInGrant } from './sign-in-grants.ts';

export interface ServerSignInsPorts
  extends Pick<SignInsPorts, 'http' | 'secrets' | 'secretOf' | 'locksFolder' | 'openBrowser'> {
  readonly effective: EffectiveSettings;
}

/** The sign-ins to servers of config.json. The browser, and private addresses, are asked about first. */
export function serverSignIns({ effective, ...ports }: ServerSignInsPorts): SignIns {
  return new SignIns({
    ...ports,
    configOf: (server) => ownValue(effective.config.mcpServers, server),
    confirm: (server, question, signal) => effective.askForGrant(signInGrant(server, question), signal),
    confirmPrivate: async (server, url, signal) =>
      effective.config.tools.allowPrivateNetwork !== 'never' &&
      effective.askForGrant(signInAddressGrant(server, url), signal),
    now: () => Date.now(),
  });
}
