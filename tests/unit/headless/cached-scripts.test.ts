import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CachedScripts } from '../../../src-main/headless/cached-scripts.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cached-scripts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Loads a script of this text as a process would, and keeps what was compiled as at its end. */
function run(text: string, name = 'script.cjs') {
  const path = join(folder, name);
  writeFileSync(path, text);
  const scripts = new CachedScripts(join(folder, 'code-cache'));
  const exported = scripts.load(path);
  const { fromCache } = scripts;
  scripts.keep();
  return { exported, isFromCache: fromCache.includes(path) };
}

/** The cache of the last script that ran. */
function cacheFile(): string {
  const [perV8 = ''] = readdirSync(join(folder, 'code-cache'));
  return join(folder, 'code-cache', perV8, 'script.cjs.cache');
}

const ONE = 'module.exports = () => "one";';
const TWO = 'module.exports = () => "two";';

test('the second start takes the code that the first one kept, for its user alone', () => {
  expect(run(ONE).isFromCache).toBe(false);
  expect(run(ONE).isFromCache).toBe(true);
  if (process.platform !== 'win32') expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
});

test('code of another source of the same length is not executed', () => {
  run(ONE);
  const { exported, isFromCache } = run(TWO);
  expect(isFromCache).toBe(false);
  expect((exported as () => string)()).toBe('two');
});

test('a damaged cache is compiled anew, wherever it was damaged', () => {
  run(ONE);
  const whole = readFileSync(cacheFile());
  for (const at of [0, 40, 64, 64 + 40, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(cacheFile(), damaged);
    expect(run(ONE).isFromCache, `byte ${at}`).toBe(false);
    expect(run(ONE).isFromCache, 'replaced').toBe(true);
  }
  writeFileSync(cacheFile(), whole.subarray(0, whole.length - 8));
  expect(run(ONE).isFromCache).toBe(false);
});

test('a cache that another user could write is not executed, nor is a link', (context) => {
  needPosix(context);
  run(ONE);
  chmodSync(cacheFile(), 0o620);
  expect(run(ONE).isFromCache).toBe(false);
  expect(run(ONE).isFromCache).toBe(true);
  renameSync(cacheFile(), join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), cacheFile());
  expect(run(ONE).isFromCache).toBe(false);
});

test('a script may require another one, as in a circle, and Node’s modules', () => {
  writeFileSync(
    join(folder, 'other.cjs'),
    'exports.first = require("./script.cjs"); exports.sep = require("node:path").sep;',
  );
  const { exported } = run('exports.here = true; exports.other = require("./other.cjs");');
  expect(exported).toMatchObject({ here: true, other: { sep: expect.any(String), first: { here: true } } });
});
