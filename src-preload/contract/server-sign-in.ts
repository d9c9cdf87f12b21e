import { z } from 'zod';
import { request } from './route.ts';

/** The current step of a sign-in to an MCP server. At `browser`, the browser is open and Steward is waiting. */
export type SignInStep = 'discovering' | 'asking' | 'browser' | 'finishing';

/** Never contains a token or anything from the service's responses. */
export interface ServerSignIn {
  readonly server: string;
  readonly isSignedIn: boolean;
  /** `null` if no sign-in is in progress. */
  readonly step: SignInStep | null;
  /** Why the last sign-in failed; `code` for programs, `message` for people. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

const server = z.object({ server: z.string().min(1).max(64) });

/** Signing in to remote MCP servers. It needs a click, and the consent surface asks before the browser opens. */
export const serverSignIn = {
  /** Lists every server with a URL, in the order of config.json. */
  list: request(z.object({})).returns<readonly ServerSignIn[]>(),
  /** Resolves once the sign-in is over, whatever the outcome. */
  signIn: request(server).returns<ServerSignIn>(),
  cancelSignIn: request(server).returns<ServerSignIn>(),
  /** Deletes the tokens and notifies the service. */
  signOut: request(server).returns<ServerSignIn>(),
};
