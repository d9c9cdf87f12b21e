import { expect, test } from 'vitest';
import { asRecord } from '../../../src-main/mcp/oauth/token-requests.ts';

const before = {
  serverUrl: 'https://mcp.example.com/mcp',
  issuer: 'https://auth.example.com',
  authorizationServer: 'https://auth.example.com',
  tokenEndpoint: 'https://auth.example.com/token',
  clientId: 'client',
  privateOrigins: [],
};
const given = { access_token: 'abc.DEF-123~+/=', token_type: 'Bearer' };

test('a token that cannot be sent in a header is refused without being named', () => {
  // The control: the runtime’s own error contains it.
  expect(() => new Headers().set('authorization', 'Bearer se\ncret')).toThrow('se\ncret');
  for (const token of ['q\nq', 'q q', 'q\u0000', 'q\u4e2d', 'q'.repeat(20_000)]) {
    for (const tokens of [{ access_token: token }, { refresh_token: token }])
      expect(() => asRecord({ ...given, ...tokens }, before, 0)).toThrow(/^[^q]*a token that cannot be sent[^q]*$/);
  }
  expect(asRecord(given, before, 0)).toMatchObject({ accessToken: 'abc.DEF-123~+/=' });
});

test('an empty refresh token is none: the sign-in works, and an earlier one is kept', () => {
  const issued = { ...given, refresh_token: '' };
  expect(asRecord(issued, before, 0)).not.toHaveProperty('refreshToken');
  expect(asRecord(issued, { ...before, refreshToken: 'earlier' }, 0)).toMatchObject({ refreshToken: 'earlier' });
});

test('a token that is said to be valid for ever can still be stored', () => {
  const { expiresAt } = asRecord({ ...given, expires_in: 1e308 }, before, 0);
  expect(Number.isSafeInteger(expiresAt)).toBe(true);
  expect(asRecord({ ...given, expires_in: 60 }, before, 1_000).expiresAt).toBe(61_000);
});
