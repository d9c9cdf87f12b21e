import { scopeInWords } from '../../../src-preload/contract/account-words.ts';
import type { Account } from '../../../src-preload/contract/accounts.ts';
import type { KeychainBackend, StoredKey, StoredSignIn } from '../../../src-preload/contract/credentials.ts';
import type { SecretName } from '../../../src-preload/contract/settings.ts';
import { KEY_TEXTS, keyName } from '../key-texts.ts';
import { shownMoment } from '../shown-values.ts';

/** A label and what it says. */
export type Fact = readonly [label: string, value: string];

const PRODUCTS = { 'gnome-keyring': 'GNOME Keyring', kwallet: 'KWallet', keepassxc: 'KeePassXC' } as const;

/** The keychain's name for use in a sentence. */
export function keychainText(keychain: KeychainBackend): string {
  switch (keychain.kind) {
    case 'macos':
      return 'the macOS keychain';
    case 'windows':
      return 'the Windows Credential Manager';
    case 'secret-service':
      return keychain.product === null
        ? 'your desktop’s keyring (Secret Service)'
        : `${PRODUCTS[keychain.product]} (Secret Service)`;
    case 'memory':
      return 'memory, until Steward quits';
  }
}

/** The title of a key: `Anthropic key`. */
export function keyTitle(name: SecretName): string {
  const { label, isOfGoogleClient } = KEY_TEXTS[name];
  return isOfGoogleClient ? keyName(name) : `${label} key`;
}

export function usedText(at: string | null, now: Date): string {
  return at === null ? 'not since Steward started' : shownMoment(at, now);
}

export function keyFacts({ name, lastUsedAt }: StoredKey, now: Date): readonly Fact[] {
  const { purpose, isOfGoogleClient } = KEY_TEXTS[name];
  // The client is used by the accounts, which say so themselves.
  if (isOfGoogleClient) return [['Used for', 'Gmail and Google Calendar']];
  const lastUsed: Fact = ['Last used', usedText(lastUsedAt, now)];
  return [['Used for', purpose], lastUsed];
}

export function accountFacts(account: Account, now: Date): readonly Fact[] {
  const { state, scopes, connectedAt, lastUsed, tokenExpiresAt, lastRenewedAt } = account;
  const facts: readonly Fact[] = [
    ['May', scopes.map(scopeInWords).join('; ') || 'nothing'],
    ['Signed in', connectedAt === null ? 'unknown' : shownMoment(connectedAt, now)],
    ['Last used', lastUsed === null ? 'never' : `${shownMoment(lastUsed.at, now)} by ${lastUsed.tool}`],
  ];
  if (state === 'lapsed') return [...facts, ['Token', 'no longer accepted by Google']];
  if (state !== 'connected') return [...facts, ['Token', 'not used, because it is for another Google client']];
  return [
    ...facts,
    ['Token', tokenExpiresAt === null ? 'renewed when needed' : expiryText(tokenExpiresAt, true, now)],
    ['Last renewed', lastRenewedAt === null ? 'not yet' : shownMoment(lastRenewedAt, now)],
  ];
}

export function signInFacts({ scopes, expiresAt, isRenewed }: StoredSignIn, now: Date): readonly Fact[] {
  return [
    ['Scopes', scopes.join(', ') || 'none named'],
    ['Token', expiresAt === null ? 'does not say when it expires' : expiryText(expiresAt, isRenewed, now)],
  ];
}

function expiryText(expiresAt: string, isRenewed: boolean, now: Date): string {
  const moment = shownMoment(expiresAt, now);
  if (Date.parse(expiresAt) <= now.getTime())
    return `expired ${moment}; ${isRenewed ? 'renewed at the next use' : 'sign in again'}`;
  return isRenewed ? `expires ${moment}, renewed automatically` : `expires ${moment}`;
}
