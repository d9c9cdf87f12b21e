/** A service where the user can connect an account. */
export type AccountName = 'gmail' | 'calendar';

/**
 * Why Steward asked about a call that touches the user's mail or calendar, or about a mail; part of `DecisionReason`.
 */
export type AccountReason =
  /** A change that nobody else sees. */
  | { readonly code: 'account_write'; readonly account: AccountName }
  | { readonly code: 'account_write_untrusted'; readonly account: AccountName }
  /** The calendar with the id `calendar` is not the user's main one. */
  | { readonly code: 'account_shared'; readonly calendar: string }
  /**
   * A mail that the user approved may not have been sent. With `not_begun`, no request to send it left. With
   * `not_found`, it is not among the sent mail. With `not_checked`, Gmail could not be asked; `problem` says why,
   * partly in Gmail's words, and is empty if Steward was closed. `approvedFor` is the account that the mail was
   * approved for, if another one is connected now.
   */
  | {
      readonly code: 'mail_unsettled';
      readonly check: 'not_begun' | 'not_found' | 'not_checked';
      readonly problem: string;
      readonly approvedFor?: string;
    };

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
  mail_unsettled: ({ check, problem, approvedFor }) => {
    const closed = `Steward was closed ${check === 'not_begun' ? 'before it was sent' : 'while it was being sent'}.`;
    const other =
      approvedFor === undefined ? '' : ` It was to be sent from ${approvedFor}, but another account is connected now.`;
    const what = `You approved this email. ${problem === '' ? closed : `Sending it failed: ${sentence(problem)}`}${other}`;
    if (check === 'not_begun') return what;
    return check === 'not_found'
      ? `${what} It is not among your sent mail.`
      : `${what} Steward could not check whether it was sent, so look at ${approvedFor === undefined ? 'your sent mail' : `the mail sent from ${approvedFor}`} first.`;
  },
};

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
