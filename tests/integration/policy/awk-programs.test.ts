import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { onlyPrints } from '../../../src-main/policy/commands/reading/awk-program.ts';
import { repetitions } from '../../fixtures/repetitions.ts';

/** Pieces of which programs that write can be made, and that could be taken for each other. */
const PIECES = [
  '{',
  '}',
  '(',
  ')',
  ';',
  ',',
  ' ',
  '/',
  '"',
  '\\',
  '>',
  '|',
  '!',
  '~',
  '&&',
  '||',
  '$1',
  'x',
  '1',
  '=',
  '[',
  ']',
  'print',
  'printf',
  'if (1)',
  'else',
  'return',
  'BEGIN',
  'END',
  'print > "f"',
  'print "a"',
  '"f"',
  '> "f"',
  '| "touch f"',
  '/}/',
  '/"/',
];

test('a program judged as print-only has no effects, for random programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-awk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'input'), 'a 1\nb 2\n');
  const run = (program: string) =>
    spawnSync('awk', [program, 'input'], { cwd: folder, timeout: 10_000, stdio: 'ignore' });
  // The control shows that such a program does leave something behind.
  run('{ print > "f" }');
  expect(readdirSync(folder).sort()).toEqual(['f', 'input']);
  rmSync(join(folder, 'f'));
  let tried = 0;
  const programs = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(programs, (program) => {
      if (!/[>|]/.test(program) || !onlyPrints(program)) return;
      tried += 1;
      run(program);
      expect(readdirSync(folder), program).toEqual(['input']);
    }),
    { numRuns: repetitions(1_000, 20_000) },
  );
  expect(tried).toBeGreaterThan(0);
});
