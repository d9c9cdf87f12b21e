// @ts-check
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longFiles } from './long-files.mjs';
import { findRawHtml, RAW_HTML_FILE } from './raw-html.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {{ name: string, passed: boolean, output: string, elapsedMs: number, warning?: string }} CheckResult */

/**
 * Runs all checks: format and lint, format of components, types, components, import rules, raw HTML, long files. They
 * run in parallel, because they are independent.
 * @returns {Promise<CheckResult[]>}
 */
export function runChecks() {
  const isTerminal = process.stdout.isTTY === true;
  const sources = ['src-main', 'src-preload', 'src-renderer', 'resources', 'tests', 'scripts'].filter((folder) =>
    existsSync(join(ROOT, folder)),
  );
  return Promise.all([
    runTool('format and lint', '@biomejs/biome/bin/biome', ['ci', `--colors=${isTerminal ? 'force' : 'off'}`, '.']),
    runTool('types', '@typescript/native/bin/tsc', ['-p', '.', '--pretty', String(isTerminal)]),
    // Biome formats a component's script; its markup and styles are left to Prettier.
    runTool('format of components', 'prettier/bin/prettier.cjs', ['--check', 'src-renderer/**/*.svelte']),
    // This check is separate, because code that tests run in a page needs a browser's types, which the main process
    // must not have.
    runTool('types of tests', '@typescript/native/bin/tsc', ['-p', 'tests', '--pretty', String(isTerminal)]),
    runTool('components', 'svelte-check/bin/svelte-check', [
      '--workspace',
      'src-renderer',
      '--tsconfig',
      './tsconfig.json',
      '--output',
      'human-verbose',
      '--fail-on-warnings',
    ]),
    runTool('import rules', 'dependency-cruiser/bin/dependency-cruise.mjs', [
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err-long',
      ...sources,
    ]),
    checkRawHtml(),
    lookForLongFiles(),
  ]);
}

/**
 * @param {CheckResult[]} results
 * @returns {string} one line per check, with everything that a failed one said and what one warns of
 */
export function describeChecks(results) {
  return results
    .map(({ name, passed, output, elapsedMs, warning }) => {
      const line = `${passed ? '✓' : '✗'} ${name} (${(elapsedMs / 1000).toFixed(1)} s)\n`;
      if (!passed) return `${line}${output.trimEnd()}\n`;
      return warning === undefined ? line : `${line}${warning}\n`;
    })
    .join('');
}

/**
 * @param {string} name
 * @param {string} program the JavaScript file, relative to node_modules
 * @param {string[]} args
 * @returns {Promise<CheckResult>}
 */
function runTool(name, program, args) {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      const elapsedMs = performance.now() - startedAt;
      resolve({ name, passed: code === 0, output: Buffer.concat(output).toString('utf8'), elapsedMs });
    });
  });
}

/** @returns {Promise<CheckResult>} */
async function checkRawHtml() {
  const startedAt = performance.now();
  const found = findRawHtml(ROOT);
  const output = [...found, `Only ${RAW_HTML_FILE} may put markup into the page: it sanitises it.`].join('\n');
  return { name: 'raw HTML', passed: found.length === 0, output, elapsedMs: performance.now() - startedAt };
}

/** @returns {Promise<CheckResult>} */
async function lookForLongFiles() {
  const startedAt = performance.now();
  const found = longFiles(ROOT);
  const warning = found.length > 0 ? `Long, and worth a look:\n${found.join('\n')}` : undefined;
  return { name: 'long files', passed: true, output: '', elapsedMs: performance.now() - startedAt, warning };
}
