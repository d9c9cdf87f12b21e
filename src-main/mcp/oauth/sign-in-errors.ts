import { type SignInFailure as Failure, SignInFailure } from '../../accounts/sign-in-problem.ts';
import { errorMessage } from '../../base/errors.ts';
import { SecretsError } from '../../secrets/secrets.ts';

/** Longer texts and other characters are not OAuth error codes (RFC 6749 section 5.2). */
const ERROR_CODE = /^[\w.-]{1,60}$/;

/** Why a sign-in failed. Response bodies are left out: they may contain anything. */
export function signInFailure(error: unknown): Failure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof SignInFailure) return cause;
  const options = { cause: error };
  if (error instanceof SecretsError) return new SignInFailure({ code: 'not_kept', reason: error.message }, options);
  if (!(error instanceof Error)) return new SignInFailure({ code: 'protocol', reason: errorMessage(error) });
  switch (error.name) {
    case 'IssuerMismatchError':
      return new SignInFailure({ code: 'issuer_mismatch' }, options);
    case 'RegistrationRejectedError':
      return new SignInFailure({ code: 'registration_refused', status: numberIn(error, 'status') }, options);
    case 'OAuthError':
      return new SignInFailure({ code: 'refused', error: oauthCode(error) ?? 'no reason given' }, options);
    case 'HttpFailure':
      return new SignInFailure({ code: 'unreachable', reason: error.message }, options);
    case 'ZodError':
    case 'SyntaxError':
      return new SignInFailure({ code: 'protocol', reason: 'the service sent an unexpected response' }, options);
    default:
      return new SignInFailure({ code: 'protocol', reason: error.message.slice(0, 300) }, options);
  }
}

/** The error code from an authorization server; `undefined` if there is none. */
export function oauthCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'OAuthError' || !('code' in error)) return undefined;
  return shownErrorCode(String(error.code));
}

/** `undefined` if the text is not an error code. */
export function shownErrorCode(text: string): string | undefined {
  return ERROR_CODE.test(text) ? text : undefined;
}

function numberIn(error: Error, key: string): number {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'number' ? value : 0;
}
