import { shownErrorCode } from '../../accounts/oauth-error-code.ts';
import { asSignInFailure } from '../../accounts/sign-in-failure.ts';
import { type SignInFailure as Failure, SignInFailure } from '../../accounts/sign-in-problem.ts';

/** Why a sign-in failed. Response bodies are left out: they may contain anything. */
export function signInFailure(error: unknown): Failure {
  const known = asSignInFailure(error);
  if (known.problem.code !== 'protocol' || !(error instanceof Error)) return known;
  const options = { cause: error };
  switch (error.name) {
    case 'IssuerMismatchError':
      return new SignInFailure({ code: 'issuer_mismatch' }, options);
    case 'RegistrationRejectedError':
      return new SignInFailure({ code: 'registration_refused', status: numberIn(error, 'status') }, options);
    case 'OAuthError':
      return new SignInFailure({ code: 'refused', error: oauthCode(error) ?? 'no reason given' }, options);
    case 'ZodError':
    case 'SyntaxError':
      return new SignInFailure({ code: 'protocol', reason: 'the service sent an unexpected response' }, options);
    default:
      return known;
  }
}

/** The error code from an authorization server; `undefined` if there is none. */
export function oauthCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'OAuthError' || !('code' in error)) return undefined;
  return shownErrorCode(String(error.code));
}

function numberIn(error: Error, key: string): number {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'number' ? value : 0;
}
