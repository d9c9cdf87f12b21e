/** Why a sign-in did not work, as data; the sentence is made where it is read (`signInProblemText`). */
export type SignInProblem =
  /** The port on this machine that signing in comes back to is used by another program, or may not be used. */
  | { readonly code: 'port_taken'; readonly port: number }
  /** The browser did not come back in time. */
  | { readonly code: 'expired'; readonly minutes: number }
  | { readonly code: 'cancelled' }
  /** The person declined Steward's question. */
  | { readonly code: 'not_confirmed' }
  /** The person declined in the browser, or the service did. */
  | { readonly code: 'denied' }
  /** The service answered with this error code of OAuth. */
  | { readonly code: 'refused'; readonly error: string }
  /** The answer came from another service than the one that was asked. */
  | { readonly code: 'issuer_mismatch' }
  /** Neither https nor this machine. */
  | { readonly code: 'insecure_address'; readonly url: string }
  | { readonly code: 'address_not_allowed'; readonly url: string }
  /** A request with a secret in it was to be sent on to another address. */
  | { readonly code: 'redirected'; readonly url: string }
  /** What the server says that it is, is not its address. */
  | { readonly code: 'resource_mismatch' }
  /** The service does not do what keeps a code from being used by others (RFC 7636). */
  | { readonly code: 'pkce_unsupported' }
  /** The service knows Steward only by a client id that the person has to give. */
  | { readonly code: 'no_client' }
  | { readonly code: 'registration_refused'; readonly status: number }
  | { readonly code: 'browser_not_opened'; readonly reason: string }
  | { readonly code: 'not_kept'; readonly reason: string }
  | { readonly code: 'unreachable'; readonly reason: string }
  | { readonly code: 'protocol'; readonly reason: string };

/** Carries a problem to whoever shows it. */
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
      return 'You did not confirm it, so nobody was signed in.';
    case 'denied':
      return 'Access was denied in the browser.';
    case 'refused':
      return `The service refused the sign-in (${problem.error}).`;
    case 'issuer_mismatch':
      return 'The answer came from another service than the one that was asked, so it was not used.';
    case 'insecure_address':
      return `${problem.url} is neither https nor on this machine, so nothing was sent there.`;
    case 'address_not_allowed':
      return `${problem.url} was not allowed, so it was not contacted.`;
    case 'redirected':
      return `The service wanted a secret to be sent on to ${problem.url}, which was not done.`;
    case 'resource_mismatch':
      return 'The server names another address as its own, so a sign-in would be for somebody else.';
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
  }
}
