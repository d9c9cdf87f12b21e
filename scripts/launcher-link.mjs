// @ts-check
// Makes electron-builder's scripts of a .deb and .rpm with one change: `steward` in the PATH is the launcher
// (resources/bin/steward), not the program.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const TEMPLATES = join(
  dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json')),
  'templates',
  'linux',
);
/** The place before the program's name in its path, `'/opt/${sanitizedProductName}/${executable}'`. */
const BEFORE_PROGRAM = /(?<='\/opt\/\$\{sanitizedProductName\}\/)(?=\$\{executable\}')/g;

/**
 * @param {'after-install.tpl' | 'after-remove.tpl'} name
 * @returns {string} a template for electron-builder
 */
export function linkedToLauncher(name) {
  const template = readFileSync(join(TEMPLATES, name), 'utf8');
  const linked = template.replaceAll(BEFORE_PROGRAM, 'resources/bin/');
  if (linked === template) throw new Error(`${name} of electron-builder no longer links the program.`);
  return linked;
}
