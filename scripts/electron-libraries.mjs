// @ts-check
// Names the shared libraries that Electron needs from the system, and the Debian packages that contain them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The Debian package of each library, whose name is without its version. */
const PACKAGES = {
  libX11: 'libx11-6',
  libXcomposite: 'libxcomposite1',
  libXdamage: 'libxdamage1',
  libXext: 'libxext6',
  libXfixes: 'libxfixes3',
  libXrandr: 'libxrandr2',
  libXss: 'libxss1',
  libXtst: 'libxtst6',
  libasound: 'libasound2',
  'libatk-1.0': 'libatk1.0-0',
  'libatk-bridge-2.0': 'libatk-bridge2.0-0',
  libatspi: 'libatspi2.0-0',
  libcairo: 'libcairo2',
  libcups: 'libcups2',
  'libdbus-1': 'libdbus-1-3',
  libdrm: 'libdrm2',
  libexpat: 'libexpat1',
  libgbm: 'libgbm1',
  'libgio-2.0': 'libglib2.0-0',
  'libglib-2.0': 'libglib2.0-0',
  'libgobject-2.0': 'libglib2.0-0',
  'libgtk-3': 'libgtk-3-0',
  libnspr4: 'libnspr4',
  libnss3: 'libnss3',
  libnssutil3: 'libnss3',
  'libpango-1.0': 'libpango-1.0-0',
  libsmime3: 'libnss3',
  libudev: 'libudev1',
  libxcb: 'libxcb1',
  libxkbcommon: 'libxkbcommon0',
  libxshmfence: 'libxshmfence1',
};

/**
 * Packages that Debian 13 and Ubuntu 24.04 renamed with 64-bit time. Source: wiki.debian.org/ReleaseGoals/64bit-time
 */
const RENAMED = new Set([
  'libasound2',
  'libatk1.0-0',
  'libatk-bridge2.0-0',
  'libatspi2.0-0',
  'libcups2',
  'libglib2.0-0',
  'libgtk-3-0',
]);
const RENAMED_SINCE = { debian: 13, ubuntu: 24.04 };

/**
 * @param {string} executable
 * @returns {string[]} file names, as the loader wants them. There are none if there is no `ldd` to ask.
 */
export function missingLibraries(executable) {
  if (process.platform !== 'linux') return [];
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  return librariesNotFound(stdout ?? '');
}

/**
 * @param {string} said what `ldd` said
 * @returns {string[]}
 */
export function librariesNotFound(said) {
  const names = [...said.matchAll(/^\s*(\S+) => not found\s*$/gm)].map(([, name]) => name ?? '');
  return [...new Set(names)];
}

/**
 * @param {readonly string[]} libraries file names
 * @param {string} [osRelease] the text of /etc/os-release
 * @returns {{ packages: string[], unknown: string[] }} each once. `unknown` has the libraries whose package is not
 * known here.
 */
export function debianPackagesOf(libraries, osRelease = systemRelease()) {
  const isRenamed = hasRenamedPackages(osRelease);
  const packages = new Set();
  const unknown = [];
  for (const library of libraries) {
    const stem = library.replace(/\.so(\.[\d.]+)?$/, '');
    const name = Object.hasOwn(PACKAGES, stem) ? PACKAGES[/** @type {keyof typeof PACKAGES} */ (stem)] : undefined;
    if (name === undefined) unknown.push(library);
    else packages.add(isRenamed && RENAMED.has(name) ? `${name}t64` : name);
  }
  return { packages: [...packages].sort(), unknown };
}

/** @param {string} osRelease */
function hasRenamedPackages(osRelease) {
  const id = /^ID="?(\w+)"?$/m.exec(osRelease)?.[1] ?? '';
  const version = Number(/^VERSION_ID="?([\d.]+)"?$/m.exec(osRelease)?.[1] ?? 0);
  const since = Object.hasOwn(RENAMED_SINCE, id)
    ? RENAMED_SINCE[/** @type {keyof typeof RENAMED_SINCE} */ (id)]
    : Infinity;
  return version >= since;
}

/** @returns {string} the text of /etc/os-release */
export function systemRelease() {
  return existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
}
