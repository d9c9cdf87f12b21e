import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';

test.each([
  ['', []],
  ['  \t\n ', []],
  ['a b  c', ['a', 'b', 'c']],
  ['"a b" \'c d\'', ['a b', 'c d']],
  ['--x="a b"', ['--x=a b']],
  ['""', ['']],
  ["a '' b", ['a', '', 'b']],
  ['$HOME && echo pwned', ['$HOME', '&&', 'echo', 'pwned']],
  ['-e "console.log(1);console.error(2);process.exit(9)"', ['-e', 'console.log(1);console.error(2);process.exit(9)']],
  ['-e "print(\\"x\\")"', ['-e', 'print("x")']],
  ['C:\\Users\\ada\\a.txt', ['C:\\Users\\ada\\a.txt']],
  ['"C:\\Program Files\\x"', ['C:\\Program Files\\x']],
  ["'it\\'", ['it\\']],
  ['"a\'b"', ["a'b"]],
  ['*.txt | x', ['*.txt', '|', 'x']],
  ['größe 数', ['größe', '数']],
])('run_command gets %j as the words %j', (text, words) => {
  expect(splitCommandWords(text)).toEqual(words);
});

test.each([
  ['"a', 'double'],
  ["it's", 'single'],
  ['"a\\"', 'double'],
])('arguments with an open quote (%j) are refused by name', (text, kind) => {
  expect(() => splitCommandWords(text)).toThrow(`a ${kind} quote is not closed`);
});

test('any words come back from their quoted form', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes("'"));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(splitCommandWords(words.map((text) => `'${text}'`).join(' '))).toEqual(words);
    }),
  );
});
