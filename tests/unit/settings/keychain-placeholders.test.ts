import { expect, test } from 'vitest';
import { shownValue, storedValues } from '../../../src-main/mcp/setup/server-values.ts';
import { withSecrets } from '../../../src-main/mcp/transport/server-environment.ts';
import {
  keychainNamesIn,
  keychainPlaceholder,
  keychainReferences,
  onlyPlaceholder,
  placeholderParts,
} from '../../../src-main/settings/keychain-placeholders.ts';

const A = keychainPlaceholder('A');
const B = keychainPlaceholder('B');
/** No keychain entry has such a name. */
const NESTED = keychainPlaceholder(A);

test('a text is cut at its placeholders, and put together with what they stand for', async () => {
  expect(placeholderParts(`Bearer ${A}${B}.`)).toEqual({ texts: ['Bearer ', '', '.'], names: ['A', 'B'] });
  expect(placeholderParts('plain')).toEqual({ texts: ['plain'], names: [] });
  expect(await withSecrets({ KEY: `x${A}-${B}y`, PLAIN: '1' }, async (name) => name.toLowerCase())).toEqual({
    KEY: 'xa-by',
    PLAIN: '1',
  });
});

test('the names of a question are those that are looked up', async () => {
  for (const text of [A, `${A}${B}`, NESTED, keychainPlaceholder(''), keychainPlaceholder('a"b'), `$${A}`]) {
    const lookedUp: string[] = [];
    await withSecrets({ text }, async (name) => {
      lookedUp.push(name);
      return '';
    });
    expect(keychainNamesIn({ env: { text }, args: [text], timeout: 3, off: null })).toEqual([...new Set(lookedUp)]);
    expect(lookedUp).not.toEqual([]);
  }
});

test('an entry refers to keys in arguments, variables, headers and its sign-in', () => {
  const entry = {
    args: [`--key=${A}`],
    env: { X: B },
    headers: { Y: A },
    oauth: { clientSecret: keychainPlaceholder('C') },
  };
  expect(keychainReferences(entry)).toEqual(['A', 'B', 'C']);
});

test('only a placeholder alone is one', () => {
  expect([A, `${A} `, `${A}${B}`, 'A', ''].map(onlyPlaceholder)).toEqual(['A', ...Array(4).fill(undefined)]);
});

test('a form shows the text around one placeholder, and keeps any other text with placeholders as it is', () => {
  expect(shownValue('X', `Bearer ${A}`)).toMatchObject({ value: null, isSecret: true, before: 'Bearer ', after: '' });
  const given = { name: 'X', value: null, isSecret: true, before: 'b', after: 'a' };
  for (const text of [`${A}${B}`, `$1${A}`, A]) {
    expect(shownValue('X', text).isSecret).toBe(text === A);
    expect(storedValues([given], { X: text })).toEqual({
      written: { X: text },
      secrets: new Map(),
      fromFile: new Set(),
    });
  }
  expect(storedValues([{ ...given, value: 's' }], { X: A })).toEqual({
    written: { X: `b${A}a` },
    secrets: new Map([['A', 's']]),
    fromFile: new Set(),
  });
});
