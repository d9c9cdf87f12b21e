import type { GoogleService } from './google-service.ts';

const PREFIX = 'https://www.googleapis.com/auth/';

/** What a sign-in asks for. Source: tool catalogue B.5, B.6. */
export const googleScopes: Readonly<Record<GoogleService, readonly string[]>> = {
  gmail: [`${PREFIX}gmail.readonly`, `${PREFIX}gmail.send`],
  calendar: [`${PREFIX}calendar`],
};

export { ACCOUNT_NAMES as googleServiceNames, scopeInWords } from '../../../src-preload/contract/account-words.ts';
