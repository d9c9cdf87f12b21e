import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src-preload/contract/accounts.ts';
import {
  accountState,
  canBeDisconnected,
  disconnection,
} from '../../../src-renderer/settings/accounts/account-texts.ts';
import { AccountsStore } from '../../../src-renderer/settings/accounts/accounts-store.svelte.ts';
import {
  accountFacts,
  keychainText,
  keyFacts,
  signInFacts,
} from '../../../src-renderer/settings/accounts/credential-texts.ts';
import { CredentialsStore } from '../../../src-renderer/settings/accounts/credentials-store.svelte.ts';
import { googleClientKeys, shownKeys } from '../../../src-renderer/settings/key-texts.ts';
import { shownMoment } from '../../../src-renderer/settings/shown-values.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { type Answers, fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';
import { noAccounts, noCredentials, secrets } from '../../fixtures/gallery/scenes/app-answers.ts';

const [first] = noAccounts;
if (first === undefined) throw new Error('The fixture has no accounts.');
const gmail: Account = { ...first, state: 'not_connected' };
const calendar: Account = { ...gmail, name: 'calendar' };
const now = new Date('2031-03-04T12:00:00Z');

async function storeWith(answers: Answers<'app'>) {
  const fake = fakeBridge<'app'>({ 'accounts.list': [gmail, calendar], ...answers });
  const store = new AccountsStore(bridgeOver<'app'>(fake.preload));
  await store.load();
  const stateOf = (name: Account['name']) => store.accounts?.find((account) => account.name === name);
  return { store, fake, stateOf };
}

