// @ts-check
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { minifySync } from 'vite';
import { MODULE_COUNT } from './module-counts.mjs';

const STATIC_IMPORT = /\b(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*["'](\.[^"']+)["']/g;
const REQUIRE = /^(?:const \S+ = )?require\("(\.[^"]+)"\);$/gm;
const SCRIPT = /<(?:script|link)\b[^>]*(?:src|href)="\/([^"]+\.js)"/g;

/**
 * The size of the built output in a folder, in kB.
 * @typedef {object} BundleSizes
 * @property {number} main `main.js` and what it imports before it runs
 * @property {number} mainAlone
 * @property {number} mainInAll `main` with every chunk, worker and server that it may load later
 * @property {number} renderer the scripts that the chat page loads before it can show anything
 * @property {number} preload
 */

/**
 * @param {string} output
 * @returns {BundleSizes}
 */
export function bundleSizes(output) {
  return {
    main: kilobytes(withImports([join(output, 'main.js')])),
    mainAlone: kilobytes([join(output, 'main.js')]),
    mainInAll: kilobytes([output, join(output, 'chunks')].flatMap(scriptsIn)),
    renderer: kilobytes(withImports(scriptsOfPage(output, 'app'))),
    preload: kilobytes([join(output, 'preload-app.cjs')]),
  };
}

/**
 * What a part of the built output loads before it does anything: itself and all that it imports statically.
 * @typedef {object} EagerWeight
 * @property {number} bytes the size when minified
 * @property {number} modules
 */

/**
 * Returns the weights by part: `ask`, `main` (before the first paint), `assistant` (what `main` loads afterwards, and
 * the terminal too), each preload and each page.
 * @param {string} output a folder of `builtOutput()`
 * @returns {Record<string, EagerWeight>}
 */
export function eagerWeights(output) {
  const entries = {
    ask: ['ask.js', 'ask/ask-process.cjs', 'ask/ask.cjs'].map((file) => join(output, file)),
    main: [join(output, 'main.js')],
    assistant: [join(output, 'terminal.js'), ...scriptsIn(join(output, 'chunks')).filter(isOfTerminal)],
    'preload-app': [join(output, 'preload-app.cjs')],
    'preload-consent': [join(output, 'preload-consent.cjs')],
    app: scriptsOfPage(output, 'app'),
    consent: scriptsOfPage(output, 'consent'),
  };
  return Object.fromEntries(Object.entries(entries).map(([part, files]) => [part, weightOf([...withImports(files)])]));
}

/**
 * Returns what the terminal loads once it has read the arguments: `headless/ask.ts`.
 * @param {string} file
 */
function isOfTerminal(file) {
  return basename(file).startsWith('ask-');
}

/** @param {readonly string[]} files @returns {EagerWeight} */
function weightOf(files) {
  const bytes = files.map((file) => Buffer.byteLength(minifySync(file, readFileSync(file, 'utf8')).code));
  const modules = files.map((file) => Number(readFileSync(`${file}${MODULE_COUNT}`, 'utf8')));
  return { bytes: sum(bytes), modules: sum(modules) };
}

/** @param {string} output @param {string} surface */
function scriptsOfPage(output, surface) {
  const renderer = join(output, 'renderer');
  const page = readFileSync(join(renderer, `${surface}.html`), 'utf8');
  return [...page.matchAll(SCRIPT)].map(([, name = '']) => join(renderer, name));
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
    const imports = [...readFileSync(file, 'utf8').matchAll(file.endsWith('.cjs') ? REQUIRE : STATIC_IMPORT)];
    withImports(
      imports.map(([, name = '']) => join(dirname(file), name)),
      found,
    );
  }
  return found;
}

/** @param {Iterable<string>} files */
function kilobytes(files) {
  return sum([...files].map((file) => statSync(file).size)) / 1_000;
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
