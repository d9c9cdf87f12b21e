import { ACCOUNT_NAMES } from '../../../src-preload/contract/account-words.ts';
import type { Account, AccountName, AccountStep } from '../../../src-preload/contract/accounts.ts';

export const ACCOUNT_PURPOSES: Readonly<Record<AccountName, string>> = {
  gmail: 'Search and read mail, and send what you approve',
  calendar: 'See and create events, and invite guests you approve',
};

export const ACCOUNT_STEPS: Readonly<Record<AccountStep, string>> = {
  asking: 'Waiting for your answer to Steward’s question…',
  browser: 'Waiting for your browser. Sign in there, then come back.',
  finishing: 'Finishing…',
};

export type Tone = 'good' | 'wrong' | 'quiet';

export function accountState({ state, address, disconnecting }: Account): {
  readonly text: string;
  readonly tone: Tone;
} {
  switch (state) {
    case 'no_client':
      return {
        text:
          disconnecting === null
            ? 'Needs a Google client'
            : 'Needs a Google client. The sign-in with the earlier one is still kept.',
        tone: 'quiet',
      };
    case 'not_connected':
      return {
        text:
          disconnecting === null
            ? 'Not connected'
            : 'Not connected. A sign-in with another Google client is still kept.',
        tone: 'quiet',
      };
    case 'connected':
      return { text: address === null ? 'Connected' : `Connected as ${address}`, tone: 'good' };
    case 'lapsed':
      return { text: address === null ? 'Signed out by Google' : `${address}: signed out by Google`, tone: 'wrong' };
  }
}

export interface Disconnection {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
}

const REVOKES =
  'and asks Google to end all access of this Google client to your account. That also ends sign-ins on your other computers that use the same client.';

const OTHER: Readonly<Record<AccountName, AccountName>> = { gmail: 'calendar', calendar: 'gmail' };

/** What disconnecting would do. `name` is null for all accounts. */
export function disconnection(name: AccountName | null, accounts: readonly Account[]): Disconnection {
  if (name === null)
    return {
      title: 'Disconnect everything?',
      text: `Steward deletes its sign-ins to Gmail and Google Calendar ${REVOKES}`,
      confirm: 'Disconnect everything',
    };
  const title = `Disconnect ${ACCOUNT_NAMES[name]}?`;
  return { title, text: disconnectionText(name, accounts), confirm: 'Disconnect' };
}

function disconnectionText(name: AccountName, accounts: readonly Account[]): string {
  switch (accounts.find((each) => each.name === name)?.disconnecting) {
    case 'revoke':
      return `Steward deletes its sign-in, ${REVOKES}`;
    case 'delete':
      return `Steward deletes its sign-in from this computer. Google isn’t told, because that would end the sign-in to ${ACCOUNT_NAMES[OTHER[name]]} too.`;
    default:
      return 'Google has already ended this sign-in, so Steward only stops showing it.';
  }
}

/** Whether there is a sign-in, or one that Google ended. */
export function canBeDisconnected({ state, disconnecting }: Account): boolean {
  return disconnecting !== null || state === 'lapsed';
}
