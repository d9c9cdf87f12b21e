// @ts-check
// `npm run package` makes the app as it is shipped, unpacked, in out/package/dist. It needs no network if an Electron
// is already there. `npm run package -- --installers` makes this system's installers, which electron-builder's own
// downloads make, and a bill of materials.
import './require-toolchain.mjs';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'electron-builder';
import { buildInto } from './built-output.mjs';
import { bundleSizes } from './bundle-sizes.mjs';
import { EVALUATION_RUNTIME, progressOn } from './electron-evaluation-runtime.mjs';
import { NoElectronError, provideElectron } from './electron-runtime.mjs';
import { linkedToLauncher } from './launcher-link.mjs';
import { renameOverSync } from './rename-over.mjs';
import { billOfMaterials, bundledPackages, copiedPackage, licenseNotices, withoutRepeats } from './third-party.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const APP = join(ROOT, 'out', 'package', 'app');
const OUTPUT = join(ROOT, 'out', 'package', 'dist');
/** The folder of the licences, which electron-builder.yml puts beside app.asar. */
const LICENSES = join(ROOT, 'out', 'package', 'licenses');
const MAKING = join(ROOT, 'out', 'package', 'making');
const DIRECTORIES = { app: APP, output: MAKING };

/**
 * Variables for signing and notarising. If one is set but empty, as a workflow sets a secret that does not exist,
 * electron-builder takes it for a file name.
 */
const SIGNING = ['CSC_LINK', 'CSC_KEY_PASSWORD', 'APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'];

/**
 * @typedef {{ name: RegExp, files: RegExp }} Shipped packages of node_modules by name, and which of their files are
 * shipped
 */

/**
 * What the bundles leave in node_modules: native code, and code that finds its files beside itself. If there are
 * packages for each platform, only this machine's are installed.
 * @type {readonly Shipped[]}
 */
const SHIPPED = [
  { name: /^keytar$/, files: /^(?:package\.json|LICENSE|[^/]+\.js)$/ },
  { name: /^@napi-rs\/keyring-/, files: /^(?:package\.json|LICENSE.*|[^/]+\.node)$/ },
  { name: /^@vscode\/ripgrep$/, files: /^(?:package\.json|LICENSE|lib\/[^/]+\.js)$/ },
  { name: /^@vscode\/ripgrep-/, files: /^(?:package\.json|LICENSE|bin\/.+)$/ },
];
/**
 * Only the evaluation runtime lacks `node:sqlite`, so a release must not contain this.
 * @type {readonly Shipped[]}
 */
const EVALUATION_ONLY = [
  {
    name: /^@photostructure\/sqlite$/,
    files: new RegExp(`^(?:package\\.json|LICENSE|dist/index\\.cjs|prebuilds/${process.platform}-${process.arch}/.+)$`),
  },
  { name: /^node-gyp-build$/, files: /^(?:package\.json|LICENSE|[^/]+\.js)$/ },
];

/**
 * @param {boolean} isEvaluation whether it is for the evaluation runtime
 * @returns {readonly Shipped[]}
 */
export function shippedPackages(isEvaluation) {
  return isEvaluation ? [...SHIPPED, ...EVALUATION_ONLY] : SHIPPED;
}

/**
 * @param {import('./electron-runtime.mjs').Electron} electron
 * @returns {Promise<string>} the folder of the unpacked app
 */
export async function packageApp(electron) {
  const name = await replaceWhenMade(OUTPUT, MAKING, () => makeUnpacked(electron));
  return join(OUTPUT, name);
}

/** @param {import('./electron-runtime.mjs').Electron} electron */
async function makeUnpacked(electron) {
  await prepareApp(electron.isEvaluation);
  const electronVersion = electron.isEvaluation ? EVALUATION_RUNTIME.electronVersion : releasedElectron();
  await build({
    projectDir: ROOT,
    dir: true,
    publish: 'never',
    config: { directories: DIRECTORIES, electronDist: dirname(electron.executable), electronVersion },
  });
  // Electron would start it if the app were missing.
  for (const file of filesIn(MAKING)) if (basename(file) === 'default_app.asar') rmSync(file);
  const folder = readdirSync(MAKING).find((name) => name.endsWith('-unpacked') || name.startsWith('mac'));
  if (folder === undefined) throw new Error(`electron-builder made no app in ${MAKING}.`);
  return folder;
}

/**
 * Replaces a folder. What was made before stays until the new one is complete.
 * @template T
 * @param {string} output the folder that is replaced
 * @param {string} making a folder beside it, where `make` puts everything
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
export async function replaceWhenMade(output, making, make) {
  rmSync(making, { recursive: true, force: true });
  try {
    const made = await make();
    rmSync(output, { recursive: true, force: true });
    renameOverSync(making, output);
    return made;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** @returns {Promise<string[]>} the files, in their folder */
async function makeInstallers() {
  const packages = await prepareApp(false);
  for (const name of /** @type {const} */ (['after-install.tpl', 'after-remove.tpl']))
    writeFileSync(join(ROOT, 'out', 'package', name), linkedToLauncher(name));
  for (const name of SIGNING) if (process.env[name] === '') delete process.env[name];
  const electron = releasedElectron();
  const config = { directories: DIRECTORIES, electronVersion: electron };
  const made = await build({ projectDir: ROOT, publish: 'never', config });
  const { name, version } = readJson(join(APP, 'package.json'));
  const bill = join(MAKING, `${name}-${version}-${process.platform}-${process.arch}.cdx.json`);
  writeFileSync(bill, billOfMaterials({ name, version, electron, packages }));
  return [...made, bill].map((file) => relative(MAKING, file));
}

