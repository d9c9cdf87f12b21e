import type { AccountName } from './accounts.ts';

export const ACCOUNT_NAMES: Readonly<Record<AccountName, string>> = { gmail: 'Gmail', calendar: 'Google Calendar' };

const PREFIX = 'https://www.googleapis.com/auth/';

const SCOPES: Readonly<Record<string, string>> = {
  [`${PREFIX}gmail.readonly`]: 'read your mail',
  [`${PREFIX}gmail.send`]: 'send mail as you',
  [`${PREFIX}calendar`]: 'see, change and delete your calendars and events',
};

/** A scope in plain words: `read your mail`. One that Steward never asks for is returned as it is. */
export function scopeInWords(scope: string): string {
  return (Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined) ?? scope;
}
