import { execFileSync, execSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extractAll } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { BUNDLED_PACKAGES } from '../../../scripts/built-output.mjs';
import { bundleSizes } from '../../../scripts/bundle-sizes.mjs';
import { prepareApp } from '../../../scripts/package.mjs';
import { needLinux, needPosix } from '../../fixtures/machine-needs.ts';
import {
  differingBytes,
  filesBelow,
  packagesInMap,
  readArchive,
  sha256,
  unexpectedFiles,
  wordsIn,
  writableByOthers,
} from '../../fixtures/package-contents.ts';
import { packagedApp, packagedElectron } from '../../fixtures/packaged-app.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** What its packages name as their registry themselves. */
const PUBLIC_REGISTRY = ['registry', 'npmjs', 'org'].join('.');
/** Shorter names of computers are part of other words. */
const SHORTEST_HOST_NAME = 6;
/**
 * The limits in kB. A thread's code for guessing encodings, which is loaded at the first guess, is 1,130 of
 * `mainInAll`.
 */
const GOALS = { main: 300, mainInAll: 6_300, archive: 8_000 };

async function resourcesOfPackage(): Promise<string> {
  const folder = await packagedApp();
  return process.platform === 'darwin' ? join(folder, 'Steward.app/Contents/Resources') : join(folder, 'resources');
}

