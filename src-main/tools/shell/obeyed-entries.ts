import { chmod, lstat, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PutAside } from '../../../src-preload/contract/tool-card.ts';
import { systemCode } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { pathOnOneLine } from '../../base/text.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';
import { obeyedFrom } from '../files/obeyed-by-name.ts';
import { type Found, foundBelow } from './found-files.ts';
import { gitToWrite, keptInGit, type PlacedCommand } from './git-to-write.ts';
import { sharedIn } from './shared-files.ts';
import { asText, bytesOf, pathsOf } from './walk.ts';

type Context = Pick<ToolContext, 'env' | 'files' | 'processes' | 'sandbox' | 'signal'>;

/** The command may have made millions of files. */
const LOOK_AFTER_WITHIN_MS = 300_000;
/** bubblewrap makes a mount for each. */
const MOST_KEPT = 300;
const MOST_NAMED = 20;
/** Bytes of a name, which may have 255. */
const MOST_OF_NAME = 200;
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

  /** Those that were found before this command runs. Throws if they can't all be kept. */
  static async in(found: Found, run: PlacedCommand, context: Context): Promise<ObeyedEntries> {
    const { folder: root, lack } = found;
    if (lack !== undefined) throw cannotKeep(`not all of the folder can be searched (${lack})`);
    const shared = sharedIn(found, MOST_KEPT);
    if (shared === undefined) throw cannotKeep('there are too many that have another name outside');
    const entries = await identitiesOf(found);
    const names = pathsOf(found.obeyed.map(({ path }) => path));
    const others = pathsOf(shared);
    if (names === undefined || others === undefined) throw cannotKeep('one has a name that is not UTF-8');
    const led = new Set((await Promise.all(names.map((path) => obeyedFrom(path, root)))).flat());
    const git = await gitToWrite(run, found, context);
    const all = await Promise.all(
      [...others, ...names, ...led].map((path) => (path === git ? keptInGit(path) : keptFor(path, root))),
    );
    const kept = [...new Set(all.flat())];
    if (kept.length > 2 * MOST_KEPT) throw cannotKeep(`there are more than ${2 * MOST_KEPT}`);
    const identities = await Promise.all([...led].map(async (path) => [path, await ledTo(path)] as const));
    const fixed = found.obeyed.flatMap(({ path, isLink }) => (isLink ? [] : path));
    const folders = await Promise.all(fixed.map(async (path) => [path, await folderOf(path)] as const));
    const before = {
      entries,
      led: new Map(identities),
      folders: new Map(folders),
      closed: new Set(found.closed),
      kept,
      takesCommits: git !== undefined,
    };
    return new ObeyedEntries(root, context, before);
  }

  /**
   * Gives those that the command made another name, so that nothing obeys them. Resolves with undefined if there are
   * none. One that was moved with its folder is left.
   */
  async putAside(): Promise<PutAside | undefined> {
    const known = new Set(this.#before.values());
    const { files } = this.#context;
    const entries: PutAside['entries'][number][] = [];
    let count = 0;
    let isIncomplete = false;
    const left = new Set<string>();
    // What is in a folder that was put aside counts too, and is found only then.
    for (let isDone = false; !isDone; ) {
      const after = await this.#below();
      const made = [...(await identitiesOf(after))].flatMap(([path, identity]) => (known.has(identity) ? [] : [path]));
      const own = await Promise.all(made.map((path) => this.#isOfOthers(path)));
      const ofCommand = made.filter((_, at) => own[at] !== true);
      const found = [...ofCommand, ...(await this.#ledElsewhere())].filter((path) => !left.has(path));
      for (const path of found) {
        const aside = await renamed(path).catch(() => undefined);
        if (aside === undefined) {
          left.add(path);
          continue;
        }
        count += 1;
        if (entries.length < MOST_NAMED)
          entries.push({ path: shown(path, files), name: pathOnOneLine(basename(aside)) });
      }
      isDone = found.length === 0;
      isIncomplete = after.lack !== undefined || left.size > 0;
    }
    return count === 0 && !isIncomplete ? undefined : { entries, count, ...(isIncomplete ? { isIncomplete } : {}) };
  }

  /** What is below now, also in folders that the command closed: programs can still open what is in them by name. */
  async #below(): Promise<Found> {
    // A stopped command may have made some too.
    const { signal } = new AbortController();
    for (;;) {
      const found = await foundBelow({ folder: this.#root, withLinked: false }, LOOK_AFTER_WITHIN_MS, { signal });
      const closed = found.closed.filter((path) => !this.#closed.has(path));
      const opened = await Promise.allSettled(closed.map((path) => chmod(bytesOf(path), 0o700)));
      if (!opened.some(({ status }) => status === 'fulfilled')) return found;
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
    return elsewhere.filter((_, at) => isInside(this.#root, folders[at] ?? '')).map(asText);
  }
}

interface Before {
  readonly entries: ReadonlyMap<string, string>;
  readonly led: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, string>;
  readonly closed: ReadonlySet<string>;
  readonly kept: readonly string[];
  readonly takesCommits: boolean;
}

/** What each of them is, by path. A link is another one once it leads elsewhere. */
async function identitiesOf({ obeyed }: Found): Promise<ReadonlyMap<string, string>> {
  const entries = obeyed.map(async ({ path, identity, isLink }) => {
    const led = isLink ? await ledTo(bytesOf(path)) : '';
    return [path, `${identity}:${led}`] as const;
  });
  return new Map(await Promise.all(entries));
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
