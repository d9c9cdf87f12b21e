import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toolchainProblem } from '../../scripts/toolchain.mjs';

async function installation(...files: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'steward-toolchain-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), '');
  }
  return root;
}

const MANIFEST = 'node_modules/node/package.json';
const BINARY = 'node_modules/node/bin/node';

test('before npm ci, the way out is npm ci', async () => {
  const root = await installation();
  expect(toolchainProblem({ root, version: '20.20.2', platform: 'linux' })).toMatch(/Run: npm ci$/);
});

test('after an installation with --ignore-scripts, the missing binary is named and the command that fetches it', async () => {
  const root = await installation(MANIFEST);
  expect(toolchainProblem({ root, version: '20.20.2', platform: 'linux' })).toMatch(
    /--ignore-scripts.*npm rebuild node --ignore-scripts=false$/,
  );
});

test("a script started with the machine's own older Node is told to start through npm", async () => {
  const root = await installation(MANIFEST, BINARY);
  expect(toolchainProblem({ root, version: '20.20.2', platform: 'linux' })).toMatch(
    /^This is Node 20\.20\.2.*npm test/,
  );
});

test('the installed Node 24 and a newer one are fine', async () => {
  const root = await installation(MANIFEST, BINARY, `${BINARY}.exe`);
  expect(toolchainProblem({ root, version: '24.21.0', platform: 'linux' })).toBeUndefined();
  expect(toolchainProblem({ root, version: '26.1.0', platform: 'win32' })).toBeUndefined();
});

test('every problem is one line', async () => {
  const roots = [await installation(), await installation(MANIFEST), await installation(MANIFEST, BINARY)];
  for (const root of roots) {
    expect(toolchainProblem({ root, version: '18.0.0', platform: 'linux' })).not.toContain('\n');
  }
});

test('the tests themselves run on the Node that is asked for', () => {
  const root = join(import.meta.dirname, '../..');
  expect(toolchainProblem({ root, version: process.versions.node, platform: process.platform })).toBeUndefined();
});
