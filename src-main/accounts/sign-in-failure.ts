import { errorMessage } from '../base/errors.ts';
import { HttpFailure } from '../network/http.ts';
import { SecretsError } from '../secrets/secrets.ts';
import { SignInFailure } from './sign-in-problem.ts';

/** Why a sign-in failed, whatever was thrown. Response bodies are left out: they may contain anything. */
export function asSignInFailure(error: unknown): SignInFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof SignInFailure) return cause;
  const options = { cause: error };
  if (error instanceof SecretsError) return new SignInFailure({ code: 'not_kept', reason: error.message }, options);
  if (error instanceof HttpFailure) return new SignInFailure({ code: 'unreachable', reason: error.message }, options);
  return new SignInFailure({ code: 'protocol', reason: errorMessage(error).slice(0, 300) }, options);
}
