import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { provideElectron } from '../../../scripts/electron-runtime.mjs';

const onX64Linux = process.platform === 'linux' && process.arch === 'x64';

/** A machine of its own: an `electron` package as npm installs it, and a cache with the evaluation runtime in it. */
function machine(installer: string, firstByteWithinMs = 20_000) {
  const folder = mkdtempSync(join(tmpdir(), 'steward-electron-machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const electronPackage = join(folder, 'electron');
  const evaluation = join(folder, 'cache/steward/electron-33.2.1');
  write(join(electronPackage, 'package.json'), '{ "version": "45.4.1" }');
  write(join(electronPackage, 'install.js'), installer);
  write(join(evaluation, 'electron'), '#!/bin/sh\n');
  write(join(evaluation, 'resources/default_app.asar'), '');
  write(join(evaluation, 'version'), '33.2.1');
  const said: string[] = [];
  const find = (env: Record<string, string> = {}) =>
    provideElectron({
      say: (line) => void said.push(line),
      onProgress: () => undefined,
      electronPackage,
      env: { ...withoutProxies(), ELECTRON_OVERRIDE_DIST_PATH: '', XDG_CACHE_HOME: join(folder, 'cache'), ...env },
      firstByteWithinMs,
    });
  return { folder, electronPackage, evaluation, said, find };
}

function withoutProxies(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/proxy/i.test(name)));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

const NO_PROXY_HELP =
  'If this network needs one, set HTTPS_PROXY to its proxy, or ELECTRON_MIRROR to a mirror of Electron.';
const FAILS = `console.error('TypeError: fetch failed\\n    at install.js:1:1'); process.exit(1);`;
const NEVER_ANSWERS = 'setInterval(() => undefined, 1000);';
const INSTALLS = `const { mkdirSync, writeFileSync } = require('node:fs');
  mkdirSync(__dirname + '/dist');
  writeFileSync(__dirname + '/dist/electron', '');
  writeFileSync(__dirname + '/path.txt', 'electron');`;

test('an installed Electron is used unchanged', async () => {
  const { electronPackage, find, said } = machine(FAILS);
  write(join(electronPackage, 'path.txt'), 'electron');
  write(join(electronPackage, 'dist/electron'), '');
  expect(await find()).toEqual({ executable: join(electronPackage, 'dist/electron'), isEvaluation: false });
  expect(said).toEqual([]);
});

test('a missing one is downloaded by its own installer', async () => {
  const { electronPackage, find } = machine(INSTALLS);
  expect(await find()).toEqual({ executable: join(electronPackage, 'dist/electron'), isEvaluation: false });
});

test.each([
  ['fails', FAILS, 'fetch failed', undefined],
  ['gets no answer', NEVER_ANSWERS, 'no answer', 700],
])(
  'where the download %s, one line says so, and the evaluation runtime is used',
  async (_how, installer, reason, withinMs) => {
    const { evaluation, find, said } = machine(installer, withinMs);
    if (!onX64Linux) {
      await expect(find()).rejects.toThrow(
        `could not be downloaded (${reason}). ${NO_PROXY_HELP} The evaluation runtime exists for`,
      );
      return;
    }
    expect(await find()).toEqual({ executable: join(evaluation, 'electron'), isEvaluation: true });
    expect(said).toEqual([
      `Electron 45.4.1 is not installed and could not be downloaded (${reason}): this is the evaluation runtime, Electron 33.2.1, to try Steward only. ${NO_PROXY_HELP}`,
    ]);
  },
);

const SAYS_ENVIRONMENT = `const { ELECTRON_GET_USE_PROXY, HTTPS_PROXY, http_proxy, NO_PROXY } = process.env;
  console.error('Error: ' + JSON.stringify({ ELECTRON_GET_USE_PROXY, HTTPS_PROXY, http_proxy, NO_PROXY })); process.exit(1);`;

test.each<[string, Record<string, string>, object]>([
  [
    'of the environment',
    { https_proxy: 'http://proxy.test:1', no_proxy: 'localhost' },
    { ELECTRON_GET_USE_PROXY: 'true', HTTPS_PROXY: 'http://proxy.test:1', NO_PROXY: 'localhost' },
  ],
  [
    'for everything',
    { ALL_PROXY: 'http://proxy.test:2' },
    { ELECTRON_GET_USE_PROXY: 'true', HTTPS_PROXY: 'http://proxy.test:2', http_proxy: 'http://proxy.test:2' },
  ],
  [
    'of npm’s settings',
    { npm_config_proxy: 'http://proxy.test:3', npm_config_https_proxy: 'http://proxy.test:4', npm_config_noproxy: 'a' },
    {
      ELECTRON_GET_USE_PROXY: 'true',
      HTTPS_PROXY: 'http://proxy.test:4',
      http_proxy: 'http://proxy.test:3',
      NO_PROXY: 'a',
    },
  ],
])('the download takes a proxy %s, and its failure names the mirror', async (_, env, received) => {
  const { find, said } = machine(SAYS_ENVIRONMENT);
  const failure = await find(env).catch(String);
  const all = [...said, failure].join(' ');
  expect(all).toContain(`(${JSON.stringify(received)})`);
  expect(all).toContain('set ELECTRON_MIRROR to a mirror of Electron.');
});

test('without a proxy the installer is told of none', async () => {
  const { find, said } = machine(SAYS_ENVIRONMENT);
  const failure = await find().catch(String);
  expect([...said, failure].join(' ')).toContain('({})');
});

test('ELECTRON_OVERRIDE_DIST_PATH comes first, and the evaluation runtime is recognised in it', async () => {
  const { folder, evaluation, find } = machine(FAILS);
  expect(await find({ ELECTRON_OVERRIDE_DIST_PATH: evaluation })).toEqual({
    executable: join(evaluation, 'electron'),
    isEvaluation: true,
  });
  write(join(folder, 'own/electron'), '');
  expect((await find({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'own') })).isEvaluation).toBe(false);
  expect(existsSync(join(folder, 'none'))).toBe(false);
  await expect(find({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'none') })).rejects.toThrow('Correct it or unset it.');
});
