import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
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
/** Not one that a folder of PATH, maybe in a root, brings. */
const GIT = '/usr/bin/git';

/**
 * The secret files in the roots that no command may open: those that are secret by name and, where the name is not
 * enough, by content. What Git tracks is not among them, because it is no secret to anyone who has the repository, and
 * Git itself would take a hidden file for a change. Throws if not all can be hidden.
 */
export async function hiddenFiles(found: readonly Found[], context: Context): Promise<readonly Hidden[]> {
  const isSecret = secretFileTest();
  const secret = found.flatMap((each) => named(each, each.secretLike).filter((path) => isSecret(path)));
  const closed = found.flatMap((each) => named(each, each.closed)).map((path) => ({ path, kind: 'folder' }) as const);
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

/** These paths in what was found, as bubblewrap is given them. */
function named({ folder, lack }: Found, paths: readonly string[]): readonly string[] {
  if (isInSecretFolder(folder)) throw cannotHide('the folder itself is for secrets');
  if (lack !== undefined) throw cannotHide(`not all of the folder can be searched (${lack})`);
  const real = pathsOf(paths);
  if (real === undefined) throw cannotHide('the path of one is not UTF-8');
  return real;
}

/**
 * Those that the repository of a root tracks. Git reads its index inside the sandbox, and starts nothing: its settings may
 * be anyone's.
 */
async function trackedOf(root: string, secret: readonly string[], context: Context): Promise<readonly string[]> {
  const { processes, sandbox, files, signal } = context;
  const ofRoot = secret.filter((path) => path.startsWith(`${root}/`));
  if (ofRoot.length === 0) return [];
  const all = secret.map((path) => ({ path, kind: 'file' }) as const);
  const argv = [GIT, '-c', 'core.fsmonitor=false', '--literal-pathspecs', 'ls-files', '-z', '--', ...ofRoot];
  const profile = files.profileDirectory;
  const inside = await sandbox.command({ argv, directory: root, roots: files.realRoots, hidden: all, profile });
  const environment = withoutGitVariables(inside.environment);
  const request = { ...inside, environment, directory: root, timeoutMs: LOOK_WITHIN_MS, signal };
  const outcome = await processes.run(request);
  if (outcome.ending !== 'exited' || outcome.exitCode !== 0) return [];
  return outcome.stdout.split('\0').flatMap((name) => (name === '' ? [] : join(root, name)));
}

function cannotHide(why: string): ToolFailure {
  return new ToolFailure(
    `Error: The sandbox can’t hide all secret files here: ${why}. Nothing was run. With sandbox "off" the user is asked.`,
  );
}
