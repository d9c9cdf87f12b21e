import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob, GlobError, withoutClasses } from '../../../src-main/base/glob.ts';

const matching = (pattern: string, names: string[]) => names.filter(compileGlob(pattern));

test('names are matched as ripgrep matches them', () => {
  expect(matching('*.cs', ['a.cs', 'a.csx', '.cs', 'acs'])).toEqual(['a.cs', '.cs']);
  expect(matching('*.{js,ts}', ['a.js', 'b.ts', 'c.tsx', 'd.{js,ts}'])).toEqual(['a.js', 'b.ts']);
  expect(matching('{a,{b,c}d}*', ['a1', 'bd', 'cdx', 'b'])).toEqual(['a1', 'bd', 'cdx']);
  expect(matching('?[a-c][!x]', ['1ay', '1ax', '1dy', '😀bz'])).toEqual(['1ay', '😀bz']);
  expect(matching('\\*', ['*', 'a'])).toEqual(['*']);
  expect(matching('*', ['Makefile', '.env', ''])).toEqual(['Makefile', '.env', '']);
});

test('a pattern that is not closed is refused', () => {
  for (const pattern of ['[', '{a', 'a{b,{c}']) expect(() => compileGlob(pattern)).toThrow(GlobError);
});

test('a pattern that is longer than any path, or expands to too many, is rejected', () => {
  const many = (count: number, length: number) => `{${Array(count).fill('x'.repeat(length)).join(',')}}`;
  for (const pattern of [
    '*'.repeat(5_000_000),
    '{a,'.repeat(1_000_000),
    '{a,b}'.repeat(10),
    many(40, 100) + '{a,b}'.repeat(4),
  ])
    expect(() => compileGlob(pattern)).toThrow(GlobError);
  expect(compileGlob(many(40, 90))('x'.repeat(90))).toBe(true);
});

test('a name without special characters matches itself only, and any pattern ends quickly', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '.', '-') }),
      fc.string({ unit: fc.constantFrom('a', 'b', '.', '-') }),
      (pattern, name) => {
        expect(compileGlob(pattern)(name)).toBe(pattern === name);
      },
    ),
  );
  expect(compileGlob('*a'.repeat(40))(`${'a'.repeat(5000)}b`)).toBe(false);
});

test('classes can be read as they are written', () => {
  const plain = (pattern: string) => compileGlob(withoutClasses(pattern) ?? '');
  for (const name of ['[id]', '[...slug]', '[[...slug]]', '[!x]', '[]a]', 'x[{a,b}]', '[*]y', '[?]', '[a\\]'])
    expect(plain(name)(name), name).toBe(true);
  expect(plain('[id].{ts,tsx}')('[id].tsx')).toBe(true);
  expect(plain('\\[a]*[b]')('[a]!![b]')).toBe(true);
  expect(['*.ts', 'a\\[b\\]', '{a,b}', ''].map(withoutClasses)).toEqual([undefined, undefined, undefined, undefined]);
});

test('a name with brackets matches itself, read literally', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '[', ']', '!', '^', '-', ',', '{', '}') }), (inside) => {
      const name = `[a${inside.replaceAll(']', '')}]`;
      expect(compileGlob(withoutClasses(name) ?? '')(name)).toBe(true);
    }),
  );
});
