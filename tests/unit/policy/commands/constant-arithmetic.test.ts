import { expect, test } from 'vitest';
import { constantArithmetic } from '../../../../src-main/policy/commands/constant-arithmetic.ts';

test.each([
  ['$((21300 - 7500 - 2000)) x', '$((21300 - 7500 - 2000))', '11800'],
  ['$((2+3*4))', '$((2+3*4))', '14'],
  ['$(( 0 * 5 - 7 ))', '$(( 0 * 5 - 7 ))', '-7'],
  ['$((0 * 5))', '$((0 * 5))', '0'],
])('%s', (text, source, value) => {
  expect(constantArithmetic(text)).toEqual({ source, value });
});

test.each([
  '$((010))',
  '$((x))',
  '$((1/0))',
  '$((a[$(id)]))',
  '$(id)',
  '$((1) )',
  '$((999999999*999999999))',
  '$((-1))',
  '$((1 2))',
  '$((1+(2)))',
  '$((1--1))',
])('%s is not certain to be harmless arithmetic', (text) => {
  expect(constantArithmetic(text)).toBeUndefined();
});
