import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WireNames, wireNameOf } from '../../../src-main/tools/registry/wire-names.ts';

const hash8 = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

test('names become what every provider takes', () => {
  expect(wireNameOf('read_file')).toBe('read_file');
  expect(wireNameOf('Complete Checkout')).toBe('Complete_Checkout');
  expect(wireNameOf('anthropic:latest')).toBe('anthropic_latest');
  expect(wireNameOf('1st')).toBe('_1st');
  expect(wireNameOf('-x')).toBe('_-x');
  expect(wireNameOf('')).toBe('_');
  expect(wireNameOf('día😀')).toBe('d_a_');
  expect(wireNameOf('x'.repeat(63))).toBe('x'.repeat(63));
  expect(wireNameOf('x'.repeat(64))).toBe(`${'x'.repeat(54)}_${hash8('x'.repeat(64))}`);
});

test('a name that is taken, in any letter case, gets the form with a hash', () => {
  const names = new WireNames();
  expect(names.assign('a b')).toBe('a_b');
  expect(names.assign('a.b')).toBe(`a_b_${hash8('a.b')}`);
  expect(names.assign('A:B')).toBe(`A_B_${hash8('A:B')}`);
  expect(names.assign('a b')).toBe('a_b');
  names.remove('a b');
  expect(names.originalOf('A_B')).toBeUndefined();
});

test('every name has its own legal wire name, and the way back leads to it', () => {
  const anyNames = fc.uniqueArray(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', 'A', '.', ' ', '_', '1') }),
      fc.string({ minLength: 60, maxLength: 90 }),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(anyNames, (originals) => {
      const names = new WireNames();
      const wires = originals.map((original) => names.assign(original));
      for (const wire of wires) expect(wire).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/);
      expect(new Set(wires.map((wire) => wire.toLowerCase())).size).toBe(originals.length);
      expect(wires.map((wire) => names.originalOf(wire.toUpperCase()))).toEqual(originals);
    }),
  );
});
