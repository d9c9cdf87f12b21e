import type { AccountName } from '../../../src-preload/contract/account-reason.ts';
import { privateMark } from '../mark-sources.ts';
import type { RuleDraft, RuleMatcher } from '../rules.ts';
import type { TouchedKind } from './access-kind.ts';
import { allows, asks, byRuleBesideOutsideText, has, type JudgeInput, type Verdict } from './verdict.ts';

/**
 * The user's own account at a service they connected. Nobody else sees what is asked of it, so it is no network host.
 * Source: design section 4 ("Connected accounts").
 */
export interface AccountAccess {
  readonly kind: 'account';
  /** A `write` is a change that only the user sees. A change that reaches other people is another access. */
  readonly class: 'read' | 'write';
  readonly account: AccountName;
  /** The calendar's id, if it is not the user's main one: other people may see what is in it. */
  readonly calendar?: string;
  /** The event that would be created. */
  readonly event?: EventDetails;
}

/** An event as people read it. Everything but `when` is untrusted. */
export interface EventDetails {
  readonly title: string;
  /** The time in words, in the user's local time and with the time zone. */
  readonly when: string;
  readonly place?: string;
  readonly description?: string;
}

export const accountKind: TouchedKind<AccountAccess> = {
  effectiveClass: (access) => access.class,
  judge,
  isCovered,
  rules: accountRules,
  leastFlag: () => 'reads',
  remembered: () => ({}),
  // The tool itself says whose text it returns.
  marks: ({ account }) => privateMark(account === 'gmail' ? 'your mail' : 'your calendar'),
  consequences: (access) => {
    if (access.class === 'read') return { consequences: [] };
    const { account, calendar } = access;
    return { consequences: [{ code: 'changes_account', account, isShared: calendar !== undefined }] };
  },
  hosts: () => [],
  passesOnInput: () => false,
  title: accountQuestion,
  nameOf: ({ event }) => event?.title,
  describe,
  shownClass: (access) => access.class,
};

/**
 * Source: design section 4 ("Connected accounts"). Only the user sees what is asked of an account, so reading it can't
 * leak anything. A mail or an invitation may be why the model wants an entry in the calendar, and there it would look
 * like the user's own. So beside text from outside, as for commands, only a rule applies that was made with that
 * warning shown.
 */
function judge(input: JudgeInput, access: AccountAccess): Verdict {
  const { account, calendar } = access;
  if (access.class === 'read') return allows('own_account');
  if (calendar !== undefined) return asks({ code: 'account_shared', calendar }, 'write');
  const rule = byRuleBesideOutsideText(input, (matcher) => isCovered(matcher, access));
  if (rule !== undefined) return rule;
  return asks({ code: has(input, 'untrusted') ? 'account_write_untrusted' : 'account_write', account }, 'write', true);
}

/** A rule never covers a calendar that others may see: an entry in it would reach them, which no rule may allow. */
function isCovered(matcher: RuleMatcher, access: AccountAccess): boolean {
  return (
    matcher.kind === 'account' &&
    access.class === 'write' &&
    access.account === matcher.account &&
    access.calendar === undefined
  );
}

function accountRules({ account, class: accountClass, calendar }: AccountAccess): RuleDraft[] {
  if (accountClass === 'read' || calendar !== undefined) return [];
  const label = account === 'calendar' ? 'change your calendar, without inviting anyone' : 'change your mailbox';
  return [{ label, tool: null, matcher: { kind: 'account', account } }];
}

function accountQuestion(accesses: readonly AccountAccess[]): string {
  const whose = accesses.some((each) => each.calendar) ? 'a' : 'your';
  if (accesses.every(({ event }) => event !== undefined))
    return `Add ${accesses.length === 1 ? 'this event' : `${accesses.length} events`} to ${whose} calendar?`;
  const verb = accesses.every((each) => each.class === 'read') ? 'Read' : 'Change';
  const isMail = accesses.every((each) => each.account === 'gmail');
  return isMail ? `${verb} your mail?` : `${verb} ${whose} calendar?`;
}

function describe({ class: accountClass, account, calendar }: AccountAccess): string {
  if (account === 'gmail') return accountClass === 'read' ? 'read your mail' : 'change your mailbox';
  const which = calendar === undefined ? 'your calendar' : `the calendar ${calendar}`;
  if (accountClass === 'read') return `read ${which}`;
  return calendar === undefined ? `change ${which}` : `change ${which}, which other people may see`;
}
