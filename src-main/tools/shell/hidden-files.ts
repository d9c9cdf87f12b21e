import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { NEVER_A_LINK_NOR_A_WAIT } from '../../base/open-flags.ts';
import { isInside } from '../../base/paths.ts';
import { isInSecretFolder } from '../../policy/secret-file-names.ts';
import { secretFileTest } from '../../policy/secret-files.ts';
import { withoutGitVariables } from '../../processes/child-environment.ts';
import type { Hidden } from '../../sandbox/visible-places.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';
import type { Found } from './found-files.ts';
import { pathsOf } from './walk.ts';

type Context = Pick<ToolContext, 'files' | 'sandbox' | 'processes' | 'signal'>;

const LOOK_WITHIN_MS = 20_000;
/** bubblewrap makes a mount for each. */
const MOST_HIDDEN = 500;
/** Git is asked about all of them in one command line. */
const MOST_SECRET = 5_000;
/** A larger one counts as changed since Git read it. */
const MOST_COMPARED = 16 * 1024 * 1024;
/** Not one that a folder of PATH, maybe in a root, brings. */
const GIT = '/usr/bin/git';

/**
 * The secret files in the roots that no command may open: those that are secret by name and, where the name is not
 * enough, by content, and what links of such names lead to. What Git tracks is not among them, because it is no secret to
 * anyone who has the repository, and Git itself would take a hidden file for a change. The name alone in Git's index says
 * nothing: `git add -N` puts it there without the content. Throws if not all can be hidden.
 */
export async function hiddenFiles(found: readonly Found[], context: Context): Promise<readonly Hidden[]> {
  const isSecret = secretFileTest();
  const secret = found.flatMap((each) => named(each, each.secretLike).filter((path) => isSecret(path)));
  const linked = await linkedOf(found, isSecret, context);
  const closed = [
    ...found.flatMap((each) => named(each, each.closed)).map((path) => ({ path, kind: 'folder' }) as const),
    ...linked.filter(({ kind }) => kind === 'folder'),
  ];
  secret.push(...linked.flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])));
  if (secret.length === 0) return closed;
  if (secret.length > MOST_SECRET) throw cannotHide(`there are more than ${MOST_SECRET} secret files`);
  const tracked = new Set((await Promise.all(found.map(({ folder }) => trackedOf(folder, secret, context)))).flat());
  const hidden = [...new Set(secret)].filter((path) => !tracked.has(path));
  if (hidden.length + closed.length > MOST_HIDDEN)
    throw cannotHide(`there are more than ${MOST_HIDDEN} secret files and closed folders`);
  for (const path of hidden) {
    // Its content could be read by the other name, which may be anywhere.
    const entry = await lstat(path).catch(() => undefined);
    if (entry === undefined) throw cannotHide(`${context.files.shownPath(path)} has just been removed`);
    if (entry.nlink > 1) throw cannotHide(`${context.files.shownPath(path)} has several names`);
  }
  return [...closed, ...hidden.map((path) => ({ path, kind: 'file' }) as const)];
}

/** What links in the roots lead to that have the names of secret files or of folders of such files. */
async function linkedOf(
  found: readonly Found[],
  isSecret: (real: string, given: string) => boolean,
  { files }: Context,
): Promise<readonly Hidden[]> {
  const links = found.flatMap((each) => named(each, each.secretLinks));
  const hidden = await Promise.all(
    links.map(async (path): Promise<readonly Hidden[]> => {
      const real = await realpath(path).catch(() => undefined);
      // Nothing outside the roots is seen through it.
      if (real === undefined || !files.realRoots.some((root) => isInside(root, real))) return [];
      const entry = await lstat(real).catch(() => undefined);
      if (entry?.isDirectory() !== true) return isSecret(real, path) ? [{ path: real, kind: 'file' }] : [];
      if (!isInSecretFolder(path)) return [];
      if (files.realRoots.some((root) => isInside(real, root)))
        throw cannotHide(`${files.shownPath(path)} leads to the folder itself`);
      return [{ path: real, kind: 'folder' }];
    }),
  );
  return hidden.flat();
}

