/** A `.env` file can be made to exhaust whoever looks for its values, with many values that overlap. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { secretValuesIn } from '../../src-main/secrets/env-file-values.ts';
import { KnownSecrets } from '../../src-main/secrets/known-secrets.ts';
import { REDACTED } from '../../src-main/secrets/redaction.ts';
import { WITHHELD } from '../../src-main/secrets/replaced-values.ts';

/** Generous on a busy machine; the naive way takes minutes, or all memory. */
const MAX_MS = 8_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-env-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const known = () => {
  const secrets = new KnownSecrets(() => ['held-by-steward-1']);
  secrets.readFolder(folder);
  return secrets;
};
const timed = <T>(work: () => T): T => {
  const start = performance.now();
  const result = work();
  expect(performance.now() - start).toBeLessThan(MAX_MS);
  return result;
};

/** `count` values of which each lies at many places in `text`. */
const overlapping = (count: number, unit: string) =>
  Array.from({ length: count }, (_, index) => `TOKEN_${index}=${unit.repeat(Math.ceil((16 + index) / unit.length))}`);

const UNITS = ['a', 'ab', 'aB1', 'xyzzy', 'k='.repeat(3), 'é', '😀', '0f', 'A_', 'zz9'];

/** Characters of several bytes: as many values as fit into a file that is read. */
const UTF8_UNITS = new Set(['é', '😀']);

test.each(UNITS)('hundreds of values that overlap, of %j, in a text of 200 KB', (unit) => {
  const lines = overlapping(UTF8_UNITS.has(unit) ? 300 : 600, unit);
  put('.env', lines.join('\n'));
  const text = unit.repeat(Math.ceil(200_000 / unit.length));
  const found = timed(() => known().redact(text));
  expect(found.length).toBeLessThan(200);
  expect(found).toContain(REDACTED);
});

test('the control: each value by itself is found so often that no list holds it', () => {
  const values = secretValuesIn(overlapping(600, 'a').join('\n'));
  const occurrences = values.reduce((sum, { length }) => sum + Math.max(0, 200_000 - length + 1), 0);
  expect(occurrences).toBeGreaterThan(100_000_000);
});

test('one value within itself: a text that stays open is neither told nor copied again for each piece', () => {
  const value = 'ab'.repeat(20_000);
  put('.env', `API_TOKEN=${value}\n`);
  const told: string[] = [];
  timed(() => {
    const live = known().live((text) => told.push(text));
    live.push('begin ');
    for (let piece = 0; piece < 20_000; piece++) live.push('abababababababab');
    live.push(' end');
    live.end();
  });
  expect(told.join('')).toBe(`begin ${REDACTED} end`);
});

test('30 files with 9,000 values each: texts are withheld, and come back once the files are gone', () => {
  for (let file = 0; file < 30; file++)
    put(`.env.${file}`, Array.from({ length: 9_000 }, (_, index) => `K_TOKEN=v${file}x${index}QwErTy12`).join('\n'));
  const secrets = timed(known);
  expect(timed(() => secrets.redact('a text of any kind'))).toBe(WITHHELD);
  const told: string[] = [];
  const live = secrets.live((text) => told.push(text));
  live.push('a text ');
  live.push('of any kind');
  live.end();
  expect(told).toEqual([WITHHELD]);
  // What is no text stays, or nothing could show it.
  expect(secrets.redactIn({ kind: 'diff', id: 'toolu_1', text: 'a text of any kind' })).toEqual({
    kind: 'diff',
    id: 'toolu_1',
    text: WITHHELD,
  });
  for (let file = 0; file < 30; file++) rmSync(join(folder, `.env.${file}`));
  expect(secrets.redact('a text with held-by-steward-1')).toBe(`a text with ${REDACTED}`);
});

test('a file that is too large to be read', () => {
  put('.env', `A_TOKEN=valueOfAFile12\n${'#\n'.repeat(200_000)}`);
  expect(known().redact('valueOfAFile12')).toBe(WITHHELD);
});

