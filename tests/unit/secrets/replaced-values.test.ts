import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REDACTED } from '../../../src-main/secrets/redaction.ts';
import { MAX_SEARCHED, ValueReplacement, WITHHELD } from '../../../src-main/secrets/replaced-values.ts';

test.each([
  ['nothing here', ['secret'], 'nothing here'],
  ['a secret, a secret', ['secret'], `a ${REDACTED}, a ${REDACTED}`],
  ['abcdefghij', ['abcdef', 'cdefghij'], REDACTED],
  ['aaaa', ['aaa'], REDACTED],
  ['secretsecret', ['secret'], REDACTED + REDACTED],
  ['secret-key secret', ['secret', 'secret-key'], `${REDACTED} ${REDACTED}`],
  ['text', [''], 'text'],
])('%j without %j is %j', (text, values, expected) => {
  expect(new ValueReplacement(values).apply(text)).toBe(expected);
});

/** Few letters, so that values lie in texts, in each other and across the borders of pieces. */
const letters = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '😀'), minLength, maxLength });

/** The same by looking for each value by itself. */
function withoutEach(text: string, values: readonly string[]): string {
  const covered = new Array<boolean>(text.length).fill(false);
  const joined = new Array<boolean>(text.length).fill(false);
  for (const value of values)
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
      covered.fill(true, at, at + value.length);
      joined.fill(true, at + 1, at + value.length);
    }
  return [...covered.keys()]
    .map((at) => (covered[at] !== true ? text.charAt(at) : joined[at] === true ? '' : REDACTED))
    .join('');
}

test('in pieces, however it is divided, a text loses the same as in one', () => {
  fc.assert(
    fc.property(
      fc.array(letters(12), { maxLength: 12 }),
      fc.array(letters(6, 1), { maxLength: 4 }),
      (pieces, values) => {
        const told: string[] = [];
        const replacement = new ValueReplacement(values).live((text) => told.push(text));
        for (const piece of pieces) replacement.push(piece);
        replacement.end();
        expect(told.join('')).toBe(withoutEach(pieces.join(''), values));
      },
    ),
    { numRuns: 3000 },
  );
});

test('a value that arrives letter by letter reveals no letter', () => {
  const told: string[] = [];
  const replacement = new ValueReplacement(['hunter2-sword']).live((text) => told.push(text));
  for (const letter of 'pw=hunter2-sword\n') replacement.push(letter);
  replacement.end();
  expect(told).toEqual(['p', 'w', '=', REDACTED, '\n']);
});

test('text that cannot begin a value is not held back', () => {
  const told: string[] = [];
  new ValueReplacement(['secret']).live((text) => told.push(text)).push('ready sec');
  expect(told).toEqual(['ready ']);
});

test('more values than can be looked for: nothing of the text is told, however it comes', () => {
  const values = ['x'.repeat(MAX_SEARCHED), 'secret'];
  expect(new ValueReplacement(values).apply('any text')).toBe(WITHHELD);
  expect(new ValueReplacement(undefined).apply('any text')).toBe(WITHHELD);
  const told: string[] = [];
  const live = new ValueReplacement(values).live((text) => told.push(text));
  for (const piece of ['any', ' text']) live.push(piece);
  live.end();
  expect(told).toEqual([WITHHELD]);
});
