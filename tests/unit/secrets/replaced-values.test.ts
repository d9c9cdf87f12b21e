import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REDACTED } from '../../../src-main/secrets/redaction.ts';
import { PiecewiseReplacement, withoutValues } from '../../../src-main/secrets/replaced-values.ts';

test.each([
  ['nothing here', ['secret'], 'nothing here'],
  ['a secret, a secret', ['secret'], `a ${REDACTED}, a ${REDACTED}`],
  ['abcdefghij', ['abcdef', 'cdefghij'], REDACTED],
  ['aaaa', ['aaa'], REDACTED],
  ['secretsecret', ['secret'], REDACTED + REDACTED],
  ['secret-key secret', ['secret', 'secret-key'], `${REDACTED} ${REDACTED}`],
  ['text', [''], 'text'],
])('%j without %j is %j', (text, values, expected) => {
  expect(withoutValues(text, values)).toBe(expected);
});

/** Few letters, so that values lie in texts, in each other and across the borders of pieces. */
const letters = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '😀'), minLength, maxLength });

test('in pieces, however it is divided, a text loses the same as in one', () => {
  fc.assert(
    fc.property(
      fc.array(letters(12), { maxLength: 12 }),
      fc.array(letters(6, 1), { maxLength: 4 }),
      (pieces, values) => {
        const told: string[] = [];
        const replacement = new PiecewiseReplacement(values, (text) => told.push(text));
        for (const piece of pieces) replacement.push(piece);
        replacement.end();
        expect(told.join('')).toBe(withoutValues(pieces.join(''), values));
      },
    ),
    { numRuns: 3000 },
  );
});

test('a value that arrives letter by letter reveals no letter', () => {
  const told: string[] = [];
  const replacement = new PiecewiseReplacement(['hunter2-sword'], (text) => told.push(text));
  for (const letter of 'pw=hunter2-sword\n') replacement.push(letter);
  replacement.end();
  expect(told).toEqual(['p', 'w', '=', REDACTED, '\n']);
});

test('text that cannot begin a value is not held back', () => {
  const told: string[] = [];
  new PiecewiseReplacement(['secret'], (text) => told.push(text)).push('ready sec');
  expect(told).toEqual(['ready ']);
});
