import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
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
 * enough, by content, and what links of such names lead to. A file that is just as Git tracks it is not among them,
 * because it is no secret to anyone who has the repository, and Git itself would take a hidden file for a change. The
 * name alone in Git's index says nothing: `git add -N` puts it there without the content, and another content may have
 * been saved since. Throws if not all can be hidden.
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
 * Those that are just as the repository of a root tracks them. Git reads its index inside the sandbox, and starts nothing:
 * its settings may be anyone's.
 */
async function trackedOf(root: string, secret: readonly string[], context: Context): Promise<readonly string[]> {
  const { processes, sandbox, files, signal } = context;
  const ofRoot = secret.filter((path) => path.startsWith(`${root}/`));
  if (ofRoot.length === 0) return [];
  const all = secret.map((path) => ({ path, kind: 'file' }) as const);
  const argv = [GIT, '-c', 'core.fsmonitor=false', '--literal-pathspecs', 'ls-files', '--stage', '-z', '--', ...ofRoot];
  const profile = files.profileDirectory;
  const inside = await sandbox.command({ argv, directory: root, roots: files.realRoots, hidden: all, profile });
  const environment = withoutGitVariables(inside.environment);
  const request = { ...inside, environment, directory: root, timeoutMs: LOOK_WITHIN_MS, signal };
  const outcome = await processes.run(request);
  if (outcome.ending !== 'exited' || outcome.exitCode !== 0) return [];
  const tracked: string[] = [];
  for (const [, id = '', name = ''] of outcome.stdout.matchAll(OF_INDEX)) {
    const path = join(root, name);
    if (await isBlob(path, id)) tracked.push(path);
  }
  return tracked;
}

/** Matches an entry of `git ls-files --stage -z`: mode, object, stage, path. */
const OF_INDEX = /(?:^|\0)\d{6} ([0-9a-f]{40,64}) \d\t([^\0]+)/g;

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
