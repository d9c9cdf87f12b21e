import { type GoogleSignInProblem, googleSignInProblemText } from './google/google-problem.ts';

/** Why a sign-in failed, as data; `signInProblemText` makes the sentence. */
export type SignInProblem =
  | GoogleSignInProblem
  /** The redirect port is in use, or must not be used. */
  | { readonly code: 'port_taken'; readonly port: number }
  /** The browser did not come back in time. */
  | { readonly code: 'expired'; readonly minutes: number }
  | { readonly code: 'cancelled' }
  /** The user declined Steward's question. */
  | { readonly code: 'not_confirmed' }
  /** The user declined in the browser, or the service refused. */
  | { readonly code: 'denied' }
  /** The service responded with this OAuth error code. */
  | { readonly code: 'refused'; readonly error: string }
  /** The response came from a different service. */
  | { readonly code: 'issuer_mismatch' }
  /** The address is neither https nor on this machine. */
  | { readonly code: 'insecure_address'; readonly url: string }
  | { readonly code: 'address_not_allowed'; readonly url: string }
  /** A request containing a secret was redirected to another address. */
  | { readonly code: 'redirected'; readonly url: string }
  /** The resource in the server's metadata is not its URL. */
  | { readonly code: 'resource_mismatch' }
  /** The service does not support PKCE with S256, which protects the code (RFC 7636). */
  | { readonly code: 'pkce_unsupported' }
  /** The service needs a client id that the user has to provide. */
  | { readonly code: 'no_client' }
  | { readonly code: 'registration_refused'; readonly status: number }
  | { readonly code: 'browser_not_opened'; readonly reason: string }
  | { readonly code: 'not_kept'; readonly reason: string }
  | { readonly code: 'unreachable'; readonly reason: string }
  | { readonly code: 'protocol'; readonly reason: string };

/** An error that carries a problem. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, options?: ErrorOptions) {
    super(signInProblemText(problem), options);
    this.problem = problem;
  }
}

export function signInProblemText(problem: SignInProblem): string {
  switch (problem.code) {
    case 'port_taken':
      return `Port ${problem.port} on this machine, which the browser comes back to, can't be used. Close the program that uses it, or choose another port (oauth.callbackPort).`;
    case 'expired':
      return `The browser did not come back within ${problem.minutes} minutes. Sign in again.`;
    case 'cancelled':
      return 'The sign-in was cancelled.';
    case 'not_confirmed':
      return 'You did not confirm it, so you are not signed in.';
    case 'denied':
      return 'Access was denied in the browser.';
    case 'refused':
      return `The service refused the sign-in (${problem.error}).`;
    case 'issuer_mismatch':
      return 'The response came from a different service than expected, so it was not used.';
    case 'insecure_address':
      return `${problem.url} is neither https nor on this machine, so nothing was sent there.`;
    case 'address_not_allowed':
      return `${problem.url} was not allowed, so it was not contacted.`;
    case 'redirected':
      return `The service tried to redirect a secret to ${problem.url}. Steward did not send it.`;
    case 'resource_mismatch':
      return 'The server names another address as its own, so signing in would give access to someone else.';
    case 'pkce_unsupported':
      return 'The service does not support PKCE with S256, without which a sign-in can be stolen.';
    case 'no_client':
      return 'The service does not let Steward register itself. Register Steward there and enter the client id (oauth.clientId).';
    case 'registration_refused':
      return `The service did not let Steward register itself (HTTP ${problem.status}). Register Steward there and enter the client id (oauth.clientId).`;
    case 'browser_not_opened':
      return `The browser could not be opened: ${problem.reason}.`;
    case 'not_kept':
      return `The sign-in worked but could not be kept: ${problem.reason}`;
    case 'unreachable':
    case 'protocol':
      return `The sign-in did not work: ${problem.reason}`;
    default:
      return googleSignInProblemText(problem);
  }
}
