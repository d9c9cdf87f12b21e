import { type LoopbackOptions, LoopbackReceiver } from '../loopback-receiver.ts';
import { answered, browsed, codeIn } from '../sign-in-callback.ts';
import { asSignInFailure } from '../sign-in-failure.ts';
import { SignInFailure, type SignInProblem } from '../sign-in-problem.ts';
import type { GoogleAccount } from './google-account.ts';
import { issued } from './google-account.ts';
import { clientIdFlaw, clientSecretFlaw, type GoogleClient } from './google-client.ts';
import { googleScopes } from './google-scopes.ts';
import type { IssuedTokens } from './google-sign-in-requests.ts';

/** Quitting may wait for it. */
const REVOKE_WITHIN_MS = 5_000;

/** The current step. `browser`: it is open, and Steward is waiting. */
export type GoogleSignInStep = 'asking' | 'browser' | 'finishing';

export interface GoogleSignInPorts {
  /** Asks the user before the browser opens. */
  readonly confirm: (signInAt: string) => Promise<boolean>;
  /** The system's browser. */
  readonly openBrowser: (url: string) => Promise<void>;
  readonly onStep: (step: GoogleSignInStep) => void;
  /** Whether an account of this client is, or another one is being, signed in: revoking a token would end it too. */
  readonly hasAccounts: (clientId: string) => Promise<boolean>;
  readonly receiver?: Pick<LoopbackOptions, 'lifeMs' | 'clocks' | 'port'>;
  readonly signal: AbortSignal;
}

/**
 * One sign-in: asks, opens the browser, waits, and keeps the tokens. Resolves to what does not work yet with the
 * account, if anything. Rejects with `SignInFailure`, or with the signal's reason.
 */
export async function googleSignIn(
  account: GoogleAccount,
  ports: GoogleSignInPorts,
): Promise<SignInProblem | undefined> {
  const { confirm, openBrowser, onStep, signal } = ports;
  const { requests } = account.ports;
  const client = checkedClient(await account.ports.client());
  onStep('asking');
  if (!(await confirm(requests.signInOrigin))) throw new SignInFailure({ code: 'not_confirmed' });

  const receiver = await LoopbackReceiver.open({ ...ports.receiver, signal });
  try {
    const { redirectUri, state } = receiver;
    const scopes = googleScopes[account.service];
    const { url, codeVerifier } = requests.authorization(client, { redirectUri, state, scopes });
    onStep('browser');
    const callback = await browsed(receiver, url, openBrowser);
    onStep('finishing');
    let problem: SignInProblem | undefined;
    await answered(callback, async () => {
      const code = codeIn(callback.parameters);
      const tokens = await requests.exchange(client, { code, codeVerifier, redirectUri }, signal);
      try {
        problem = await kept(account, client, tokens, signal);
      } catch (error) {
        await revoked(account, client, tokens, ports);
        throw error;
      }
    });
    return problem;
  } finally {
    receiver.close();
  }
}

/** Throws `SignInFailure`. */
function checkedClient(client: GoogleClient | undefined): GoogleClient {
  if (client === undefined) throw new SignInFailure({ code: 'no_google_client' });
  // One from the environment has not been checked before.
  const flaw = clientIdFlaw(client.id) ?? clientSecretFlaw(client.secret);
  if (flaw !== undefined) throw new SignInFailure({ code: 'bad_google_client', flaw });
  return client;
}

async function kept(
  account: GoogleAccount,
  client: GoogleClient,
  tokens: IssuedTokens,
  signal: AbortSignal,
): Promise<SignInProblem | undefined> {
  const { service } = account;
  const { requests, now } = account.ports;
  const asked = googleScopes[service];
  const missing = asked.filter((scope) => tokens.scopes?.includes(scope) === false);
  const { refreshToken } = tokens;
  if (missing.length > 0) throw new SignInFailure({ code: 'scopes_not_granted', scopes: missing });
  if (refreshToken === undefined) throw new SignInFailure({ code: 'no_refresh_token' });
  const at = now();
  const profile = await requests.address(service, tokens.accessToken, signal).then(
    (address) => ({ address }),
    (error: unknown) => ({ problem: asSignInFailure(error).problem }),
  );
  const record = {
    clientId: client.id,
    connectedAt: at,
    ...issued(tokens, asked, at),
    refreshToken,
    ...('address' in profile ? { address: profile.address } : {}),
  };
  await account.keep(record, signal);
  return 'problem' in profile ? profile.problem : undefined;
}

/** Tokens that are not kept must not stay valid, also if the sign-in was cancelled. It never rejects. */
async function revoked(
  { ports: { requests } }: GoogleAccount,
  client: GoogleClient,
  { refreshToken, accessToken }: IssuedTokens,
  { hasAccounts }: GoogleSignInPorts,
): Promise<void> {
  if (await hasAccounts(client.id)) return;
  await requests.revoke(refreshToken ?? accessToken, AbortSignal.timeout(REVOKE_WITHIN_MS)).catch(() => undefined);
}
