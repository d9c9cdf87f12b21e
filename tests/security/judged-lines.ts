import fc from 'fast-check';
import { expect } from 'vitest';
import { commandEffects } from '../../src-main/policy/commands/command-effects.ts';
import type { GivenCommand } from '../../src-main/policy/commands/command-line.ts';
import { formOfCommand } from '../../src-main/policy/commands/exact-command.ts';
import { bringsOutsideText } from '../../src-main/policy/commands/outside-text.ts';
import { repeatedCommand } from '../../src-main/policy/commands/repeated-command.ts';
import { lineByTables } from './reading-lines.ts';

/** Generous on a busy machine: without a budget it was minutes or forever. */
const MAX_MS = 4_000;

let looked = 0;
const place = {
  realWorkspace: '/w',
  home: '/home/ada',
  realPath: (path: string) => {
    looked++;
    return path;
  },
  isInsideRoots: (path: string) => path.startsWith('/w'),
};

/** All that is judged of a command, within bounds. */
export function judged(command: GivenCommand) {
  looked = 0;
  const start = performance.now();
  const effects = commandEffects({ command, directory: '/w' }, place);
  const form = formOfCommand(command, 'linux');
  const repeated = repeatedCommand(command, 'linux');
  if (command.kind === 'shell') bringsOutsideText(command.line);
  expect(performance.now() - start).toBeLessThan(MAX_MS);
  expect(looked).toBeLessThan(150_000);
  return { ...effects, form, repeated };
}

export const argv = (line: string): GivenCommand => ({ kind: 'argv', argv: line.trim().split(/ +/) });
export const shell = (line: string): GivenCommand => ({ kind: 'shell', line });

const WORDS = [
  'sudo',
  'nice',
  'sh',
  '-c',
  'find',
  '.',
  '-exec',
  '{}',
  '+',
  '\\;',
  'rm',
  '-rf',
  'cd',
  'a',
  '..',
  '~',
  'git',
  '-C',
  'env',
  'A=1',
  '|',
  '&&',
  ';',
  '&',
  '>',
  '<',
  '<<',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '(',
  '{',
  '}',
  '$((',
  '))',
  '\n',
  ' ',
  '\t',
  '\\',
  'xargs',
  'eval',
  'timeout',
  '5',
  'python',
  '-m',
  'pip',
  'head',
  '-1',
  'tail',
  '2>&1',
  '*',
  '[',
  ']',
  '?',
  '#',
  '!',
  '\u0000',
];
/** Lines made by a grammar, and by chance. */
export const anyLine = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(' ')),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join('')),
  fc
    .tuple(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 300 }))
    .map(([words, times]) => `${words.join(' ')} `.repeat(times)),
  fc.string({ unit: 'binary', maxLength: 200 }),
  lineByTables,
);

/** Judges this many lines, without an exception and with bounded work. */
export function judgeLines(numRuns: number): void {
  fc.assert(
    fc.property(anyLine, (line) => {
      judged(shell(line));
      judged(argv(line));
    }),
    { numRuns },
  );
}
