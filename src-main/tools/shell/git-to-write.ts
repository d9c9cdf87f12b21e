import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { GivenCommand } from '../../policy/commands/command-line.ts';
import { findRepository } from '../../policy/commands/git/find-repository.ts';
import { isPlainCommits } from '../../policy/commands/git/plain-commits.ts';
import { safePath } from '../../policy/commands/reading/find-program.ts';
import { NotReading } from '../../policy/commands/reading/reading-place.ts';
import type { ToolContext } from '../contract.ts';
import type { Found } from './found-files.ts';
import { asText } from './walk.ts';

type Context = Pick<ToolContext, 'files' | 'sandbox' | 'processes' | 'signal' | 'env'>;

const LOOK_WITHIN_MS = 20_000;
/** What a commit is written to, in `.git`. Nothing of it is obeyed. */
const WRITTEN: ReadonlySet<string> = new Set(
  [
    ['index', 'HEAD', 'ORIG_HEAD', 'COMMIT_EDITMSG', 'objects', 'refs', 'logs', 'packed-refs'],
    ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'SQUASH_MSG', 'AUTO_MERGE'],
  ].flat(),
);
/** Variables by which no other files are Git's, and by which a commit with a message starts nothing. */
const HARMLESS =
  /^GIT_(?:ASKPASS|(?:SEQUENCE_)?EDITOR|PAGER|TERMINAL_PROMPT|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|(?:SSL|HTTP|SSH|PROXY)\w*)$/;
/**
 * Settings of the user by which a commit runs another program, or is made elsewhere. Those of the repository itself are
 * checked one by one (`findRepository`). What is read on another branch is unknown before a line that starts one.
 * Source: git-config(1) of git 2.39 to 2.50.
 */
const RUNNING =
  /^(?:core\.(?:fsmonitor|hookspath|worktree)|commit\.gpgsign|log\.showsignature|gc\.recentobjectshook|extensions\.worktreeconfig|hook\..+|filter\..+|includeif\.onbranch:.*|trace2\..+target)$/;
/** The folder of hooks may be called `off`. */
const OFF = /^(?!core\.(?:hookspath|worktree)\n)[^\n]*\n(?:false|no|off|0)?$/i;
/** Large files in Git: what `git lfs install` writes. The program is the user's own. */
const KNOWN = new Set([
  'filter.lfs.clean\ngit-lfs clean -- %f',
  'filter.lfs.smudge\ngit-lfs smudge -- %f',
  'filter.lfs.process\ngit-lfs filter-process',
  'filter.lfs.required\ntrue',
]);

export interface PlacedCommand {
  readonly command: GivenCommand;
  /** The real path of the folder that it runs in. */
  readonly directory: string;
}

/**
 * The real path of the `.git` that the command may write, because it does nothing but make commits. Undefined if Git
 * could run something there that an earlier command has changed: hooks, filters, another repository below, a program
 * that is found by PATH.
 */
export async function gitToWrite(
  { command, directory }: PlacedCommand,
  found: Found,
  context: Context,
): Promise<string | undefined> {
  if (!isPlainCommits(command)) return undefined;
  const hasOther = Object.keys(context.env).some((name) => name.startsWith('GIT_') && !HARMLESS.test(name));
  if (hasOther || !(await isPathOutside(context))) return undefined;
  const tree = await findRepository(directory, { contains: (path) => isInside(found.folder, path) }).catch(
    unlessNotReading,
  );
  if (tree === undefined) return undefined;
  const folder = join(tree.root, '.git');
  const runsOther = hasOtherBelow(tree.root, found) || (await hasHooks(folder));
  return !runsOther && (await runsNothing(directory, context)) ? folder : undefined;
}

/** What of a `.git` stays as it is, as real paths. */
export async function keptInGit(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => (WRITTEN.has(name) ? [] : [join(folder, name)]));
}

/**
 * Git would tidy up in the background, and be ended in the middle of it. It would take a folder for a repository that an
 * earlier command has made look like one. By the last two settings of a user, `log` can run gpg and `status` a script.
 */
const SETTINGS_INSIDE = [
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['format.pretty', 'medium'],
  ['status.submoduleSummary', 'false'],
] as const;

/** The variables for a commit inside. */
export const GIT_INSIDE: Readonly<NodeJS.ProcessEnv> = Object.fromEntries([
  ['GIT_CONFIG_COUNT', `${SETTINGS_INSIDE.length}`],
  ...SETTINGS_INSIDE.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]),
]);

/** Whether nothing in the roots is started by its name alone. */
async function isPathOutside({ env: environment, files }: Pick<Context, 'env' | 'files'>): Promise<boolean> {
  const contains = (path: string) => files.realRoots.some((root) => isInside(root, path));
  const { PATH = '' } = environment;
  return PATH !== '' && (await safePath({ contains, environment })) === PATH;
}

/** Whether another repository is below, under any case of its name, or may be in a folder that can't be listed. */
function hasOtherBelow(tree: string, { repositories, closed }: Found): boolean {
  const isBelow = (path: string) => isInside(asText(tree), path);
  return closed.some(isBelow) || repositories.filter(isBelow).length > 1;
}

async function hasHooks(folder: string): Promise<boolean> {
  const hooks = await readdir(join(folder, 'hooks')).catch(() => []);
  return hooks.some((name) => !name.endsWith('.sample'));
}

/** Whether no setting that Git reads there has it run another program. Git reads them inside, as the commit will. */
async function runsNothing(directory: string, context: Context): Promise<boolean> {
  const { processes, sandbox, files, signal } = context;
  const { realRoots: roots, profileDirectory: profile } = files;
  const argv = ['git', 'config', '--null', '--list'];
  const inside = await sandbox.command({ argv, directory, roots, hidden: [], profile, ownCodeOnly: true });
  const environment = { ...inside.environment, ...GIT_INSIDE };
  const outcome = await processes.run({ ...inside, environment, directory, timeoutMs: LOOK_WITHIN_MS, signal });
  if (outcome.ending !== 'exited' || outcome.exitCode !== 0) return false;
  return outcome.stdout
    .split('\0')
    .filter((setting) => RUNNING.test(setting.split('\n', 1)[0] ?? ''))
    .every((setting) => KNOWN.has(setting) || OFF.test(setting));
}

function unlessNotReading(error: unknown): undefined {
  if (!(error instanceof NotReading)) throw error;
}
