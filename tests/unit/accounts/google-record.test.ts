import { expect, test } from 'vitest';
import { type GoogleRecord, GoogleRecords } from '../../../src-main/accounts/google/google-record.ts';
import { Secrets } from '../../../src-main/secrets/secrets.ts';
import { MapKeychain } from '../../fixtures/keyring/map-keychain.ts';

const record: GoogleRecord = {
  clientId: '1-a.apps.googleusercontent.com',
  accessToken: 'ya29.access',
  refreshToken: '1//refresh',
  scopes: ['https://www.googleapis.com/auth/calendar'],
  connectedAt: 1,
  issuedAt: 2,
  expiresAt: 3,
};

function recordsIn(keychain: MapKeychain) {
  const secrets = new Secrets({
    launchDirectory: '/',
    env: {},
    keychain,
    onNotice: () => undefined,
    freshForMs: 0,
  });
  return { secrets, records: new GoogleRecords(secrets) };
}

test('a record is kept as ASCII, and its tokens are known as secrets', async () => {
  const keychain = new MapKeychain();
  const { records, secrets } = recordsIn(keychain);
  const whole = { ...record, address: 'jürgen@müller.example', endsAt: 4 };
  await records.keep('calendar', whole);
  expect(keychain.entries.get('google-calendar')).toMatch(/^[\x20-\x7e]+$/);
  expect(await recordsIn(keychain).records.get('calendar')).toEqual(whole);
  expect(await records.get('gmail')).toBeUndefined();
  expect(secrets.redactionValues()).toEqual(expect.arrayContaining(['ya29.access', '1//refresh']));
});

test.each(['', 'text', '[]', '{}', JSON.stringify({ ...record, refreshToken: 7 })])(
  'an entry that Steward has not written (%s) is no sign-in',
  async (entry) => {
    const keychain = new MapKeychain();
    keychain.entries.set('google-gmail', entry);
    expect(await recordsIn(keychain).records.get('gmail')).toBeUndefined();
  },
);
