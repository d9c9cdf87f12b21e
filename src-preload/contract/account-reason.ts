/** Why a call that touches the user's mail or calendar was asked about; part of `DecisionReason`. */
export type AccountReason =
  /** A change that nobody else sees. */
  | { readonly code: 'account_write'; readonly account: 'gmail' | 'calendar' }
  | { readonly code: 'account_write_untrusted'; readonly account: 'gmail' | 'calendar' }
  /** A calendar other than the user's main one. `calendar`: its id. */
  | { readonly code: 'account_shared'; readonly calendar: string };

type Code = AccountReason['code'];

const ACCOUNTS = { gmail: 'your mailbox', calendar: 'your calendar' } as const;

export const ACCOUNT_REASON_TEXTS: {
  readonly [C in Code]: (reason: Extract<AccountReason, { code: C }>) => string;
} = {
  account_write: ({ account }) =>
    `Steward asks before it changes ${ACCOUNTS[account]}, unless one of your rules allows it.`,
  account_write_untrusted: ({ account }) =>
    `Text from outside is in this conversation, so Steward asks before it changes ${ACCOUNTS[account]}, unless you allowed it after that text was read.`,
  account_shared: ({ calendar }) =>
    `Other people may see the calendar ${calendar}, so Steward asks each time before it changes it.`,
};
