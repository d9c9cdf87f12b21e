import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { everySecretGlob, isInSecretFolder } from '../../policy/secret-file-names.ts';
import { secretFileTest } from '../../policy/secret-files.ts';
import { withoutGitVariables } from '../../processes/child-environment.ts';
import type { Hidden } from '../../sandbox/visible-places.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';
import { ripgrepPath } from '../search/ripgrep.ts';
import { bytesOf, closedBelow } from './found-files.ts';

type Context = Pick<ToolContext, 'files' | 'sandbox' | 'processes' | 'signal'>;

const LOOK_WITHIN_MS = 20_000;
/** bubblewrap makes a mount for each. */
const MOST_HIDDEN = 500;
/** Git is asked about all of them in one command line. */
const MOST_SECRET = 5_000;
/** The exit code of ripgrep when it could not read something. */
const NOT_ALL_READ = 2;
/** Not one that a folder of PATH, maybe in a root, brings. */
const GIT = '/usr/bin/git';
/** Published packages, some of which bring keys for their own tests. */
const INSTALLED = '**/node_modules/**';

/**
 * The secret files in the roots that no command may open: those that are secret by name and, where the name is not
 * enough, by content. What Git tracks is not among them, because it is no secret to anyone who has the repository, and
 * Git itself would take a hidden file for a change. Throws if not all can be hidden.
 */
export async function hiddenFiles(roots: readonly string[], context: Context): Promise<readonly Hidden[]> {
  const found = await Promise.all(roots.map((root) => secretsBelow(root, context)));
  const secret = found.flatMap(({ files }) => files);
  const closed = found.flatMap((each) => each.closed).map((path) => ({ path, kind: 'folder' }) as const);
  if (secret.length === 0) return closed;
  if (secret.length > MOST_SECRET) throw cannotHide(`there are more than ${MOST_SECRET} secret files`);
  const tracked = new Set((await Promise.all(roots.map((root) => trackedOf(root, secret, context)))).flat());
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

interface Found {
  readonly files: readonly string[];
  /** Folders that can't be listed, but in which a file could be opened by its name. */
  readonly closed: readonly string[];
}

async function secretsBelow(root: string, context: Context): Promise<Found> {
  const { processes, signal } = context;
  if (isInSecretFolder(root)) throw cannotHide('the folder itself is for secrets');
  const globs = everySecretGlob.flatMap((glob) => [`--iglob=**/${glob}`, `--iglob=**/${glob}/**`]);
  const args = ['--no-config', '--no-ignore', '--hidden', '--no-messages', '--null', '--files', ...globs];
  const outcome = await processes.run({
    command: await ripgrepPath(),
    args: [...args, `--iglob=!${INSTALLED}`, '--', '.'],
    directory: root,
    timeoutMs: LOOK_WITHIN_MS,
    endWhenFull: true,
    signal,
  });
  if (outcome.ending === 'aborted') throw new ToolFailure('[stopped by the user]', { outcome: 'stopped' });
  if (outcome.ending !== 'exited') throw cannotHide('the folder is too large to look for them');
  const isSecret = secretFileTest();
  const closed = outcome.exitCode === NOT_ALL_READ ? await closedFolders(root, context) : [];
  return { files: paths(outcome.stdout, root).filter((path) => isSecret(path)), closed };
}

async function closedFolders(root: string, context: Context): Promise<readonly string[]> {
  const { paths: closed, isWhole } = await closedBelow(root, LOOK_WITHIN_MS, context);
  if (!isWhole) throw cannotHide('some folders can’t be listed');
  return closed.map((path) => bytesOf(path).toString());
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
  return outcome.ending === 'exited' && outcome.exitCode === 0 ? paths(outcome.stdout, root) : [];
}

function paths(output: string, root: string): readonly string[] {
  return output.split('\0').flatMap((name) => (name === '' ? [] : join(root, name)));
}

function cannotHide(why: string): ToolFailure {
  return new ToolFailure(
    `Error: The sandbox can’t hide all secret files here: ${why}. Nothing was run. With sandbox "off" the user is asked.`,
  );
}