/**
 * Builds the folder that becomes app.asar, and the licences.
 * @param {boolean} isEvaluation whether it is for the evaluation runtime
 * @param {{ app?: string, licenses?: string }} [folders]
 * @returns {Promise<import('./third-party.mjs').ThirdParty[]>} every package that is in it
 */
export async function prepareApp(isEvaluation, { app = APP, licenses = LICENSES } = {}) {
  for (const folder of [app, licenses]) rmSync(folder, { recursive: true, force: true });
  await buildInto(app, undefined, 'package');
  const shipped = copyPackages(shippedPackages(isEvaluation), app);
  writeManifest(shipped, app);
  const copied = shipped.map((name) => copiedPackage(MODULES, name));
  const packages = withoutRepeats([...bundledPackages(app), ...copied]);
  mkdirSync(licenses, { recursive: true });
  copyFileSync(join(ROOT, 'LICENSE'), join(licenses, 'LICENSE.txt'));
  writeFileSync(join(licenses, 'LICENSES.npm.txt'), licenseNotices(packages, MODULES));
  return packages;
}

function releasedElectron() {
  return readJson(join(ROOT, 'package.json')).devDependencies.electron;
}

/**
 * @param {readonly Shipped[]} shipped
 * @param {string} app
 * @returns {string[]} names of the packages
 */
function copyPackages(shipped, app) {
  const installed = packagesIn(MODULES);
  return shipped.flatMap(({ name, files }) => {
    const packages = installed.filter((each) => name.test(each));
    if (packages.length === 0) throw new Error(`No package in node_modules matches ${name}. Run npm ci.`);
    for (const each of packages) {
      const folder = join(MODULES, each);
      for (const file of filesIn(folder).map((path) => relative(folder, path).replaceAll('\\', '/'))) {
        if (!files.test(file)) continue;
        const target = join(app, 'node_modules', each, file);
        mkdirSync(dirname(target), { recursive: true });
        copyFileSync(join(folder, file), target);
      }
    }
    return packages;
  });
}

/**
 * @param {string} modules
 * @returns {string[]} the names of packages, with their scopes
 */
function packagesIn(modules) {
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
  );
}

/**
 * @param {string} folder
 * @returns {string[]} paths of all files below it
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

/**
 * Writes the manifest, whose packages electron-builder ships. `desktopName` tells a Linux desktop which windows are the
 * app's.
 * @param {readonly string[]} shipped
 * @param {string} app
 */
function writeManifest(shipped, app) {
  const { name, description, author, license, homepage } = readJson(join(ROOT, 'package.json'));
  const manifest = readJson(join(app, 'package.json'));
  const dependencies = Object.fromEntries(
    shipped.map((each) => [each, readJson(join(app, 'node_modules', each, 'package.json')).version]),
  );
  const desktopName = `${name}.desktop`;
  writeFileSync(
    join(app, 'package.json'),
    `${JSON.stringify({ ...manifest, desktopName, description, author, license, homepage, dependencies }, null, 2)}\n`,
  );
}

/**
 * @param {string} folder the folder of the unpacked app
 * @returns {string} what it weighs, part by part
 */
function sizesOf(folder) {
  const { main, mainInAll, renderer, preload } = bundleSizes(APP);
  const files = filesIn(folder);
  const outside = `app.asar.unpacked${sep}`;
  const rows = [
    ['main process, all chunks', mainInAll],
    ['main process, before the first paint', main],
    ['preload of the window', preload],
    ['chat page, before it shows anything', renderer],
    ['app.asar', bytesOf(files.filter((file) => file.endsWith('app.asar'))) / 1_000],
    ['native parts, outside of it', bytesOf(files.filter((file) => file.includes(outside))) / 1_000],
    ['everything, Electron included', bytesOf(files) / 1_000],
  ];
  return rows
    .map(([what, kilobytes]) => `${what}: ${Math.round(Number(kilobytes)).toLocaleString('en')} kB\n`)
    .join('');
}

/** @param {readonly string[]} files */
function bytesOf(files) {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function packageHere() {
  const electron = await provideElectron({ say, onProgress: progressOn(process.stderr) });
  const folder = await packageApp(electron);
  process.stdout.write(`${folder}\n${sizesOf(folder)}`);
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Makes the package. What a user can do something about is said in a line: a mistyped option, no Electron, no network.
 */
async function packageAsAsked() {
  try {
    const { values } = parseArgs({ options: { installers: { type: 'boolean', default: false } } });
    if (values.installers)
      for (const file of await replaceWhenMade(OUTPUT, MAKING, makeInstallers))
        process.stdout.write(`${join(OUTPUT, file)}\n`);
    else await packageHere();
  } catch (error) {
    const expected = expectedFailure(error);
    if (expected === undefined) throw error;
    say(`Nothing was packaged, and what was packaged before is unchanged. ${expected}`);
    // If only `process.exitCode` were set, the script would end with 0 after a failed download.
    process.exit(1);
  }
}

/** @param {unknown} error */
function expectedFailure(error) {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(?:ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT)/.test(code))
    return `Electron and electron-builder's tools for installers could not be downloaded: ${error.message}. Without a network, npm run package makes the unpacked app.`;
  return error instanceof NoElectronError || code.startsWith('ERR_PARSE_ARGS') ? error.message : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await packageAsAsked();
