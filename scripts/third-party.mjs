// @ts-check
// Collects what is in the package that others made: their licences, and the bill of materials of a release.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED_PACKAGES } from './built-output.mjs';

/**
 * @typedef {object} ThirdParty a package of npm
 * @property {string} name
 * @property {string} version
 * @property {string} license the licence as its package.json states it
 * @property {string | undefined} text the text of its licence file
 */

const TEXT_BEGINS = /Permission |Apache License|Redistribution and use/;
const RULE = '-'.repeat(80);

/**
 * Reads, and removes, what the build wrote beside the bundles.
 * @param {string} app
 * @returns {ThirdParty[]}
 */
export function bundledPackages(app) {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(BUNDLED_PACKAGES),
  );
  return files.flatMap((file) => {
    const packages = readJson(join(app, file));
    rmSync(join(app, file));
    return packages.map((/** @type {Record<string, string>} */ { name, version, identifier, text }) => ({
      name,
      version,
      license: identifier ?? text?.split('\n', 1)[0],
      text,
    }));
  });
}

/**
 * @param {string} modules the path of a node_modules folder
 * @param {string} name
 * @returns {ThirdParty}
 */
export function copiedPackage(modules, name) {
  const folder = join(modules, name);
  const { name: published, version, license } = readJson(join(folder, 'package.json'));
  const files = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name: published, version, license, text: texts.length === 0 ? undefined : texts.join('\n\n') };
}

/**
 * @param {readonly ThirdParty[]} packages
 * @returns {ThirdParty[]} each package once, by name
 */
export function withoutRepeats(packages) {
  const byId = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byId].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

/**
 * @param {readonly ThirdParty[]} packages
 * @param {string} modules the folder where a package without a licence file is installed
 * @returns {string}
 */
export function licenseNotices(packages, modules) {
  const parts = packages.map(
    (each) => `${each.name} ${each.version} (${each.license})\n\n${licenseText(each, packages, modules)}`,
  );
  const head = `Steward contains ${packages.length} packages of npm. Electron and Chromium have licence files of their own.`;
  return `${[head, ...parts].join(`\n\n${RULE}\n`)}\n`;
}

/**
 * @param {ThirdParty} one
 * @param {readonly ThirdParty[]} packages
 * @param {string} modules
 */
function licenseText({ name, license, text }, packages, modules) {
  if (text !== undefined) return text;
  const { author } = readJson(join(modules, name, 'package.json'));
  const holder = typeof author === 'string' ? author : author?.name;
  const same = packages.find((each) => each.license === license && TEXT_BEGINS.test(each.text ?? ''))?.text;
  if (holder === undefined || same === undefined) throw new Error(`${name} has no licence text. Look it up.`);
  return `The package has no licence file. By ${holder}.\n\n${same.slice(same.search(TEXT_BEGINS))}`;
}

/**
 * Writes the bill in CycloneDX 1.6. It has no time and no serial number, so that the same package has the same file.
 * @param {{ name: string, version: string, electron: string, packages: readonly ThirdParty[] }} contents
 * @returns {string} JSON
 */
export function billOfMaterials({ name, version, electron, packages }) {
  const components = [{ name: 'electron', version: electron, license: 'MIT' }, ...packages].map((each) => {
    const purl = `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`;
    return {
      type: 'library',
      'bom-ref': purl,
      name: each.name,
      version: each.version,
      licenses: licensesOf(each),
      purl,
    };
  });
  const application = { type: 'application', 'bom-ref': `${name}@${version}`, name, version };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: application },
    components,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** @param {Pick<ThirdParty, 'license'>} one */
function licensesOf({ license }) {
  return /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { name: license } }];
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