test('more files than any project has', () => {
  for (let file = 0; file < 400; file++) put(`.env.${file}`, `A_TOKEN=value${file}ofAFile`);
  const secrets = timed(known);
  expect(secrets.redact('value399ofAFile')).toBe(WITHHELD);
});

test('a file that grows again and again takes no more each time', () => {
  const secrets = new KnownSecrets(() => []);
  for (let round = 0; round < 12; round++) {
    put('.env', Array.from({ length: 6_000 }, (_, index) => `K_TOKEN=r${round}x${index}QwErTy12`).join('\n'));
    timed(() => secrets.readFolder(folder));
    expect(secrets.redact(`r${round}x17QwErTy12 in a text`)).not.toContain(`r${round}x17Q`);
  }
});

const LINES: readonly (readonly [string, string])[] = [
  ['quotes that nobody closes', 'A_TOKEN="'.repeat(28_000)],
  ['each kind of quotes', `A_TOKEN="A_TOKEN='A_TOKEN=\``.repeat(9_000)],
  ['backslashes', `A_TOKEN="${'\\'.repeat(250_000)}`],
  ['backslashes and quotes', `A_TOKEN="${'\\"'.repeat(120_000)}`],
  ['blanks within', `A_TOKEN=a${' '.repeat(250_000)}b`],
  ['tabs within, in many lines', `A_TOKEN=a${'\t'.repeat(2_000)}b\n`.repeat(120)],
  ['blanks after the name', `A_TOKEN${' '.repeat(250_000)}=b`],
  ['exports', 'export '.repeat(36_000)],
  ['export and blanks', `export${' '.repeat(250_000)}`],
  ['colons', 'A_TOKEN: '.repeat(28_000)],
  ['one name', 'A_'.repeat(125_000)],
  ['dots', 'a.'.repeat(125_000)],
  ['equals signs', '='.repeat(250_000)],
  ['hashes', 'A_TOKEN=#'.repeat(28_000)],
  ['line ends', `A_TOKEN="${'\n'.repeat(250_000)}"`],
  ['lines of one value', `A_TOKEN="${'linE12345\n'.repeat(25_000)}"`],
  ['different lines of one value', `A_TOKEN="${Array.from({ length: 20_000 }, (_, n) => `linE${n}x`).join('\n')}"`],
  ['an address', `A_TOKEN=https://${'a'.repeat(120_000)}:${'b'.repeat(120_000)}@`],
  ['many addresses', 'A=a://b:c@'.repeat(25_000)],
  ['an unfinished address', `A_TOKEN=${'a://'.repeat(60_000)}`],
  ['carriage returns', `A_TOKEN=a${'\r'.repeat(250_000)}b`],
  ['no line at all', 'x'.repeat(255_000)],
];

test.each(LINES)('a file of %s', (_, text) => {
  put('.env', text);
  const path = join(folder, '.env');
  timed(() => {
    const secrets = known();
    secrets.redact(text, [path]);
    secrets.redact('a text', [path]);
  });
});

test('generated: whatever stands in the file, no secret value is in a text, and time is bounded', () => {
  const unit = fc.constantFrom(
    'a',
    'b',
    '=',
    '"',
    "'",
    '`',
    '\\',
    ' ',
    '\t',
    '\n',
    ':',
    '#',
    'TOKEN',
    'export ',
    '://',
    '@',
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(unit, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 2_000 })), {
        maxLength: 8,
      }),
      (parts) => {
        const file = parts.map(([units, times]) => units.join('').repeat(times)).join('\n');
        rmSync(join(folder, '.env'), { force: true });
        put('.env', file);
        const redacted = timed(() => known().redact(`${file} ${file}`));
        for (const value of secretValuesIn(file.slice(0, 250_000)).slice(0, 50))
          if (file.length < 250_000 && !REDACTED.includes(value)) expect(redacted.includes(value)).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);
