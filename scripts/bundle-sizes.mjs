// @ts-check
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const STATIC_IMPORT = /\b(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*["'](\.[^"']+)["']/g;
const SCRIPT = /<(?:script|link)\b[^>]*(?:src|href)="\/([^"]+\.js)"/g;

/**
 * What the built output in a folder weighs, in kB.
 * @typedef {object} BundleSizes
 * @property {number} main `main.js` and what it imports before it runs
 * @property {number} mainAlone
 * @property {number} mainInAll with every chunk, worker and server that it may load later
 * @property {number} renderer scripts that the chat page loads before it can show anything
 * @property {number} preload
 */

/**
 * @param {string} output
 * @returns {BundleSizes}
 */
export function bundleSizes(output) {
  const renderer = join(output, 'renderer');
  const scripts = [...readFileSync(join(renderer, 'app.html'), 'utf8').matchAll(SCRIPT)];
  return {
    main: kilobytes(withImports([join(output, 'main.js')])),
    mainAlone: kilobytes([join(output, 'main.js')]),
    mainInAll: kilobytes([output, join(output, 'chunks')].flatMap(scriptsIn)),
    renderer: kilobytes(withImports(scripts.map(([, name = '']) => join(renderer, name)))),
    preload: kilobytes([join(output, 'preload-app.cjs')]),
  };
}

/** @param {string} folder */
function scriptsIn(folder) {
  return readdirSync(folder).flatMap((name) => (name.endsWith('.js') ? [join(folder, name)] : []));
}

/**
 * @param {readonly string[]} files
 * @param {Set<string>} [found]
 * @returns {ReadonlySet<string>}
 */
function withImports(files, found = new Set()) {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const imports = [...readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)];
    withImports(
      imports.map(([, name = '']) => join(dirname(file), name)),
      found,
    );
  }
  return found;
}

/** @param {Iterable<string>} files */
function kilobytes(files) {
  return [...files].reduce((sum, file) => sum + statSync(file).size, 0) / 1_000;
}
