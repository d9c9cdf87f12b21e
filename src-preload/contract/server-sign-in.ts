import { z } from 'zod';
import { request } from './route.ts';

/** How far a sign-in to an MCP server is. `browser`: it is open, and waited for. */
export type SignInStep = 'discovering' | 'asking' | 'browser' | 'finishing';

/** Never holds a token, nor anything of the service's answers. */
export interface ServerSignIn {
  readonly server: string;
  readonly isSignedIn: boolean;
  /** `null`: nobody is signing in. */
  readonly step: SignInStep | null;
  /** Why the last sign-in did not work; `code` for programs, `message` for people. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

const server = z.object({ server: z.string().min(1).max(64) });

/** Signing in to remote MCP servers. Needs a click; what is signed in to is asked in the consent surface before the browser opens. */
export const serverSignIn = {
  /** Of every server with a URL, in the order of config.json. */
  list: request(z.object({})).returns<readonly ServerSignIn[]>(),
  /** Resolves once the sign-in is over, whatever the outcome. */
  signIn: request(server).returns<ServerSignIn>(),
  cancelSignIn: request(server).returns<ServerSignIn>(),
  /** Deletes the tokens and notifies the service. */
  signOut: request(server).returns<ServerSignIn>(),
};
