import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainShellWords } from '../../../src-main/policy/shell-words.ts';
import { FolderTree } from './folder-tree.ts';

let tree: FolderTree;

beforeAll(() => {
  tree = new FolderTree();
  mkdirSync(tree.at('bin'));
  // Files that globs and tildes would find.
  for (const file of ['a', 'b', 'ab']) writeFileSync(tree.at(file), '');
  writeFileSync(tree.at('bin/printargs'), '#!/bin/sh\nprintf "%s\\0" "$0" "$@"\n');
  chmodSync(tree.at('bin/printargs'), 0o755);
});

afterAll(() => tree.remove());

function wordsSeenBy(shell: string, line: string): string[] {
  const env = { PATH: `${tree.at('bin')}:/usr/bin:/bin`, HOME: tree.path, LANG: 'C.UTF-8' };
  const output = execFileSync(shell, ['-c', line], { cwd: tree.path, env, encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'a',
      'b',
      ' ',
      '  ',
      '"',
      "'",
      'x y',
      '-',
      '=',
      '--x=',
      '%',
      ':',
      '@',
      '+',
      ',',
      '.',
      '/',
      '_',
      '1',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '$',
      '`',
      '\\',
      '!',
      '*',
      '?',
      '[',
      ']',
      '{',
      '}',
      ',',
      '~',
      '#',
      ';',
      '&',
      '|',
      '<',
      '>',
      '(',
      ')',
      '^',
      '\n',
      '\t',
      'ü',
      '数',
      '\u00a0',
      '\u202e',
    ),
  },
);
const line = fc.array(piece, { maxLength: 14 }).map((pieces) => `printargs ${pieces.join('')}`);

test.each(['bash', 'sh'])('%s sees exactly the words that a plain line is said to have', (shell) => {
  const probe = spawnSync(shell, ['-c', 'true']);
  if (probe.error !== undefined) throw new Error(`This test needs ${shell}: ${probe.error.message}`);
  let compared = 0;
  fc.assert(
    fc.property(line, (text) => {
      const words = plainShellWords(text, 'linux');
      fc.pre(words !== null);
      compared += 1;
      const [program, ...seen] = wordsSeenBy(shell, text);
      expect(program).toContain('printargs');
      expect(['printargs', ...seen]).toEqual(words);
    }),
    { numRuns: 250, maxSkipsPerRun: 1000 },
  );
  expect(compared).toBeGreaterThanOrEqual(250);
});
