import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LoginShellPath } from '../../../src-main/processes/login-shell-path.ts';
import { ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import { ownTimeMs } from '../../fixtures/own-time.ts';
import { processPorts } from '../../fixtures/process-ports.ts';
import { runningProcesses } from '../../fixtures/process-table.ts';

const OWN = '/usr/bin:/bin';
const own = { path: OWN, source: 'environment' };

/** A login shell whose profile does this before it does what it was asked to. */
function withShell(profile: string, env: NodeJS.ProcessEnv = {}, timeoutMs = 3_000) {
  const folder = mkdtempSync(join(tmpdir(), 'login-shell-'));
  const shell = join(folder, 'shell');
  writeFileSync(shell, `#!/bin/sh\n[ "$1" = -ilc ] || exit 9\n${profile}\neval "$2"\n`);
  chmodSync(shell, 0o755);
  const processes = new ProcessRunner(processPorts);
  onTestFinished(async () => {
    await processes.killAll();
    rmSync(folder, { recursive: true, force: true });
  });
  const given = { PATH: OWN, SHELL: shell, ...env };
  return { folder, path: new LoginShellPath({ processes, env: given, platform: 'linux', timeoutMs }) };
}

test('the folders of the profile come first, and ours after them', async () => {
  const { path } = withShell('PATH=/opt/tools/bin:/bin');
  expect(await path.get()).toEqual({ path: '/opt/tools/bin:/bin:/usr/bin', source: 'login-shell' });
});

test('the output of a shell profile and relative folders are not part of the PATH', async () => {
  const { path } = withShell('echo "Welcome! PATH=/evil"; echo noise >&2; PATH=".:/opt/a b:bin::/bin"');
  expect(await path.get()).toEqual({ path: '/opt/a b:/bin:/usr/bin', source: 'login-shell' });
});

test.each([
  ['that fails', 'exit 1'],
  ['that says nothing', 'eval() { :; }'],
  ['without a path', 'PATH='],
])('a shell %s leaves ours', async (_what, profile) => {
  expect(await withShell(profile).path.get()).toEqual(own);
});

test('a slow shell is waited for as long as agreed, once for everybody, and nothing of it goes on', async () => {
  const { path, folder } = withShell(
    'cd "$(dirname "$0")"; echo $$ > pids; sleep 60 & echo $! >> pids; sleep 60',
    {},
    300,
  );
  const startedAt = ownTimeMs();
  expect(await Promise.all([path.get(), path.get()])).toEqual([own, own]);
  expect(ownTimeMs() - startedAt).toBeLessThan(2_900);
  const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);
  expect(pids).toHaveLength(2);
  expect(runningProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);
});

test('a shell that is not there leaves ours', async () => {
  expect(await withShell('', { SHELL: '/no/such/shell' }).path.get()).toEqual(own);
  expect(await withShell('', { SHELL: 'shell' }).path.get()).toEqual(own);
});

test('nobody is asked where Steward was started from a terminal', async () => {
  expect(await withShell('PATH=/opt/tools/bin', { TERM: 'xterm-256color' }).path.get()).toEqual(own);
});

test('a profile is not given what looks like a secret', async () => {
  const { path } = withShell('PATH="/opt/x$SOME_API_KEY"', { SOME_API_KEY: 'leaked' });
  expect((await path.get()).path).toBe('/opt/x:/usr/bin:/bin');
});
