import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CI_RUN = join(import.meta.dirname, '../../../.ci/run');

interface Script {
  readonly prints: string;
  readonly exitCode?: number;
}

/** `.ci/run` in a repository whose npm does what it is told. */
function ciRun({ install = 0, test: usual, long }: { install?: number; test: Script; long: Script }) {
  const root = mkdtempSync(join(tmpdir(), 'steward-ci-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  mkdirSync(join(root, '.ci'));
  cpSync(CI_RUN, join(root, '.ci', 'run'));
  const answer = ({ prints, exitCode = 0 }: Script) => `printf '%b\\n' ${JSON.stringify(prints)}; exit ${exitCode}`;
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh
case "$*" in
  "ci "*) exit ${install} ;;
  "--silent test") ${answer(usual)} ;;
  "--silent run test:long") ${answer(long)} ;;
esac
exit 9
`,
    { mode: 0o755 },
  );
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { stdout, status } = spawnSync(join(root, '.ci', 'run'), { env, encoding: 'utf8' });
  return { last: stdout.trimEnd().split('\n').at(-1), status };
}

const green = { prints: 'x\n\n10 passed, 0 failed' };

test('the last line counts passed and failed tests, without those that were skipped', () => {
  expect(ciRun({ test: green, long: { prints: '5 passed, 0 failed, 2 skipped' } })).toEqual({
    last: '15 passed, 0 failed',
    status: 0,
  });
});

test('a failure in one script fails the whole run, and the other still runs', () => {
  const red = { prints: '3 passed, 2 failed', exitCode: 1 };
  expect(ciRun({ test: red, long: green })).toEqual({ last: '13 passed, 2 failed', status: 1 });
  expect(ciRun({ test: green, long: red })).toEqual({ last: '13 passed, 2 failed', status: 1 });
});

test('a script that ends without counts, or badly without a failure, is one', () => {
  expect(ciRun({ test: green, long: { prints: 'Killed', exitCode: 137 } })).toMatchObject({
    last: '10 passed, 1 failed',
    status: 1,
  });
  expect(ciRun({ test: green, long: { ...green, exitCode: 1 } })).toMatchObject({ last: '20 passed, 1 failed' });
  expect(ciRun({ install: 1, test: green, long: green })).toEqual({ last: '0 passed, 1 failed', status: 1 });
});
