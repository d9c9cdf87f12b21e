import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkBoundedValue,
  MAX_INPUT_LENGTH,
  MAX_LEVELS,
  MAX_VALUES,
  parseBoundedJson,
} from '../../../src-main/base/bounded-json.ts';

const TOO_DEEP = `nested more than ${MAX_LEVELS} levels deep`;
const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const items = (count: number) => `[${Array(count).fill('1').join(',')}]`;

describe('deep nesting is rejected, as text and as a value', () => {
  test.each([
    ['arrays', arrays],
    ['objects', objects],
    ['both', (levels: number) => `${'[{"a":'.repeat(levels / 2 - 1)}[{}]${'}]'.repeat(levels / 2 - 1)}`],
  ])('%s', (_, nested) => {
    const deepest = nested(MAX_LEVELS);
    expect(parseBoundedJson(deepest)).toEqual(JSON.parse(deepest));
    checkBoundedValue(JSON.parse(deepest));
    const deeper = `[${deepest}]`;
    expect(() => parseBoundedJson(deeper)).toThrow(TOO_DEEP);
    expect(() => checkBoundedValue(JSON.parse(deeper))).toThrow(TOO_DEEP);
  });

  test('nesting that is too deep is refused, even in incomplete JSON', () => {
    for (const text of [arrays(500_000), '['.repeat(1_000), objects(150_000)])
      expect(() => parseBoundedJson(text)).toThrow(TOO_DEEP);
    expect(() => checkBoundedValue(JSON.parse(arrays(2_000_000)))).toThrow(TOO_DEEP);
  });

  test('siblings, and brackets inside texts, do not count as nesting', () => {
    const text = JSON.stringify([Array(1_000).fill([]), arrays(1_000), '"'.repeat(9), `\\"${'{'.repeat(500)}`, '\\']);
    expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
  });

  test('a value that holds itself is refused', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => checkBoundedValue(loop)).toThrow(TOO_DEEP);
  });
});

test('more values than a tool is ever given are refused, texts of any number of commas are not', () => {
  const most = items(MAX_VALUES - 1);
  expect(parseBoundedJson(most)).toHaveLength(MAX_VALUES - 1);
  checkBoundedValue(JSON.parse(most));
  for (const text of [items(MAX_VALUES), `[${Array(MAX_VALUES).fill('{}').join(',')}]`]) {
    expect(() => parseBoundedJson(text)).toThrow('more than 100,000 values');
    expect(() => checkBoundedValue(JSON.parse(text))).toThrow('more than 100,000 values');
  }
  expect(parseBoundedJson(JSON.stringify([',[{'.repeat(300_000)]))).toHaveLength(1);
});

test('a longer text than a model writes is refused, and its length said', () => {
  const longest = JSON.stringify('a'.repeat(MAX_INPUT_LENGTH - 2));
  expect(parseBoundedJson(longest)).toHaveLength(MAX_INPUT_LENGTH - 2);
  expect(() => parseBoundedJson(`${longest} `)).toThrow('longer than 1,048,576 characters (it has 1,048,577)');
});

test('within the bounds it is JSON.parse, for what is JSON and for what is not', () => {
  const outcome = (parse: (text: string) => unknown, text: string) => {
    try {
      return { value: parse(text) };
    } catch (error) {
      return { error: String(error) };
    }
  };
  const bounded = (text: string) => outcome(parseBoundedJson, text);
  const pieces = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 1a'), maxLength: 40 });
  fc.assert(
    fc.property(fc.oneof(fc.json(), pieces), (text) => {
      expect(bounded(text)).toEqual(outcome(JSON.parse, text));
    }),
    { numRuns: 500 },
  );
});
