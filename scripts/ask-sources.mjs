// @ts-check
// Whether `ask` may run as it was last built, without looking at all sources first: this costs as much as the rest of
// a start. Imports nothing that takes time to load.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renameOverSync } from './rename-over.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const KNOWN = join(root, 'out', 'ask-sources.json');
/** In the built output. */
const OF_ARGUMENTS = join('ask', 'argument-sources.json');

/** @typedef {Record<string, string>} Stamps of files, by their paths from the root */
/** @typedef {{ folder: string, arguments: Stamps, all: Stamps }} Known the last build, and what it was made from */

/** @returns {Known | undefined} */
export function knownBuild() {
  try {
    /** @type {Known} */
    const known = JSON.parse(readFileSync(KNOWN, 'utf8'));
    // Old builds are removed.
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
 * @param {readonly string[]} paths absolute
 * @returns {Stamps}
 */
export function stampsOf(paths) {
  return Object.fromEntries(
    paths.map((path) => path.slice(root.length)).map((path) => [path, stampOf(path) ?? 'missing']),
  );
}

/**
 * @param {string} folder of the build
 * @param {Stamps} all taken before it was made
 */
export function remember(folder, all) {
  /** @type {string[]} */
  const ofArguments = JSON.parse(readFileSync(join(folder, OF_ARGUMENTS), 'utf8'));
  const known = { folder, arguments: Object.fromEntries(ofArguments.map((path) => [path, all[path]])), all };
  const temporary = `${KNOWN}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(known));
  renameOverSync(temporary, KNOWN);
}

/**
 * Writes beside the scripts from which of our files the one that reads the arguments is made.
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
      follow(join(dirname(OF_ARGUMENTS), 'read-arguments.cjs').replaceAll('\\', '/'));
      const modules = [...chunks].flatMap((name) => {
        const chunk = bundle[name];
        return chunk?.type === 'chunk' ? chunk.moduleIds : [];
      });
      const own = modules.filter((id) => id.startsWith(root) && !id.includes('node_modules'));
      const paths = own.map((id) => id.slice(root.length));
      this.emitFile({ type: 'asset', fileName: OF_ARGUMENTS.replaceAll('\\', '/'), source: JSON.stringify(paths) });
    },
  };
}

/** @param {string} path from the root */
function stampOf(path) {
  const stat = statSync(root + path, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.size}`;
}
