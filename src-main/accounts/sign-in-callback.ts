import { errorMessage } from '../base/errors.ts';
import type { Callback, LoopbackReceiver } from './loopback-receiver.ts';
import { shownErrorCode } from './oauth-error-code.ts';
import { SignInFailure } from './sign-in-problem.ts';

/** Opens the browser and waits for it to come back. Rejects with `SignInFailure`, or with the signal's reason. */
export async function browsed(
  receiver: LoopbackReceiver,
  url: string,
  openBrowser: (url: string) => Promise<void>,
): Promise<Callback> {
  const opened = openBrowser(url).catch((error: unknown) => {
    throw new SignInFailure({ code: 'browser_not_opened', reason: errorMessage(error) }, { cause: error });
  });
  // Some ways of opening a browser only return when it exits.
  return Promise.race([receiver.callback(), opened.then(() => receiver.callback())]);
}

/** Finishes the sign-in and shows the outcome in the browser. */
export async function answered({ answer }: Callback, rest: () => Promise<void>): Promise<void> {
  try {
    await rest();
    answer('signed-in');
  } catch (error) {
    answer(error instanceof SignInFailure && error.problem.code === 'denied' ? 'denied' : 'failed');
    throw error;
  }
}

/** Throws `SignInFailure`. */
export function codeIn(parameters: URLSearchParams): string {
  const error = parameters.get('error');
  if (error === 'access_denied') throw new SignInFailure({ code: 'denied' });
  const code = parameters.get('code');
  if (error === null && code !== null && code !== '') return code;
  throw new SignInFailure({ code: 'refused', error: shownErrorCode(error ?? '') ?? 'no reason given' });
}
