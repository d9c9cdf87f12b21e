import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import type { LinuxPackager, LinuxTargetSpecificOptions } from 'app-builder-lib';
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js';
import { getConfig } from 'app-builder-lib/out/util/config/config.js';
import schema from 'app-builder-lib/scheme.json';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { renderIcons } from '../../../scripts/icons.mjs';
import { replaceWhenMade, shippedPackages } from '../../../scripts/package.mjs';
import { APP_ID } from '../../../src-main/desktop/app-id.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RELEASE = readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8');
const config = () => getConfig(ROOT, 'electron-builder.yml', null);
/** What the schema has against a configuration. */
const problems = new Ajv({ strict: false, allErrors: true }).compile(schema);
const validate = (value: unknown) => (problems(value) ? [] : (problems.errors ?? []).map(({ params }) => params));

test('electron-builder accepts its configuration, for the targets that cannot be made here too', async () => {
  const read = await config();
  expect(validate(read)).toEqual([]);
  expect([read.linux?.target, read.mac?.target, read.win?.target]).toEqual([
    ['AppImage', 'deb', 'rpm'],
    ['dmg', 'zip'],
    ['nsis'],
  ]);
  expect(validate({ ...read, dubious: true })).toContainEqual({ additionalProperty: 'dubious' });
});

test('Windows knows the app by the id of its shortcut, and macOS refuses it where Electron does not run', async () => {
  const read = await config();
  expect([read.appId, read.mac?.minimumSystemVersion]).toEqual([APP_ID, '13.0']);
});

test('nothing runs inside the packaged app but the app', async () => {
  expect((await config()).electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  });
});

test('it claims no files and no addresses of the system', async () => {
  const read = await config();
  expect([read.fileAssociations, read.protocols, read.linux?.mimeTypes]).toEqual([undefined, undefined, undefined]);
});

test('a release does not contain the SQLite of the evaluation runtime', () => {
  const isShipped = (isEvaluation: boolean) =>
    shippedPackages(isEvaluation).some(({ name }) => name.test('@photostructure/sqlite'));
  expect([isShipped(true), isShipped(false)]).toEqual([true, false]);
});

test('what was packaged before stays until the new is complete', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [output, making] = [join(folder, 'dist'), join(folder, 'making')];
  const make = (content: string, error?: Error) =>
    replaceWhenMade(output, making, async () => {
      mkdirSync(making);
      writeFileSync(join(making, 'app'), content);
      if (error !== undefined) throw error;
      return content;
    });
  const there = () => [readFileSync(join(output, 'app'), 'utf8'), existsSync(making)];
  expect(await make('first')).toBe('first');
  expect(there()).toEqual(['first', false]);
  await expect(make('second', new Error('no network'))).rejects.toThrow('no network');
  expect(there()).toEqual(['first', false]);
  await make('third');
  expect(there()).toEqual(['third', false]);
});

interface Job {
  readonly needs?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

test('a release is published after every test and every installer, by the one job that may write', () => {
  const { permissions, jobs }: { permissions: object; jobs: Record<string, Job> } = parse(RELEASE);
  expect(permissions).toEqual({});
  expect(Object.entries(jobs).map(([name, { needs, permissions }]) => [name, needs, permissions.contents])).toEqual([
    ['checks', undefined, 'read'],
    ['installers', 'checks', 'read'],
    ['release', 'installers', 'write'],
  ]);
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.filter((action) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  const commands = jobs.checks?.steps.map(({ run }) => run);
  expect(commands).toContain('.ci/run');
  expect(commands).toContain(`test "$GITHUB_REF_NAME" = "v$(node -p "require('./package.json').version")"`);
});

test('what a release uploads is what its targets make', async () => {
  const { linux, mac, win } = await config();
  const endings = [linux, mac, win]
    .flatMap((system) => system?.target ?? [])
    .map((target) => (target === 'nsis' ? 'exe' : target));
  for (const ending of endings) {
    expect(RELEASE).toContain(`out/package/dist/*.${ending}`);
    expect(RELEASE).toMatch(new RegExp(`for kind in .*\\b${ending}\\b`));
  }
});

test('nothing on macOS may load code that Apple or Steward did not sign', () => {
  const entitlements = readFileSync(join(ROOT, 'resources', 'mac', 'entitlements.plist'), 'utf8');
  expect([...entitlements.matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key)).toEqual([
    'com.apple.security.cs.allow-jit',
  ]);
});

test('the desktop entry of each Linux package names the window, and starts it with its sandbox', async () => {
  const { linux, appImage, deb, rpm } = await config();
  const desktopName = 'steward.desktop';
  const packager = {
    executableName: 'steward',
    platformSpecificBuildOptions: linux,
    config: {},
    fileAssociations: [],
    appInfo: { productName: 'Steward', sanitizedProductName: 'Steward', description: '' },
    info: { metadata: { desktopName } },
  };
  const helper = new LinuxTargetHelper(packager as unknown as LinuxPackager);
  expect(helper.getDesktopFileName()).toBe('steward');
  for (const [options, exec] of [[deb], [rpm], [appImage, 'AppRun %U']] as const) {
    const entry = await helper.computeDesktopEntry({ ...linux, ...options } as LinuxTargetSpecificOptions, exec);
    expect(entry).toContain('\nStartupWMClass=steward\n');
    expect(entry).toContain('\nIcon=steward\n');
    expect(entry).not.toMatch(/no-sandbox|MimeType/);
  }
  // The target's own default is --no-sandbox.
  expect(appImage?.executableArgs).toEqual([]);
});

test('releases are on GitHub, in the project of the app id', async () => {
  const { appId, publish } = await config();
  expect(publish).toEqual({ provider: 'github', owner: 'steward-desktop', repo: 'Steward' });
  expect(appId).toBe('io.github.steward-desktop.Steward');
});

test('the icons are those of the drawing (node scripts/icons.mjs renders them anew)', () => {
  for (const [name, content] of renderIcons())
    expect(readFileSync(join(ROOT, 'resources', 'icons', name)).equals(content), name).toBe(true);
});
