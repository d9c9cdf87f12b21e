import { closeSync, constants, existsSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { NEVER_A_LINK_NOR_A_WAIT } from '../base/open-flags.ts';

/**
 * A folder that programs make again from something else, so that nothing in it is kept. What Git merely ignores is
 * kept: that is where `.env` and local databases are.
 */
interface MadeAgain {
  readonly name: string;
  /** What it is made from, for people. */
  readonly from: string;
  /** One of these must be beside the folder: a folder of this name may be anything. */
  readonly beside?: readonly string[];
  /** One of these must be in the folder. */
  readonly inside?: readonly string[];
}

const PYTHON_SOURCES = 'the Python files beside it';

const FOLDERS: readonly MadeAgain[] = [
  { name: 'node_modules', from: 'package.json', beside: ['package.json'] },
  { name: 'bower_components', from: 'bower.json', beside: ['bower.json'] },
  { name: '.venv', from: 'the project’s list of packages', inside: ['pyvenv.cfg'] },
  { name: 'venv', from: 'the project’s list of packages', inside: ['pyvenv.cfg'] },
  { name: '__pycache__', from: PYTHON_SOURCES },
  { name: '.pytest_cache', from: 'the tests' },
  { name: '.mypy_cache', from: PYTHON_SOURCES },
  { name: '.ruff_cache', from: PYTHON_SOURCES },
  { name: '.tox', from: 'tox.ini', beside: ['tox.ini', 'pyproject.toml', 'setup.cfg'] },
  { name: 'target', from: 'the sources beside it', beside: ['Cargo.toml', 'pom.xml'] },
  { name: '.gradle', from: 'the build files beside it' },
  { name: '.next', from: 'the sources beside it', beside: ['package.json'] },
  { name: '.nuxt', from: 'the sources beside it', beside: ['package.json'] },
  { name: '.svelte-kit', from: 'the sources beside it', beside: ['package.json'] },
  { name: '.turbo', from: 'the sources beside it', beside: ['package.json'] },
  { name: '.parcel-cache', from: 'the sources beside it' },
  { name: '.dart_tool', from: 'pubspec.yaml', beside: ['pubspec.yaml'] },
  { name: '.terraform', from: 'the .tf files beside it', inside: ['providers', 'modules'] },
  { name: 'Pods', from: 'the Podfile', beside: ['Podfile'] },
  { name: 'elm-stuff', from: 'elm.json', beside: ['elm.json'] },
];

const BY_NAME: ReadonlyMap<string, MadeAgain> = new Map(FOLDERS.map((folder) => [folder.name, folder]));

/** Source: https://bford.info/cachedir/ */
const CACHE_TAG = 'CACHEDIR.TAG';
const CACHE_SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55';

/**
 * What a folder is made again from that was not there at the last look, or undefined if it is kept. `folder` is a pinned
 * path; `siblings` are the names beside it. What a folder is doesn't change later: a command could otherwise give up a
 * folder of documents by putting a file beside it.
 */
export function madeAgainFrom(name: string, folder: string, siblings: ReadonlySet<string>): string | undefined {
  const known = BY_NAME.get(name);
  if (known !== undefined) {
    const { from, beside, inside } = known;
    const isBeside = beside?.some((each) => siblings.has(each)) ?? true;
    const isInside = inside?.some((each) => existsSync(join(folder, each))) ?? true;
    if (isBeside && isInside) return from;
  }
  return hasCacheTag(folder) ? 'what it caches' : undefined;
}

function hasCacheTag(folder: string): boolean {
  const tag = join(folder, CACHE_TAG);
  if (lstatSync(tag, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(tag, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT);
  try {
    const start = Buffer.alloc(CACHE_SIGNATURE.length);
    readSync(file, start);
    return start.toString('latin1') === CACHE_SIGNATURE;
  } finally {
    closeSync(file);
  }
}
