import { expect, test } from 'vitest';
import { clientIdFlaw, clientSecretFlaw } from '../../../src-main/accounts/google/google-client.ts';

test.each([
  ['123456789012-0a1b2c3d4e5f6g7h8i9j0a1b2c3d4e5f.apps.googleusercontent.com', undefined],
  // Old projects have such ids, and organizations with their own domain.
  ['123456789012.apps.googleusercontent.com', undefined],
  ['GOCSPX-0123456789abcdefghijklmnopqr', 'id_is_secret'],
  [`AIza${'x'.repeat(35)}`, 'id_is_api_key'],
  ['123456789012-0a1b2c3d', 'id_ending'],
  ['.apps.googleusercontent.com', 'id_ending'],
  ['https://1-a.apps.googleusercontent.com', 'id_ending'],
  ['1-a.apps.googleusercontent.com.evil.example', 'id_ending'],
  ['"1-a.apps.googleusercontent.com"', 'id_ending'],
])('client id %s: %s', (id, flaw) => expect(clientIdFlaw(id)).toBe(flaw));

test.each([
  ['GOCSPX-0123456789abcdefghijklmnopqr', undefined],
  // Made before 2021.
  ['0123456789_abcdefghij-KL', undefined],
  ['123456789012-0a1b.apps.googleusercontent.com', 'secret_is_id'],
  [`AIza${'x'.repeat(35)}`, 'secret_is_api_key'],
  ['short', 'secret_form'],
  ['GOCSPX-0123 456789abcdefghijkl', 'secret_form'],
  ['{"installed":{"client_secret":"GOCSPX-0123456789abcdefgh"}}', 'secret_form'],
])('client secret %s: %s', (secret, flaw) => expect(clientSecretFlaw(secret)).toBe(flaw));