describe('accounts', () => {
  test('are followed as main tells of them, and when the client changes', async () => {
    let shown: readonly Account[] = [first, calendar];
    const { store, fake, stateOf } = await storeWith({ 'accounts.list': () => shown });
    const end = store.start();
    shown = [{ ...gmail, step: 'browser' }, calendar];
    fake.emit('accountsChanged', {});
    await expect.poll(() => stateOf('gmail')?.step).toBe('browser');
    shown = [gmail, calendar];
    fake.emit('settingsChanged', {});
    await expect.poll(() => stateOf('gmail')?.step).toBeNull();
    end();
    shown = [];
    fake.emit('accountsChanged', {});
    await Promise.resolve();
    expect(store.accounts).toHaveLength(2);
  });

  test('what went wrong is shown; what the user ended is not', async () => {
    const problems = [
      { code: 'denied', message: 'Access was denied.' },
      { code: 'cancelled', message: 'Cancelled.' },
      { code: 'not_confirmed', message: 'Not confirmed.' },
    ];
    const { store, stateOf } = await storeWith({
      'accounts.connect': () => ({ ...gmail, problem: problems.shift() ?? null }),
    });
    const shown: (string | undefined)[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      await store.connect('gmail');
      shown.push(store.problemOf(stateOf('gmail') ?? gmail)?.code);
    }
    expect(shown).toEqual(['denied', undefined, undefined]);
  });

  test('a test that worked says so until something else is done; a refused request is a problem of its account alone', async () => {
    const connected: Account = { ...gmail, state: 'connected' };
    const { store, stateOf } = await storeWith({
      'accounts.test': ({ name }) => {
        if (name === 'calendar') throw new Refusal('no_gesture', 'Click yourself.');
        return connected;
      },
      'accounts.disconnectAll': [gmail, calendar],
    });
    await store.test('gmail');
    expect(store.working).toBe('gmail');
    await store.test('calendar');
    expect(store.working).toBeNull();
    expect(store.problemOf(stateOf('calendar') ?? calendar)?.message).toBe('Click yourself.');
    expect(store.problemOf(stateOf('gmail') ?? gmail)).toBeNull();
    await store.disconnectAll();
    expect([stateOf('gmail')?.state, store.busy]).toEqual(['not_connected', null]);
  });

  test('before disconnecting it is said whether Google is told, because that ends every grant to the client', () => {
    const accounts = (of: Account['disconnecting']): readonly Account[] => [
      { ...gmail, state: 'connected', disconnecting: of },
      { ...calendar, state: 'lapsed' },
    ];
    const told = /asks Google to end all access/;
    expect(disconnection('gmail', accounts('delete')).text).not.toMatch(told);
    // Google ended the other one: nothing is spared by not telling it.
    expect(disconnection('gmail', accounts('revoke')).text).toMatch(told);
    expect(disconnection('calendar', accounts('revoke')).text).not.toMatch(told);
    expect(disconnection(null, accounts('delete')).text).toMatch(told);
  });

  test('a sign-in whose client was removed is said to be kept, and can be disconnected', () => {
    const kept = { ...first, disconnecting: 'revoke' as const };
    expect(accountState(kept).text).not.toBe(accountState(first).text);
    expect([kept, first, gmail, { ...gmail, state: 'lapsed' as const }].map(canBeDisconnected)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(Object.fromEntries(accountFacts(kept, now)).Token).toContain('another Google client');
  });
});

describe('keys and sign-ins', () => {
  test('are reloaded when anything about them changes, and a failed request is shown where it was made', async () => {
    let kept = noCredentials;
    const fake = fakeBridge<'app'>({
      'credentials.list': () => kept,
      'credentials.testKey': { works: false, message: 'It does not accept this key.' },
      'credentials.removeServerSecret': () => {
        throw new Refusal('no_gesture', 'Click yourself.');
      },
    });
    const store = new CredentialsStore(bridgeOver<'app'>(fake.preload));
    const end = store.start();
    kept = { ...noCredentials, keychain: { kind: 'memory' } };
    fake.emit('serverSignInChanged', {});
    await expect.poll(() => store.list?.keychain.kind).toBe('memory');
    await store.testKey('brave-api-key', 'Steward/brave-api-key');
    await store.removeServerSecret('notes', 'TOKEN', 'Steward/mcp/notes/TOKEN');
    expect(store.outcomes.get('Steward/brave-api-key')).toEqual({
      isGood: false,
      message: 'It does not accept this key.',
    });
    expect(store.outcomes.get('Steward/mcp/notes/TOKEN')?.message).toBe('Click yourself.');
    expect(store.busy).toBeNull();
    end();
  });

  test('say what they may do, when they end, and who used them', () => {
    const account: Account = {
      ...gmail,
      state: 'connected',
      scopes: ['https://www.googleapis.com/auth/gmail.send', 'other'],
      connectedAt: '2031-03-02T12:00:00Z',
      tokenExpiresAt: '2031-03-04T12:40:00Z',
      lastRenewedAt: null,
      lastUsed: { tool: 'gmail_search', at: '2031-03-04T11:54:00Z' },
    };
    expect(Object.fromEntries(accountFacts(account, now))).toEqual({
      May: 'send mail as you; other',
      'Signed in': '2 days ago',
      'Last used': '6 minutes ago by gmail_search',
      Token: 'expires in 40 minutes, renewed automatically',
      'Last renewed': 'not yet',
    });
    expect(Object.fromEntries(accountFacts({ ...account, state: 'lapsed' }, now))).toMatchObject({
      Token: 'no longer accepted by Google',
    });
    const key = { name: 'brave-api-key', isSet: true, source: 'keychain', entry: '', canBeTested: true } as const;
    expect(keyFacts({ ...key, lastUsedAt: null }, now)).toEqual([
      ['Used for', 'Web search'],
      ['Last used', 'not since Steward started'],
    ]);
    const signIn = {
      server: 'notes',
      entry: '',
      scopes: [],
      keptIn: 'keychain',
      expiresAt: '2031-03-04T11:00:00Z',
    } as const;
    expect(signInFacts({ ...signIn, isRenewed: false }, now)[1]).toEqual([
      'Token',
      'expired 1 hour ago; sign in again',
    ]);
    expect(signInFacts({ ...signIn, isRenewed: true }, now)[1]?.[1]).toContain('renewed at the next use');
  });

  test('the keychain has a name that a user knows', () => {
    expect(keychainText({ kind: 'secret-service', product: 'kwallet' })).toContain('KWallet');
    expect(keychainText({ kind: 'secret-service', product: null })).toContain('Secret Service');
    expect(keychainText({ kind: 'memory' })).toContain('until Steward quits');
  });
});

test('moments are told by their distance while that says more than a date', () => {
  const at = (minutes: number) => shownMoment(new Date(now.getTime() + minutes * 60_000).toISOString(), now);
  expect([0.4, -0.4, 1, -59, 60, -61, 60 * 24].map(at)).toEqual([
    'now',
    'now',
    'in 1 minute',
    '59 minutes ago',
    'in 1 hour',
    '1 hour ago',
    'tomorrow',
  ]);
  expect(at(-60 * 24 * 8)).toMatch(/2031/);
});

test('the Google client is entered among the accounts, not among the keys', () => {
  const names = (statuses: ReturnType<typeof shownKeys>) => statuses.map(({ name }) => name);
  const all = secrets({ 'google-client-id': 'keychain', 'google-client-secret': 'environment' });
  expect(names(shownKeys(all)).filter((name) => name.startsWith('google'))).toEqual([]);
  expect(names(googleClientKeys(all))).toEqual(['google-client-id', 'google-client-secret']);
});
