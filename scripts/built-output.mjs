import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countModules } from './module-counts.mjs';
import { renameOverSync } from './rename-over.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const CONFIGURATIONS = ['vite.config.ts', 'vite.ask.config.ts', 'vite.preload.config.ts', 'vite.renderer.config.ts'];
const OF_PAGES = 'src-renderer';
const SOURCES = [
  'src-main',
  'src-preload',
  OF_PAGES,
  'resources',
  ...CONFIGURATIONS,
  'scripts/unused-parts.mjs',
  'package.json',
  'package-lock.json',
];
const SURFACES = ['app', 'consent'];
/** The icon that a window shows on Linux. Elsewhere it has the program's icon. */
const WINDOW_ICON = join(root, 'resources', 'icons', 'linux', '256x256.png');
/** This entry is written last: a folder that contains it is complete. */
const LAST_ENTRY = 'main.js';
/** How the names of files end that hold name, version, licence and its text of each bundled package. */
export const BUNDLED_PACKAGES = '.packages.json';
const KEEP_OLD_BUILDS_MS = 24 * 60 * 60 * 1000;

/**
 * Builds everything if the sources changed, and returns the folder. It holds `main.js` (Electron's entry), `ask.js`,
 * the worker threads (`…-worker.js`), `system-info.js`, `preload-app.cjs`, `preload-consent.cjs`, `renderer/app.html`
 * and `renderer/consent.html` with their assets, and `icon.png`. Its name holds a fingerprint of the sources, so a
 * build is never stale, two processes may build at once, and one that runs keeps the chunks that it has yet to load.
 */
export async function builtOutput() {
  const folder = join(root, 'out', `main-${fingerprint()}`);
  if (existsSync(join(folder, LAST_ENTRY))) return folder;
  process.stderr.write('Building Steward (only after a change of its sources)…\n');
  const temporary = `${folder}.${process.pid}`;
  try {
    await buildInto(temporary);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
  try {
    renameOverSync(temporary, folder);
  } catch (error) {
    // Another process finished the same build first.
    if (!existsSync(join(folder, LAST_ENTRY))) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
  removeOldBuilds(folder);
  return folder;
}

/**
 * Builds everything, or the named parts of it, into a folder.
 * @param {string} folder
 * @param {('main' | 'preloads' | 'renderer')[]} parts
 * @param {'production' | 'package'} mode With `package` everything is built as it is shipped. Beside it, files that end
 * in `BUNDLED_PACKAGES` say what was bundled.
 */
export async function buildInto(folder, parts = ['main', 'preloads', 'renderer'], mode = 'production') {
  const { build } = await import('vite');
  mkdirSync(folder, { recursive: true });
  writeAppManifest(folder);
  copyFileSync(WINDOW_ICON, join(folder, 'icon.png'));
  const isShipped = mode === 'package';
  /** @param {string} configuration @param {string} outDir @param {string} mode */
  const one = (configuration, outDir, mode) => {
    const license = isShipped && { fileName: `${mode}${BUNDLED_PACKAGES}` };
    const plugins = isShipped ? [] : [countModules()];
    return build({ configFile: join(root, configuration), mode, plugins, build: { outDir, license } });
  };
  // A test runner sets it to "test", and Svelte would be built with its development checks.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const jobs = [];
  if (parts.includes('main')) jobs.push(one('vite.config.ts', folder, mode));
  // The package does not get this, because its executable is Electron's.
  if (parts.includes('main') && !isShipped) jobs.push(one('vite.ask.config.ts', folder, mode));
  if (parts.includes('preloads'))
    jobs.push(...SURFACES.map((surface) => one('vite.preload.config.ts', folder, surface)));
  if (parts.includes('renderer'))
    jobs.push(...SURFACES.map((surface) => one('vite.renderer.config.ts', join(folder, 'renderer'), surface)));
  try {
    await Promise.all(jobs);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/**
 * Writes the package.json from which Electron takes the app's name and version. If Electron is started with a file
 * instead of a folder, it uses its own.
 * @param {string} folder
 */
function writeAppManifest(folder) {
  const { name, productName, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { name, productName, version, type: 'module', main: 'main.js' };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the paths of all sources, except those of the pages alone. */
export function sourcesOfMain() {
  return SOURCES.filter((source) => source !== OF_PAGES).flatMap(filesOf);
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf).sort()) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} source */
function filesOf(source) {
  const path = join(root, source);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** @param {string} current */
function removeOldBuilds(current) {
  const out = join(root, 'out');
  for (const name of readdirSync(out)) {
    const folder = join(out, name);
    if (!name.startsWith('main-') || folder === current) continue;
    // Another process that builds at the same time may be removing the same folder.
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > KEEP_OLD_BUILDS_MS) rmSync(folder, { recursive: true, force: true });
  }
}
