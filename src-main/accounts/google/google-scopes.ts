import type { GoogleService } from './google-service.ts';

const PREFIX = 'https://www.googleapis.com/auth/';

/** What a sign-in asks for. Source: tool catalogue B.5, B.6. */
export const googleScopes: Readonly<Record<GoogleService, readonly string[]>> = {
  gmail: [`${PREFIX}gmail.readonly`, `${PREFIX}gmail.send`],
  calendar: [`${PREFIX}calendar`],
};

export const googleServiceNames: Readonly<Record<GoogleService, string>> = {
  gmail: 'Gmail',
  calendar: 'Google Calendar',
};

const WORDS: Readonly<Record<string, string>> = {
  [`${PREFIX}gmail.readonly`]: 'read your mail',
  [`${PREFIX}gmail.send`]: 'send mail as you',
  [`${PREFIX}calendar`]: 'see, change and delete your calendars and events',
};

/** A scope in plain words: `read your mail`. One that Steward never asks for as it is. */
export function scopeInWords(scope: string): string {
  return WORDS[scope] ?? scope;
}
