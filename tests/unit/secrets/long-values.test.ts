import { expect, test } from 'vitest';
import type { Keychain } from '../../../src-main/secrets/keychain.ts';
import { inParts } from '../../../src-main/secrets/long-values.ts';

const LIMIT = 50;

/** As Windows: entries by name, none longer than the limit. */
function limitedKeychain(): { readonly keychain: Keychain; readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  const keychain: Keychain = {
    get: async (account) => entries.get(account),
    set: async (account, value) => {
      if (value.length > LIMIT) throw new RangeError(`${value.length} characters do not fit`);
      entries.set(account, value);
    },
    remove: async (account) => entries.delete(account),
  };
  return { keychain, entries };
}

test.each([
  ['a short value', 'abc', 1],
  ['one that just fits', 'x'.repeat(LIMIT), 1],
  ['one that is one too long', 'y'.repeat(LIMIT + 1), 3],
  ['a long one', 'z'.repeat(LIMIT * 40 + 7), 42],
  ['one that looks like the head of parts', 'steward-parts:00000000:1', 2],
])('%s comes back as it was', async (_what, value, count) => {
  const { keychain, entries } = limitedKeychain();
  const long = inParts(keychain, LIMIT);
  await long.set('Steward/x', value);
  expect(await long.get('Steward/x')).toBe(value);
  expect(entries.size).toBe(count);
});

test('the control: without parts a long value does not fit', async () => {
  const { keychain } = limitedKeychain();
  await expect(keychain.set('x', 'y'.repeat(LIMIT + 1))).rejects.toThrow(RangeError);
});

test('nothing is left of a value that was replaced or removed', async () => {
  const { keychain, entries } = limitedKeychain();
  const long = inParts(keychain, LIMIT);
  await long.set('x', 'a'.repeat(500));
  await long.set('x', 'b'.repeat(120));
  expect(await long.get('x')).toBe('b'.repeat(120));
  expect(entries.size).toBe(4);
  await long.set('x', 'short');
  expect([...entries]).toEqual([['x', 'short']]);
  await long.set('x', 'c'.repeat(200));
  expect(await long.remove('x')).toBe(true);
  expect(entries.size).toBe(0);
  expect(await long.remove('x')).toBe(false);
});

test('a value that is replaced while it is read is read anew', async () => {
  const { keychain, entries } = limitedKeychain();
  const long = inParts(keychain, LIMIT);
  await long.set('x', 'a'.repeat(120));
  let isFirst = true;
  const interrupted = inParts(
    {
      ...keychain,
      get: async (account) => {
        const found = entries.get(account);
        if (isFirst) {
          isFirst = false;
          await long.set('x', 'b'.repeat(120));
        }
        return found;
      },
    },
    LIMIT,
  );
  expect(await interrupted.get('x')).toBe('b'.repeat(120));
});
