import { chmod, lstat, readFile, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { pathOnOneLine } from '../../base/text.ts';
import { everyObeyedName } from '../../policy/obeyed-files.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';
import { bytesOf, foundBelow } from './found-files.ts';
import { sharedBelow } from './shared-files.ts';

type Context = Pick<ToolContext, 'files' | 'processes' | 'signal'>;

const LOOK_WITHIN_MS = 20_000;
/** The command may have made millions of files. */
const LOOK_AFTER_WITHIN_MS = 300_000;
/** bubblewrap makes a mount for each. */
const MOST_KEPT = 300;
const MOST_NAMED = 20;
/** Bytes of a name, which may have 255. */
const MOST_OF_NAME = 200;
/** Settings of Git that name a file or folder which it runs or obeys. */
const SETTINGS: ReadonlySet<string> = new Set(['hookspath', 'fsmonitor', 'path']);
/** What a `.git` is that is no folder. */
const GIT_FOLDER = 'gitdir:';

/**
 * The files and folders in a root that programs outside obey by themselves. While a command runs in the sandbox, those
 * that are there can't be changed, and those that it makes get another name afterwards.
 */
export class ObeyedEntries {
  /** The real paths that can't be changed. */
  readonly kept: readonly string[];
  readonly #root: string;
  readonly #before: ReadonlyMap<string, string>;
  /** The real path of what was at each path that settings name, if something was there. */
  readonly #named: ReadonlyMap<string, string | undefined>;
  readonly #context: Context;

  private constructor(
    root: string,
    context: Context,
    { entries, kept, named }: Places & { readonly entries: ReadonlyMap<string, string> },
  ) {
    this.#root = root;
    this.#context = context;
    this.#before = entries;
    this.#named = named;
    this.kept = kept;
  }

  /** Throws if they can't all be found or kept. */
  static async in(root: string, context: Context): Promise<ObeyedEntries> {
    const [{ entries, isWhole }, shared] = await Promise.all([
      entriesBelow(root, context, LOOK_WITHIN_MS),
      sharedBelow(root, { most: MOST_KEPT, timeoutMs: LOOK_WITHIN_MS }, context),
    ]);
    if (!isWhole || shared === undefined) throw cannotKeep('the folder could not be searched for them');
    const paths = [...shared, ...entries.keys()].map((path) => bytesOf(path).toString());
    if (paths.some((path) => path.includes('\ufffd'))) throw cannotKeep('one has a name that is not UTF-8');
    const all = await Promise.all(paths.map((path) => placesOf(path, root)));
    const kept = [...new Set(all.flatMap((places) => places.kept))];
    if (kept.length > 2 * MOST_KEPT) throw cannotKeep(`there are more than ${2 * MOST_KEPT}`);
    const named = new Map(all.flatMap((places) => [...places.named]));
    return new ObeyedEntries(root, context, { entries, kept, named });
  }

  /**
   * Gives those that the command made another name, so that nothing obeys them. Resolves with a line for the model, or
   * undefined if there are none. One that was moved with its folder is left.
   */
  async putAside(): Promise<string | undefined> {
    const known = new Set(this.#before.values());
    const { files } = this.#context;
    // A stopped command may have made some too.
    const context = { ...this.#context, signal: new AbortController().signal };
    const lines: string[] = [];
    const put = async (path: string) => {
      const aside = await renamed(path);
      if (lines.length < MOST_NAMED) lines.push(`${shown(path, files)} is now ${pathOnOneLine(basename(aside))}`);
    };
    for (const [path, before] of this.#named) {
      // The command may have made one of the folders on it a link.
      const real = await realpath(path).catch(() => undefined);
      if (real !== undefined && real !== before && isInside(this.#root, real))
        await put(Buffer.from(real).toString('latin1'));
    }
    for (let isWhole = false; !isWhole; ) {
      const after = await entriesBelow(this.#root, context, LOOK_AFTER_WITHIN_MS);
      const made = [...after.entries].flatMap(([path, identity]) => (known.has(identity) ? [] : [path]));
      for (const path of made) await put(path);
      isWhole = after.isWhole;
      if (!isWhole && made.length === 0)
        return '[the folder could not be searched for files that other programs obey; tell the user]';
    }
    if (lines.length === 0) return undefined;
    return `[put aside, because other programs obey such files by themselves: ${lines.join(', ')}. To make one, use write_file or sandbox "off": the user is asked.]`;
  }
}

interface Entries {
  /**
   * What they are, by real path, whose characters stand for its bytes: names needn’t be UTF-8. The identity is the same
   * only if nothing else is there now.
   */
  readonly entries: ReadonlyMap<string, string>;
  /** None is missing. */
  readonly isWhole: boolean;
}

async function entriesBelow(root: string, context: Context, timeoutMs: number): Promise<Entries> {
  const names = everyObeyedName.flatMap((name, at) => [...(at === 0 ? [] : ['-o']), '-iname', name]);
  const tests = ['-name', 'node_modules', '-prune', '-o', '(', ...names, ')', '-prune'];
  const { pairs, isWhole } = await foundBelow(root, { tests, identity: '%D:%i:%y:%l', timeoutMs }, context);
  return { entries: new Map(pairs.map(([identity, path]) => [path, identity])), isWhole };
}

/** Gives it a name that nothing obeys, and returns its path. */
async function renamed(path: string): Promise<string> {
  const folder = bytesOf(dirname(path));
  const aside = await freeName(path);
  const rights = await lstat(folder);
  try {
    await rename(bytesOf(path), bytesOf(aside));
  } catch (error) {
    if (systemCode(error) !== 'EACCES') throw error;
    // The command took the right to write there from its owner.
    await chmod(folder, (rights.mode & 0o7777) | 0o700);
    await rename(bytesOf(path), bytesOf(aside));
    await chmod(folder, rights.mode & 0o7777);
  }
  return aside;
}

async function freeName(path: string): Promise<string> {
  const start = join(dirname(path), basename(path).slice(0, MOST_OF_NAME));
  for (let number = 1; ; number += 1) {
    const name = `${start}.held${number === 1 ? '' : `-${number}`}`;
    if (!(await isThere(name))) return name;
  }
}

/** Whether something is at a path, which may be a link that leads nowhere. */
async function isThere(path: string): Promise<boolean> {
  return lstat(bytesOf(path)).then(
    () => true,
    (error: unknown) => systemCode(error) !== 'ENOENT',
  );
}

interface Places {
  /** Real paths that can't be changed. */
  readonly kept: readonly string[];
  /** The paths that settings of Git name, with the real path of what is there. */
  readonly named: ReadonlyMap<string, string | undefined>;
}

/** What must not be changed, or made, because of one of them. */
async function placesOf(path: string, root: string): Promise<Places> {
  const real = await realpath(path).catch(() => undefined);
  // A link that leads nowhere, or out of the root, leads to nothing that can be written.
  if (real === undefined || !isInside(root, real)) return { kept: [], named: new Map() };
  if (!path.toLowerCase().endsWith('/.git')) return { kept: [real], named: new Map() };
  const text = await textOf(real);
  const folder = text.startsWith(GIT_FOLDER) ? resolve(dirname(real), text.slice(GIT_FOLDER.length).trim()) : real;
  const values = namedIn(await textOf(join(folder, 'config')));
  const places = [folder, ...values.flatMap((value) => [resolve(dirname(path), value), resolve(folder, value)])];
  const found = places.map(async (place) => [place, await realpath(place).catch(() => undefined)] as const);
  const named = new Map(await Promise.all(found));
  const isOfRoot = (each: string) => each !== root && isInside(root, each);
  const there = [...named.values()].filter((each) => each !== undefined);
  return { kept: [real, ...there.filter(isOfRoot)], named };
}

/** The files, folders and programs that settings of Git name. */
function namedIn(settings: string): readonly string[] {
  return settings.split('\n').flatMap((line) => {
    const equals = line.indexOf('=');
    const key = line.slice(line.lastIndexOf(']', equals) + 1, Math.max(0, equals));
    if (!SETTINGS.has(key.trim().toLowerCase())) return [];
    const value = line
      .slice(equals + 1)
      .replaceAll('"', '')
      .trim();
    // A program may have arguments.
    return value === 'true' || value === 'false' ? [] : [value, value.split(' ')[0] ?? ''];
  });
}

/** Empty if it is no file that can be read. */
async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function shown(path: string, files: Context['files']): string {
  return pathOnOneLine(files.shownPath(bytesOf(path).toString()));
}

function cannotKeep(why: string): ToolFailure {
  return new ToolFailure(
    `Error: The sandbox can’t protect all files here that other programs use: ${why}. Nothing was run. With sandbox "off" the user is asked.`,
  );
}
