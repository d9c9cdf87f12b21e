// @ts-check
// electron-builder's scripts of a .deb and .rpm, with one change: `steward` in the PATH is the launcher (resources/bin/steward), not the program.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const TEMPLATES = join(
  dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json')),
  'templates',
  'linux',
);
const PROGRAM = "'/opt/${sanitizedProductName}/${executable}'";
const LAUNCHER = "'/opt/${sanitizedProductName}/resources/bin/${executable}'";

/**
 * @param {'after-install.tpl' | 'after-remove.tpl'} name
 * @returns {string} a template for electron-builder
 */
export function linkedToLauncher(name) {
  const template = readFileSync(join(TEMPLATES, name), 'utf8');
  if (!template.includes(PROGRAM)) throw new Error(`${name} of electron-builder no longer links ${PROGRAM}.`);
  return template.replaceAll(PROGRAM, () => LAUNCHER);
}
