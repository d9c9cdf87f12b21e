// @ts-check
// Tells whether `ask` may run as it was last built, without looking at all sources first: this costs as much as the
// rest of a start. The file imports nothing that takes time to load.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renameOverSync } from './rename-over.mjs';

const root = withSlashes(fileURLToPath(new URL('..', import.meta.url)));
const KNOWN = join(root, 'out', 'ask-sources.json');
/** The path of the list in the built output. */
const OF_ARGUMENTS = 'ask/argument-sources.json';

/** @typedef {Record<string, string>} Stamps the stamps of files, by their paths from the root */
/** @typedef {{ folder: string, arguments: Stamps, all: Stamps }} Known the last build, and what it was made from */

/** @returns {Known | undefined} */
export function knownBuild() {
  try {
    /** @type {Known} */
    const known = JSON.parse(readFileSync(KNOWN, 'utf8'));
    // The build is gone if it is an old one, which later builds remove.
    return existsSync(join(known.folder, 'ask.js')) ? known : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      return undefined;
    throw error;
  }
}

/** @param {Stamps} stamps */
export function isUnchanged(stamps) {
  for (const path in stamps) if (stampOf(path) !== stamps[path]) return false;
  return true;
}

/**
 * @param {readonly string[]} paths absolute paths
 * @returns {Stamps}
 */
export function stampsOf(paths) {
  return Object.fromEntries(paths.map(fromRoot).map((path) => [path, stampOf(path) ?? 'missing']));
}

/**
 * @param {string} folder the folder of the build
 * @param {Stamps} all the stamps, taken before the build was made
 */
export function remember(folder, all) {
  /** @type {string[]} */
  const ofArguments = JSON.parse(readFileSync(join(folder, OF_ARGUMENTS), 'utf8'));
  const known = {
    folder,
    arguments: Object.fromEntries(ofArguments.map((path) => [path, all[path] ?? 'missing'])),
    all,
  };
  const temporary = `${KNOWN}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(known));
  renameOverSync(temporary, KNOWN);
}

/**
 * Writes beside the scripts which of our files the script that reads the arguments is made from.
 * @returns {import('vite').Plugin}
 */
export function listArgumentSources() {
  return {
    name: 'steward:argument-sources',
    generateBundle(_, bundle) {
      /** @type {Set<string>} */
      const chunks = new Set();
      /** @param {string} name */
      const follow = (name) => {
        const chunk = bundle[name];
        if (chunks.has(name) || chunk?.type !== 'chunk') return;
        chunks.add(name);
        for (const imported of chunk.imports) follow(imported);
      };
      follow('ask/read-arguments.cjs');
      const modules = [...chunks].flatMap((name) => {
        const chunk = bundle[name];
        return chunk?.type === 'chunk' ? chunk.moduleIds : [];
      });
      const own = modules.filter((id) => withSlashes(id).startsWith(root) && !id.includes('node_modules'));
      const paths = own.map(fromRoot);
      if (paths.length === 0) this.error('The file that reads the arguments is made from nothing.');
      this.emitFile({ type: 'asset', fileName: OF_ARGUMENTS, source: JSON.stringify(paths) });
    },
  };
}

/** @param {string} path an absolute path */
function fromRoot(path) {
  return withSlashes(path).slice(root.length);
}

/** @param {string} path */
function withSlashes(path) {
  return path.replaceAll('\\', '/');
}

/** @param {string} path a path from the root */
function stampOf(path) {
  const stat = statSync(root + path, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.size}`;
}
