import { z } from 'zod';
import { request } from './route.ts';

export const AccountName = z.enum(['gmail', 'calendar']);
/** A connected account: one grant of one service. */
export type AccountName = z.infer<typeof AccountName>;

/** The current step of a sign-in. At `browser`, the browser is open and Steward is waiting. */
export type AccountStep = 'asking' | 'browser' | 'finishing';

/**
 * `no_client` means that the Google client's id or secret is missing, `lapsed` that Google no longer accepts the
 * sign-in, so a new one is needed.
 */
export type AccountState = 'no_client' | 'not_connected' | 'connected' | 'lapsed';

/**
 * What disconnecting one account does to the sign-in that is kept. `revoke` also asks Google to end it. `delete`
 * doesn't tell Google, because that would end the sign-in to the other account.
 */
export type Disconnecting = 'revoke' | 'delete';

/** Never contains a token. Times are ISO 8601. */
export interface Account {
  readonly name: AccountName;
  readonly state: AccountState;
  /**
   * Null if no sign-in is kept. A sign-in of a Google client that is no longer set is kept but not used, and `state`
   * does not count it.
   */
  readonly disconnecting: Disconnecting | null;
  /** The signed-in user's mail address, if known. */
  readonly address: string | null;
  /** The scopes that Google granted, such as `https://www.googleapis.com/auth/gmail.readonly`. */
  readonly scopes: readonly string[];
  /** The place where the sign-in is kept, or would be. In `memory` it lasts until Steward quits. */
  readonly keptIn: 'keychain' | 'memory';
  readonly connectedAt: string | null;
  /** When the sign-in itself ends, if Google said so: a client whose consent screen is in Testing has seven days. */
  readonly endsAt: string | null;
  /** When the current access token expires, which is renewed silently. */
  readonly tokenExpiresAt: string | null;
  readonly lastRenewedAt: string | null;
  readonly lastUsed: { readonly tool: string; readonly at: string } | null;
  /** `null` if no sign-in is in progress. */
  readonly step: AccountStep | null;
  /** Why the last sign-in or test failed; `code` for programs, `message` for people. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

const account = z.object({ name: AccountName });

/** Signing in to Google. It needs a click, and the consent surface asks before the browser opens. */
export const accounts = {
  list: request(z.object({})).returns<readonly Account[]>(),
  /** Resolves once the sign-in is over, whatever the outcome. */
  connect: request(account).returns<Account>(),
  cancelConnect: request(account).returns<Account>(),
  /** Deletes the record. Google is asked to revoke it only if no other account of this client is left. */
  disconnect: request(account).returns<readonly Account[]>(),
  /** Deletes every record, and asks Google to revoke them. */
  disconnectAll: request(z.object({})).returns<readonly Account[]>(),
  /** Makes one harmless request with the sign-in; the outcome is in `problem`. */
  test: request(account).returns<Account>(),
};
