import { chmod, lstat, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { pathOnOneLine } from '../../base/text.ts';
import { everyObeyedName } from '../../policy/obeyed-files.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';
import { obeyedFrom } from '../files/obeyed-by-name.ts';
import { bytesOf, closedBelow, foundBelow } from './found-files.ts';
import { gitToWrite, keptInGit, type PlacedCommand } from './git-to-write.ts';
import { sharedBelow } from './shared-files.ts';

type Context = Pick<ToolContext, 'env' | 'files' | 'processes' | 'sandbox' | 'signal'>;

const LOOK_WITHIN_MS = 20_000;
/** The command may have made millions of files. */
const LOOK_AFTER_WITHIN_MS = 300_000;
/** bubblewrap makes a mount for each. */
const MOST_KEPT = 300;
const MOST_NAMED = 20;
const NOT_ALL = 'and some could not be found or renamed, which the user should know';
/** Bytes of a name, which may have 255. */
const MOST_OF_NAME = 200;
/** All names in one expression, which `find` compares in a tenth of the time that a test for each takes. */
const NAMES = everyObeyedName.map((name) => name.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')).join('|');
const BY_NAME = ['-regextype', 'posix-extended', '-iregex', `.*/(${NAMES})`];
/**
 * The files and folders in a root that programs outside obey by themselves. While a command runs in the sandbox, those
 * that are there can't be changed, and those that it makes get another name afterwards.
 */
export class ObeyedEntries {
  /** The real paths that can't be changed. */
  readonly kept: readonly string[];
  /** The command can write what a commit is written to. */
  readonly takesCommits: boolean;
  readonly #root: string;
  readonly #before: ReadonlyMap<string, string>;
  /** What was at paths that are obeyed whatever their names. The folder above a kept one can be replaced. */
  readonly #led: ReadonlyMap<string, string>;
  /** The folders of those that can't be changed: one that is the same can't have got another entry of that name. */
  readonly #folders: ReadonlyMap<string, string>;
  /** Folders that could not be listed. */
  readonly #closed: ReadonlySet<string>;
  readonly #context: Context;

  private constructor(root: string, context: Context, { entries, led, folders, closed, kept, takesCommits }: Before) {
    this.#root = root;
    this.#context = context;
    this.#before = entries;
    this.#led = led;
    this.#folders = folders;
    this.#closed = closed;
    this.kept = kept;
    this.takesCommits = takesCommits;
  }

  /** Before this command runs. Throws if they can't all be found or kept. */
  static async in(root: string, run: PlacedCommand, context: Context): Promise<ObeyedEntries> {
    const [{ entries, isWhole }, shared, closed] = await Promise.all([
      entriesBelow(root, context, LOOK_WITHIN_MS),
      sharedBelow(root, { most: MOST_KEPT, timeoutMs: LOOK_WITHIN_MS }, context),
      closedBelow(root, LOOK_AFTER_WITHIN_MS, context),
    ]);
    if (!isWhole || shared === undefined) throw cannotKeep('the folder could not be searched for them');
    const paths = [...shared, ...entries.keys()].map((path) => bytesOf(path).toString());
    if (paths.some((path) => path.includes('\ufffd'))) throw cannotKeep('one has a name that is not UTF-8');
    const names = [...entries.keys()].map((path) => bytesOf(path).toString());
    const led = new Set((await Promise.all(names.map((path) => obeyedFrom(path, root)))).flat());
    const git = await gitToWrite(run, root, context);
    const all = await Promise.all(
      [...paths, ...led].map((path) => (path === git ? keptInGit(path) : keptFor(path, root))),
    );
    const kept = [...new Set(all.flat())];
    if (kept.length > 2 * MOST_KEPT) throw cannotKeep(`there are more than ${2 * MOST_KEPT}`);
    const identities = await Promise.all([...led].map(async (path) => [path, await ledTo(path)] as const));
    const fixed = [...entries].flatMap(([path, identity]) => (isLink(identity) ? [] : [path]));
    const folders = await Promise.all(fixed.map(async (path) => [path, await folderOf(path)] as const));
    const before = {
      entries,
      led: new Map(identities),
      folders: new Map(folders),
      closed: new Set(closed.paths),
      kept,
      takesCommits: git !== undefined,
    };
    return new ObeyedEntries(root, context, before);
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
    const named: string[] = [];
    const left = new Set<string>();
    // What is in a folder that was put aside counts too, and is found only then.
    for (let isDone = false; !isDone; ) {
      await this.#open(context);
      const after = await entriesBelow(this.#root, context, LOOK_AFTER_WITHIN_MS);
      const made = [...after.entries].flatMap(([path, identity]) => (known.has(identity) ? [] : [path]));
      const own = await Promise.all(made.map((path) => this.#isOfOthers(path)));
      const ofCommand = made.filter((_, at) => own[at] !== true);
      const found = [...ofCommand, ...(await this.#ledElsewhere())].filter((path) => !left.has(path));
      for (const path of found) {
        const aside = await renamed(path).catch(() => undefined);
        if (aside === undefined) left.add(path);
        else if (named.length < MOST_NAMED)
          named.push(`${shown(path, files)} is now ${pathOnOneLine(basename(aside))}`);
      }
      isDone = found.length === 0;
      if (isDone && (!after.isWhole || left.size > 0)) named.push(NOT_ALL);
    }
    if (named.length === 0) return undefined;
    return `[put aside, because other programs obey such files by themselves: ${named.join(', ')}. To make one, use write_file or sandbox "off": the user is asked.]`;
  }

  /** Folders that the command closed. Programs can still open what is in them by name. */
  async #open(context: Context): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const { paths } = await closedBelow(this.#root, LOOK_AFTER_WITHIN_MS, context);
      const closed = paths.filter((path) => !this.#closed.has(path));
      const opened = await Promise.allSettled(closed.map((path) => chmod(bytesOf(path), 0o700)));
      isDone = !opened.some(({ status }) => status === 'fulfilled');
    }
  }

  /** Whether the user, or another program of theirs, replaced it: the command can't, where its folder is the same. */
  async #isOfOthers(path: string): Promise<boolean> {
    const folder = this.#folders.get(path);
    return folder !== undefined && folder === (await folderOf(path));
  }

  /** Paths that are obeyed and at which something else is now. */
  async #ledElsewhere(): Promise<readonly string[]> {
    const now = await Promise.all([...this.#led.keys()].map(async (path) => [path, await ledTo(path)] as const));
    const elsewhere = now.flatMap(([path, led]) => (led === '' || led === this.#led.get(path) ? [] : [path]));
    // The command may have made a folder on the path a link that leads out of the root.
    const folders = await Promise.all(elsewhere.map((path) => realpath(dirname(path)).catch(() => '')));
    return elsewhere.filter((_, at) => isInside(this.#root, folders[at] ?? ''));
  }
}

interface Before extends Pick<Entries, 'entries'> {
  readonly led: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, string>;
  readonly closed: ReadonlySet<string>;
  readonly kept: readonly string[];
  readonly takesCommits: boolean;
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
  const tests = ['-name', 'node_modules', '-prune', '-o', ...BY_NAME, '-prune'];
  const { pairs, isWhole } = await foundBelow(root, { tests, identity: '%y:%D:%i:%l', timeoutMs }, context);
  // A link is another one once it leads elsewhere.
  const entries = pairs.map(async ([identity, path]) => {
    const led = isLink(identity) ? await ledTo(bytesOf(path)) : '';
    return [path, `${identity}:${led}`] as const;
  });
  return { entries: new Map(await Promise.all(entries)), isWhole };
}

function isLink(identity: string): boolean {
  return identity.startsWith('l');
}

function folderOf(path: string): Promise<string> {
  return ledTo(bytesOf(dirname(path)));
}

/** The identity of what a path leads to. Empty if that is nothing. */
async function ledTo(path: string | Buffer): Promise<string> {
  return stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => '',
  );
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
    const isTaken = await lstat(bytesOf(name)).then(
      () => true,
      (error: unknown) => {
        // The path may be longer than the system takes, and so would be the next.
        if (systemCode(error) === 'ENOENT') return false;
        throw error;
      },
    );
    if (!isTaken) return name;
  }
}

/** What must not be changed because this is obeyed: what it leads to. */
async function keptFor(path: string, root: string): Promise<readonly string[]> {
  try {
    const real = await realpath(path);
    return real !== root && isInside(root, real) ? [real] : [];
  } catch (error) {
    // A link that leads nowhere.
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return [];
    throw cannotKeep(`one can’t be reached (${systemCode(error)})`);
  }
}

function shown(path: string, files: Context['files']): string {
  return pathOnOneLine(files.shownPath(bytesOf(path).toString()));
}

function cannotKeep(why: string): ToolFailure {
  return new ToolFailure(
    `Error: The sandbox can’t protect all files here that other programs use: ${why}. Nothing was run. With sandbox "off" the user is asked.`,
  );
}
