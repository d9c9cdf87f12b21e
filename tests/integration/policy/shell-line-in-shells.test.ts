import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseShellLine } from '../../../src-main/policy/commands/shell-line.ts';
import { FolderTree } from '../../fixtures/folder-tree.ts';

let tree: FolderTree;
const PROGRAMS = ['p0', 'p1', 'p2', 'p3'];

beforeAll(() => {
  tree = new FolderTree();
  for (const folder of ['bin', 'seen', 'work']) mkdirSync(tree.at(folder));
  // Files that globs and tildes would find.
  for (const file of ['a', 'b', 'ab', '-n']) writeFileSync(tree.at(`work/${file}`), '');
  for (const program of PROGRAMS) {
    writeFileSync(tree.at(`bin/${program}`), `#!/bin/sh\nprintf "%s\\0" "$0" "$@" >"$SEEN/${program}"\n`);
    chmodSync(tree.at(`bin/${program}`), 0o755);
  }
});

afterAll(() => tree.remove());

/** What each program was called with; only those that were. */
function argumentsSeenBy(shell: string, line: string): Record<string, string[]> {
  for (const program of PROGRAMS) rmSync(tree.at(`seen/${program}`), { force: true });
  const env = { PATH: `${tree.at('bin')}:/usr/bin:/bin`, HOME: tree.path, LANG: 'C.UTF-8', SEEN: tree.at('seen') };
  const { error } = spawnSync(shell, ['-c', line], { cwd: tree.at('work'), env });
  if (error !== undefined) throw new Error(`This test needs ${shell}: ${error.message}`);
  const ran = PROGRAMS.filter((program) => existsSync(tree.at(`seen/${program}`)));
  return Object.fromEntries(
    ran.map((program) => [
      program,
      readFileSync(tree.at(`seen/${program}`), 'utf8')
        .split('\0')
        .slice(1, -1),
    ]),
  );
}

const plain = fc.constantFrom(
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
  '2',
  '^',
  '\\',
  '$((2 + 3 * 4))',
  '$((7-9))',
  'HEAD~2',
  '@{0}',
  '{}',
  '\\.',
  '"\\$"',
  '"\\.ts$"',
  "'$(x)'",
  '2>&1',
  ' 2>/dev/null',
  ' >/dev/null',
  '!',
  '#',
);
const odd = fc.constantFrom(
  '$',
  '`',
  '*',
  '?',
  '[',
  ']',
  '{',
  '}',
  '{a,b}',
  '{1..3}',
  '~',
  '~root',
  ';',
  '&',
  '|',
  '<',
  '>',
  '(',
  ')',
  '\n',
  '\\\n',
  '\t',
  '\r',
  "$'a'",
  '$"a"',
  '$HOME',
  '$(echo a)',
  '<(echo a)',
  '<<<',
  '2>',
  '1>&2',
  '&>',
  '|&',
  '>|',
  '# a',
  'ü',
  '数',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\u202e',
  '\u0085',
  'a=b ',
  ' p3 ',
);
const words = fc
  .array(fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: odd }), { maxLength: 8 })
  .map((pieces) => pieces.join(''));
const joint = fc.constantFrom(' | ', ' && ', '|', '&&', ' |\n', ' & ', '; ', ' || ', ' |& ');
const line = fc
  .tuple(words, fc.array(fc.tuple(joint, words), { maxLength: 2 }))
  .map(([first, rest]) => `p0 ${first}${rest.map(([between, next], at) => `${between}p${at + 1} ${next}`).join('')}`);

test.each(['bash', 'sh'])('%s runs exactly the commands that a line is said to have', (shell) => {
  let compared = 0;
  fc.assert(
    fc.property(line, (text) => {
      const parsed = parseShellLine(text);
      fc.pre(parsed !== null);
      const commands = parsed.pipelines.flat();
      fc.pre(commands.every((command) => command.words.every(({ wildcards }) => wildcards.length === 0)));
      const said = commands.map((command) => command.words.map(({ text: word }) => word));
      // Another program would end the line, and of one that runs twice only the last call is seen.
      fc.pre(said.every(([program = ''], at) => PROGRAMS.includes(program) && program === `p${at}`));
      compared += 1;
      expect(argumentsSeenBy(shell, text)).toEqual(
        Object.fromEntries(said.map(([program, ...rest]) => [program, rest])),
      );
      // Nothing but what the programs wrote, and no file that a redirection made.
      expect(readdirSync(tree.at('work')).sort()).toEqual(['-n', 'a', 'ab', 'b']);
    }),
    { numRuns: 250, maxSkipsPerRun: 2000 },
  );
  expect(compared).toBeGreaterThanOrEqual(250);
});

test('control: read by its blanks alone, a line is not what a shell runs', () => {
  expect(argumentsSeenBy('bash', 'p0 {a,b} *')).not.toEqual({ p0: ['{a,b}', '*'] });
});
