// @ts-check
// Leaves out parts of packages that Steward never reaches, and that a bundler can't find out by itself. A stand-in that
// is reached nevertheless throws.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));

/** A validator that throws, because the SDKs make one for each client and server but Steward does not use it. */
const NO_VALIDATOR = `export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('Not part of Steward: the schema validator of @modelcontextprotocol'); }
}`;

/** @typedef {{ file: RegExp, code: string, why: string }} Part a file, and what is bundled in its place */

/** @type {readonly Part[]} */
export const UNUSED_PARTS = [
  {
    file: /\/node_modules\/undici\/index\.js$/,
    code: `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
module.exports.Pool = require('./lib/dispatcher/pool');`,
    why: 'src-main/network/connections.ts uses its pool alone; the rest is a second fetch, WebSocket, caches and mocks',
  },
  {
    file: /\/node_modules\/node-fetch\/src\/index\.js$/,
    code: standIn('node-fetch', ['default']),
    why: 'gaxios takes it unless it is given a fetch, and it is always given ours (network/)',
  },
  {
    file: /\/node_modules\/nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/,
    code: standIn('mime-types', ['detectExtension', 'detectMimeType']),
    why: 'media types of attachments by their names: Steward attaches nothing',
  },
  {
    file: /\/node_modules\/@modelcontextprotocol\/client\/dist\/shimsNode\.mjs$/,
    code: `${NO_VALIDATOR} export const CORS_IS_POSSIBLE = false;`,
    why: 'a copy of ajv, for results with a schema: calls are made without it (mcp/calls/tool-call.ts), forms are checked in mcp/requests/',
  },
  {
    file: /\/node_modules\/@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/,
    code: `${NO_VALIDATOR} export { default as process } from 'node:process';`,
    why: 'the same, for the answers to forms: the bundled server has none',
  },
  {
    file: exactly(MANIFEST),
    code: JSON.stringify({ version: JSON.parse(readFileSync(MANIFEST, 'utf8')).version }),
    why: 'scripts and development dependencies: only the version is used',
  },
];

/** @param {string} file an absolute path */
function exactly(file) {
  return new RegExp(`^${file.replaceAll('\\', '/').replace(/[.*+?^${}()|[\]]/g, '\\$&')}$`);
}

/**
 * @param {string} name
 * @param {readonly string[]} exported the names that it exports
 */
function standIn(name, exported) {
  const lines = exported.map((each) =>
    each === 'default' ? 'export default unused;' : `export { unused as ${each} };`,
  );
  return [`function unused() { throw new Error('Not part of Steward: ${name}'); }`, ...lines].join('\n');
}

/**
 * @param {object} [options]
 * @param {readonly Part[]} [options.parts]
 * @param {boolean} [options.isWholeProgram] whether a part that is not found is one that is no longer there
 * @returns {import('vite').Plugin}
 */
export function leaveOutUnusedParts({ parts = UNUSED_PARTS, isWholeProgram = true } = {}) {
  /** @type {Set<Part>} */
  const found = new Set();
  return {
    name: 'steward:unused-parts',
    load: {
      filter: { id: parts.map(({ file }) => file) },
      handler(id) {
        const part = parts.find(({ file }) => file.test(id));
        if (part === undefined) return null;
        found.add(part);
        return part.code;
      },
    },
    buildEnd(error) {
      if (error !== undefined || !isWholeProgram) return;
      const missing = parts.filter((part) => !found.has(part)).map(({ file }) => file.source);
      // A package has changed: it is bundled whole again, or the part is no longer there.
      if (missing.length > 0)
        this.error(`Unused parts that are no longer there: ${missing.join(', ')}. Correct the list.`);
    },
  };
}