/** These paths in what was found, as bubblewrap is given them. */
function named({ folder, lack }: Found, paths: readonly string[]): readonly string[] {
  if (isInSecretFolder(folder)) throw cannotHide('the folder itself is for secrets');
  if (lack !== undefined) throw cannotHide(`not all of the folder can be searched (${lack})`);
  const real = pathsOf(paths);
  if (real === undefined) throw cannotHide('the path of one is not UTF-8');
  return real;
}

/**
 * Those that are just as Git's index has them, or that a commit holds unless a filter keeps them encrypted there. Git
 * looks inside the sandbox, and starts nothing: its settings may be anyone's.
 */
async function trackedOf(root: string, secret: readonly string[], context: Context): Promise<readonly string[]> {
  const names = secret.flatMap((path) => (path.startsWith(`${root}/`) ? relative(root, path) : []));
  if (names.length === 0) return [];
  const git: Git = (line, about) => readByGit(root, [...line, '--', ...about], secret, context);
  const tracked: string[] = [];
  const changed: string[] = [];
  for (const [, id = '', name = ''] of (await git(['ls-files', '--stage', '-z'], names)).matchAll(OF_INDEX))
    ((await isBlob(join(root, name), id)) ? tracked : changed).push(name);
  return [...tracked, ...(await committedInClear(git, changed))].map((name) => join(root, name));
}

type Git = (line: readonly string[], about: readonly string[]) => Promise<string>;

/** Those of these names that the newest commit holds, and no filter keeps encrypted there. */
async function committedInClear(git: Git, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const committed = (await git(['ls-tree', '-r', '-z', '--name-only', 'HEAD'], names)).split('\0').filter(Boolean);
  if (committed.length === 0) return [];
  // For each of them a path, the attribute and its value.
  const attributes = (await git(['check-attr', '-z', 'filter'], committed)).split('\0');
  return committed.filter((_, at) => NO_FILTER.has(attributes[at * 3 + 2] ?? ''));
}

/** Matches an entry of `git ls-files --stage -z`: mode, object, stage, path. */
const OF_INDEX = /(?:^|\0)\d{6} ([0-9a-f]{40,64}) \d\t([^\0]+)/g;
const NO_FILTER: ReadonlySet<string> = new Set(['unspecified', 'unset']);

/** What Git prints, or nothing if it fails. */
async function readByGit(
  root: string,
  line: readonly string[],
  secret: readonly string[],
  { processes, sandbox, files, signal }: Context,
): Promise<string> {
  const hidden = secret.map((path) => ({ path, kind: 'file' }) as const);
  const argv = [GIT, '-c', 'core.fsmonitor=false', '--literal-pathspecs', ...line];
  const profile = files.profileDirectory;
  const inside = await sandbox.command({ argv, directory: root, roots: files.realRoots, hidden, profile });
  const environment = withoutGitVariables(inside.environment);
  const outcome = await processes.run({ ...inside, environment, directory: root, timeoutMs: LOOK_WITHIN_MS, signal });
  return outcome.ending === 'exited' && outcome.exitCode === 0 ? outcome.stdout : '';
}

/** Whether a file holds what this object of Git does. */
async function isBlob(path: string, id: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | NEVER_A_LINK_NOR_A_WAIT).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const entry = await file.stat();
    if (!entry.isFile() || entry.size > MOST_COMPARED) return false;
    const content = await file.readFile();
    const hash = createHash(id.length === 64 ? 'sha256' : 'sha1').update(`blob ${content.length}\0`);
    return hash.update(content).digest('hex') === id;
  } finally {
    await file.close();
  }
}

function cannotHide(why: string): ToolFailure {
  return new ToolFailure(
    `Error: The sandbox can’t hide all secret files here: ${why}. Nothing was run. With sandbox "off" the user is asked.`,
  );
}
