import { ownValue } from '../../base/json.ts';
import { googleServiceNames, scopeInWords } from './google-scopes.ts';
import type { GoogleService } from './google-service.ts';

/** What looks wrong about a client id or secret. */
export type ClientFlaw =
  | 'id_is_secret'
  | 'id_is_api_key'
  | 'id_ending'
  | 'secret_is_id'
  | 'secret_is_api_key'
  | 'secret_form';

/** Why a sign-in to Google failed or ended, as data. */
export type GoogleSignInProblem =
  /** Google responded with this OAuth error code. */
  | { readonly code: 'google_refused'; readonly error: string }
  /** These scopes were not granted; the user can untick them. */
  | { readonly code: 'scopes_not_granted'; readonly scopes: readonly string[] }
  | { readonly code: 'no_refresh_token' }
  | { readonly code: 'no_google_client' }
  | { readonly code: 'bad_google_client'; readonly flaw: ClientFlaw }
  /**
   * There is no sign-in, and no one can be asked for one here. With `takesFlag`, `ask` would open the browser with
   * --sign-in.
   */
  | { readonly code: 'needs_sign_in'; readonly account: GoogleService; readonly takesFlag: boolean }
  /** The user declined it; calls don't ask again. */
  | { readonly code: 'declined_before'; readonly account: GoogleService }
  /**
   * Google no longer accepts the sign-in. With `testing`, the seven days are over that a client has whose consent
   * screen is in Testing.
   */
  | { readonly code: 'sign_in_ended'; readonly account: GoogleService; readonly why: 'testing' | 'refused' }
  /** The API is not switched on in the client's project. */
  | { readonly code: 'api_disabled'; readonly account: GoogleService }
  | { readonly code: 'api_refused'; readonly account: GoogleService; readonly status: number }
  /** The account was disconnected, but Google could not be told. */
  | { readonly code: 'not_revoked'; readonly reason: string };

const PERMISSIONS_PAGE = 'myaccount.google.com/permissions';

const FLAWS: Readonly<Record<ClientFlaw, string>> = {
  id_is_secret: 'This is a client secret. The client ID ends in .apps.googleusercontent.com.',
  id_is_api_key: 'This is an API key. A client ID ends in .apps.googleusercontent.com.',
  id_ending:
    'This does not look like a client ID, which has no blanks and ends in .apps.googleusercontent.com. Copy it again.',
  secret_is_id: 'This is a client ID. The client secret is shown beside it and usually begins with GOCSPX-.',
  secret_is_api_key: 'This is an API key. The client secret usually begins with GOCSPX-.',
  secret_form: 'This does not look like a client secret, which usually begins with GOCSPX-. Copy it again.',
};

export function clientFlawText(flaw: ClientFlaw): string {
  return FLAWS[flaw];
}

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_client: 'Google does not accept the client ID or the client secret. Check both in Settings.',
  unauthorized_client: 'Google does not let this client sign in. It must be of the type "Desktop app".',
  redirect_uri_mismatch: 'Google does not let this client sign in. It must be of the type "Desktop app".',
  deleted_client: 'The Google client was deleted. Make a new one and enter its ID and secret in Settings.',
  admin_policy_enforced: "Your organization's administrator does not allow this.",
  org_internal: 'The Google client is only for people of its organization.',
};

/** The pages on which an API is switched on for the project of a client. */
export const API_PAGES: Readonly<Record<GoogleService, string>> = {
  gmail: 'https://console.cloud.google.com/apis/library/gmail.googleapis.com',
  calendar: 'https://console.cloud.google.com/apis/library/calendar-json.googleapis.com',
};

/** The text has no full stop, because a tool's error may go on. */
export function apiOffText(service: GoogleService): string {
  return `The ${googleServiceNames[service]} API is not switched on in your Google Cloud project. Switch it on at ${API_PAGES[service]} and try again in a few minutes`;
}

export function googleSignInProblemText(problem: GoogleSignInProblem): string {
  switch (problem.code) {
    case 'google_refused':
      return ownValue(REFUSALS, problem.error) ?? `Google refused the sign-in (${problem.error}). Sign in again.`;
    case 'scopes_not_granted':
      return `You did not allow Steward to ${problem.scopes.map(scopeInWords).join(', or to ')}, so you are not connected. Connect again and tick every box.`;
    case 'no_refresh_token':
      return `Google gave no lasting sign-in. Remove Steward's access at ${PERMISSIONS_PAGE} and connect again.`;
    case 'no_google_client':
      return 'The Google client ID or client secret is missing. Enter both in Settings, under Accounts.';
    case 'bad_google_client':
      return clientFlawText(problem.flaw);
    case 'needs_sign_in':
      return `You are not connected to ${googleServiceNames[problem.account]}. Connect it in Settings, under Accounts${problem.takesFlag ? '; "ask" also takes --sign-in' : ''}.`;
    case 'declined_before':
      return `You declined to connect ${googleServiceNames[problem.account]}. You can connect it in Settings, under Accounts.`;
    case 'sign_in_ended':
      return problem.why === 'testing'
        ? `Google ended the sign-in to ${googleServiceNames[problem.account]} after seven days, because your Google client's consent screen is in Testing. Sign in again, and publish the client to stay connected.`
        : `Google no longer accepts the sign-in to ${googleServiceNames[problem.account]}. Sign in again.`;
    case 'api_disabled':
      return `${apiOffText(problem.account)}.`;
    case 'api_refused':
      return `${googleServiceNames[problem.account]} refused the request (HTTP ${problem.status}).`;
    case 'not_revoked':
      return `Disconnected, but Google could not be told: ${problem.reason} You can remove Steward's access at ${PERMISSIONS_PAGE}.`;
  }
}