function temporaryFolder(name = 'steward-contents-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What would say on which machine it was made. */
function wordsOfThisMachine(): string[] {
  const registry = new URL(execSync('npm config get registry', { encoding: 'utf8', stdio: 'pipe' }).trim());
  return [
    ROOT,
    `${homedir()}/`,
    ...(registry.hostname === PUBLIC_REGISTRY ? [] : [registry.hostname]),
    ...(hostname().length < SHORTEST_HOST_NAME ? [] : [hostname()]),
  ];
}

test('app.asar is sound, and contains the app and nothing else', async () => {
  const resources = await resourcesOfPackage();
  const { isEvaluation } = await packagedElectron();
  const archive = join(resources, 'app.asar');
  const { files, altered } = readArchive(archive);
  const paths = files.map(({ path }) => path);
  expect(altered).toEqual([]);
  expect(unexpectedFiles(paths, isEvaluation)).toEqual([]);
  const unpacked = files.filter(({ isUnpacked }) => isUnpacked).map(({ path }) => path);
  expect(filesBelow(`${archive}.unpacked`).sort()).toEqual(unpacked.sort());
  expect(unpacked.some((path) => path.endsWith('.node')) && unpacked.some((path) => /\/bin\/rg/.test(path))).toBe(true);

  // Native code is as its vendor published it.
  for (const { path, bytes } of files.filter(({ path }) => /\.node$|\/bin\//.test(path)))
    expect(bytes.equals(readFileSync(join(ROOT, path))), path).toBe(true);

  // These controls show that the check finds something.
  const copy = join(temporaryFolder(), 'app.asar');
  copyFileSync(archive, copy);
  cpSync(`${archive}.unpacked`, `${copy}.unpacked`, { recursive: true });
  const bytes = readFileSync(copy);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(copy, bytes);
  expect(readArchive(copy).altered).toHaveLength(1);
  const planted = [
    'main.js.map',
    'tests/a.test.ts',
    '.env',
    'README.md',
    'src-main/main.ts',
    'node_modules/zod/index.js',
  ];
  expect(unexpectedFiles(planted, true)).toEqual(planted);
  const evaluation = 'node_modules/@photostructure/sqlite/package.json';
  expect([unexpectedFiles([evaluation], true), unexpectedFiles([evaluation], false)]).toEqual([[], [evaluation]]);
}, 300_000);

test('nothing in the package is a path of the build machine, a link to a source map or a key', async () => {
  const resources = await resourcesOfPackage();
  const { files } = readArchive(join(resources, 'app.asar'));
  const licenses = filesBelow(join(resources, 'licenses')).map((path) => ({
    path,
    bytes: readFileSync(join(resources, 'licenses', path)),
  }));
  // What others built names their own machines, which may be called like this one.
  const ours = [...files.filter(({ path }) => !/\.node$|\/bin\//.test(path)), ...licenses];
  const words = wordsOfThisMachine();
  expect(wordsIn(ours, words)).toEqual([]);
  expect(wordsIn(files, [ROOT])).toEqual([]);
  expect(wordsIn(ours, ['-----BEGIN PRIVATE KEY-----\n', '-----BEGIN RSA PRIVATE KEY-----\n'])).toEqual([]);
  const bundled = ours.filter(({ path }) => !path.includes('@photostructure/'));
  expect(wordsIn(bundled, ['sourceMappingURL='])).toEqual([]);
  // package.json of the project: its scripts and the tools that built it.
  expect(wordsIn(bundled, ['"scripts":', 'scripts:{', 'devDependencies:{'])).toEqual([]);

  const planted = [{ path: 'main.js', bytes: Buffer.from(`\0\x01${join(ROOT, 'src-main')}\0`) }];
  expect(wordsIn(planted, words)).toEqual([`main.js: ${ROOT}`]);
}, 300_000);

test('everything around it is Electron’s own, unchanged but for the fuses', async (context) => {
  needLinux(context, 'elsewhere the program and its resources are renamed');
  const folder = await packagedApp();
  const electron = await packagedElectron();
  const dist = dirname(electron.executable);
  const named = (file: string) => (file === 'LICENSE' ? 'LICENSE.electron.txt' : file);
  const isLeftOut = (file: string) =>
    /^resources\//.test(file) || (file.startsWith('locales/') && !/^locales\/en-(?:US|GB)\.pak$/.test(file));
  const expected = filesBelow(dist).filter((file) => !isLeftOut(file) && file !== 'electron');
  const around = filesBelow(folder).filter((file) => !file.startsWith('resources/'));
  expect(around.sort()).toEqual([...expected.map(named), 'steward'].sort());
  for (const file of expected)
    expect(sha256(readFileSync(join(folder, named(file)))), file).toBe(sha256(readFileSync(join(dist, file))));
  // The fuses differ in one byte each.
  const changed = differingBytes(join(folder, 'steward'), electron.executable);
  expect(changed).toBeGreaterThan(0);
  expect(changed).toBeLessThan(16);

  const inResources = readdirSync(join(folder, 'resources'));
  // An update file is added where there is somewhere to update from.
  expect(inResources.filter((name) => name !== 'app-update.yml').sort()).toEqual([
    'app.asar',
    'app.asar.unpacked',
    'bin',
    'licenses',
  ]);
  expect(inResources).not.toContain('default_app.asar');
}, 300_000);

test('the fuses are set in the program itself', async () => {
  const { executable } = await packagedElectron();
  const folder = await packagedApp();
  const program = join(
    folder,
    { darwin: 'Steward.app', win32: 'steward.exe' }[process.platform as string] ?? 'steward',
  );
  const on = async (file: string) => {
    const wire: Partial<Record<string, unknown>> = { ...(await getCurrentFuseWire(file)) };
    const names = Object.entries(FuseV1Options).filter(([name]) => Number.isNaN(Number(name)));
    return Object.fromEntries(names.map(([name, at]) => [name, wire[String(at)] === FuseState.ENABLE]));
  };
  const wanted = {
    RunAsNode: false,
    // No cookie is used, and on macOS it would cost a question of the keychain.
    EnableCookieEncryption: false,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
  };
  expect(await on(program)).toMatchObject(wanted);
  // The control: as it comes.
  expect(await on(executable)).not.toMatchObject(wanted);
}, 300_000);

test('only the owner of the files can change the package', async (context) => {
  needPosix(context);
  const folder = await packagedApp();
  expect(writableByOthers(folder)).toEqual([]);
  const helper = join(folder, 'chrome-sandbox');
  // Installers decide whether it needs more.
  if (existsSync(helper)) expect(statSync(helper).mode & 0o7777).toBe(0o755);
  const planted = temporaryFolder();
  writeFileSync(join(planted, 'file'), '');
  chmodSync(join(planted, 'file'), 0o666);
  expect(writableByOthers(planted)).toEqual(['file']);
}, 300_000);

test('the package is not larger than its limit', async () => {
  const archive = join(await resourcesOfPackage(), 'app.asar');
  const unpacked = temporaryFolder();
  extractAll(archive, unpacked);
  const { main, mainInAll } = bundleSizes(unpacked);
  const sizes = { main, mainInAll, archive: statSync(archive).size / 1_000 };
  const tooLarge = (goals: typeof GOALS) =>
    Object.entries(sizes).filter(([part, size]) => size > goals[part as keyof typeof GOALS]);
  expect(tooLarge(GOALS)).toEqual([]);
  expect(tooLarge({ main: 1, mainInAll: 1, archive: 1 })).toHaveLength(3);
}, 300_000);

test('the licence of every package in it is there, also of what is bundled', async () => {
  const resources = await resourcesOfPackage();
  const notices = readFileSync(join(resources, 'licenses', 'LICENSES.npm.txt'), 'utf8');
  expect(readFileSync(join(resources, 'licenses', 'LICENSE.txt'), 'utf8')).toContain('MIT License');
  // Found in another way than the list itself: by source maps, which are not shipped.
  const mapped = temporaryFolder();
  const builds = [
    ['vite.config.ts', 'package'],
    ['vite.renderer.config.ts', 'app'],
    ['vite.renderer.config.ts', 'consent'],
  ] as const;
  for (const [file, mode] of builds) {
    const outDir = join(mapped, `${file}-${mode}`);
    const options = { outDir, emptyOutDir: true, sourcemap: true, minify: false };
    await build({ configFile: join(ROOT, file), mode, build: options, logLevel: 'error' });
  }
  const maps = filesBelow(mapped).filter((file) => file.endsWith('.map'));
  const bundled = new Set(maps.flatMap((file) => packagesInMap(readFileSync(join(mapped, file), 'utf8'))));
  const copied = readArchive(join(resources, 'app.asar')).files.flatMap(
    ({ path }) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? [],
  );
  expect(bundled.size).toBeGreaterThan(100);
  const installed = [...bundled, ...copied].map((name) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
    return manifest.name as string;
  });
  const missing = (text: string) => installed.filter((name) => !new RegExp(`^${name} \\d`, 'm').test(text));
  expect(missing(notices)).toEqual([]);
  expect(missing(notices.replaceAll(/^zod /gm, ''))).toEqual(['zod']);
}, 300_000);

test('a release has no SQLite of the evaluation runtime, starts without it, and is the same when it is built again', async () => {
  const folders = ['a', 'b with späces'].map((name) => join(temporaryFolder(), name));
  const contents: Record<string, string>[] = [];
  for (const folder of folders) {
    const app = join(folder, 'app');
    mkdirSync(app, { recursive: true });
    await prepareApp(false, { app, licenses: join(folder, 'licenses') });
    contents.push(
      Object.fromEntries(filesBelow(folder).map((path) => [path, sha256(readFileSync(join(folder, path)))])),
    );
  }
  expect(contents[1]).toEqual(contents[0]);

  const [folder = ''] = folders;
  const app = join(folder, 'app');
  const paths = filesBelow(app);
  expect(unexpectedFiles(paths, false)).toEqual([]);
  expect(paths.filter((path) => path.endsWith(BUNDLED_PACKAGES))).toEqual([]);
  expect(Object.keys(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')).dependencies)).not.toContain(
    '@photostructure/sqlite',
  );
  const naming = paths.filter(
    (path) => path.endsWith('.js') && readFileSync(join(app, path)).includes('@photostructure'),
  );
  expect(naming).toHaveLength(1);
  // With a Node that has `node:sqlite`, as a release has, the chunk loads where the package can't be found.
  for (const path of naming) {
    const script = `await import(${JSON.stringify(pathToFileURL(join(app, path)).href)})`;
    expect(() =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' }),
    ).not.toThrow();
    const without = `process.getBuiltinModule = undefined; ${script}`;
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', without], { stdio: 'pipe' })).toThrow(
      '@photostructure/sqlite',
    );
  }
}, 300_000);
