// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the sources in a folder and those below it; there are none if it does not exist.
 * @param {string} root
 * @param {string} folder relative to root, with `/`
 * @returns {string[]} relative to root, with `/`
 */
export function sourceFiles(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourceFiles(root, path);
    return /\.(svelte|ts|js|mjs|html|css)$/.test(entry.name) ? [path] : [];
  });
}
