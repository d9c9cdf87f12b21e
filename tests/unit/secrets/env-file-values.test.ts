import { expect, test } from 'vitest';
import { secretValuesIn, withoutSecretAssignments } from '../../../src-main/secrets/env-file-values.ts';
import { REDACTED } from '../../../src-main/secrets/redaction.ts';

test.each([
  ['API_KEY=abc123def', ['abc123def']],
  ['export API_KEY="abc 123 def" # mine', ['abc 123 def']],
  ["TOKEN='it is a long one'", ['it is a long one']],
  [
    'PRIVATE_KEY="-----BEGIN KEY-----\nMIIEabcd12\n-----END KEY-----"',
    ['-----BEGIN KEY-----\nMIIEabcd12\n-----END KEY-----', 'MIIEabcd12'],
  ],
  // The value is known by its shape, whatever it is called, and the password by itself.
  ['DB=postgres://ada:pa55-word@db/x', ['postgres://ada:pa55-word@db/x', 'pa55-word']],
  // What any text may hold is not looked for in others.
  ['DB_PASSWORD=postgres', []],
  ['API_KEY=short', []],
  ['AUTH_URL=http://localhost:3000/auth', []],
  ['TOKEN_FILE=/run/secrets/token.txt', []],
  ['SESSION_SECONDS=31536000000', []],
  ['GREETING=abc123def', []],
  ['', []],
])('%j holds %j', (text, values) => {
  expect(secretValuesIn(text)).toEqual(values);
});

test.each([
  ['API_KEY=abc\n', `API_KEY=${REDACTED}\n`],
  ['export API_KEY = "a b" # mine\nPORT=1', `export API_KEY = ${REDACTED} # mine\nPORT=1`],
  ["PIN_TOKEN='1'\r\nA=1", `PIN_TOKEN=${REDACTED}\r\nA=1`],
  ['KEY="a\nb"\nB=2', `KEY=${REDACTED}\nB=2`],
  ['/w/.env:12:DB_PASSWORD=postgres', `/w/.env:12:DB_PASSWORD=${REDACTED}`],
  ['DB=redis://:pw@cache', `DB=${REDACTED}`],
  ['# API_KEY=\nA=b', '# API_KEY=\nA=b'],
  ['KEYBOARD=de', 'KEYBOARD=de'],
])('of a .env file, %j is shown as %j', (text, shown) => {
  expect(withoutSecretAssignments(text)).toBe(shown);
});
