import type { AccountAccess } from '../../policy/access.ts';
import type { AssessContext } from '../contract.ts';

/** Returns what a call touches in this calendar. Any calendar but the user's main one may be shared. */
export async function calendarAccess(
  accountClass: AccountAccess['class'],
  calendarId: string,
  { google }: Pick<AssessContext, 'google'>,
): Promise<AccountAccess> {
  const isMain =
    calendarId === 'primary' || calendarId.toLowerCase() === (await google.address('calendar'))?.toLowerCase();
  return { kind: 'account', class: accountClass, account: 'calendar', ...(isMain ? {} : { calendar: calendarId }) };
}
