import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasSecretName, isInSecretFolder } from '../../secret-file-names.ts';
import { type ParsedCall, parseCall, type ReadingCommand } from '../reading/reading-command.ts';
import { NotReading, type ReadingPlace } from '../reading/reading-place.ts';
import { type FoundRepository, findRepository } from './find-repository.ts';
import { commitsOf, objectOfCommit } from './revisions.ts';
import { isObject, pathspecsWithoutSecrets } from './without-secrets.ts';

const DIFF_OPTIONS =
  'stat? shortstat numstat dirstat? summary name-only name-status raw patch no-patch unified: color? no-color word-diff? color-words? ' +
  'ignore-space-change ignore-all-space ignore-blank-lines ignore-space-at-eol diff-filter: find-renames? find-copies? no-renames ' +
  'minimal patience histogram function-context full-index binary abbrev? relative? exit-code quiet check text';
/**
 * The options of `log` that select revisions. `show` doesn't accept them: a tag may name a file, which it would print.
 */
const REFS = 'all branches? tags? remotes?';
const LOG_OPTIONS =
  'oneline graph decorate? no-decorate format: pretty? abbrev-commit no-abbrev-commit max-count: skip: ' +
  'since: until: after: before: author: committer: grep: all-match invert-grep regexp-ignore-case extended-regexp fixed-strings ' +
  'reverse merges no-merges first-parent follow date: relative-date topo-order date-order author-date-order left-right ' +
  'cherry-pick cherry-mark cherry boundary parents children no-walk?';
const DIFF_LETTERS = 'pusbwzaWU:S:G:M::C::';

/**
 * Only full names are listed, since git accepts any unambiguous prefix of one. Options that write or start another
 * program are not listed.
 */
const SUBCOMMANDS: Readonly<Record<string, ReadingCommand>> = {
  status: {
    ...git('sbvzu::', ''),
    long: 'short branch show-stash porcelain? long verbose untracked-files? ignored? no-ahead-behind ahead-behind null no-renames',
  },
  diff: { ...git(DIFF_LETTERS, `${DIFF_OPTIONS} cached staged merge-base`), takesNumber: true },
  log: { ...git(`${DIFF_LETTERS}n:iEFP`, `${DIFF_OPTIONS} ${LOG_OPTIONS} ${REFS}`), takesNumber: true },
  show: { ...git(`${DIFF_LETTERS}n:`, `${DIFF_OPTIONS} ${LOG_OPTIONS}`), takesNumber: true },
};

/**
 * Each of these settings could start a program, read a file elsewhere, or enter a submodule that has its own
 * configuration.
 */
const OVERRIDDEN = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'diff.external=',
  'diff.ignoreSubmodules=all',
  'diff.submodule=short',
  'gpg.program=false',
  'gpg.openpgp.program=false',
  'gpg.x509.program=false',
  'gpg.ssh.program=false',
  'log.showSignature=false',
  'status.submoduleSummary=false',
  'submodule.recurse=false',
  'safe.bareRepository=explicit',
];

/** A path that leads out, which `git diff A B` would use to compare any two files: absolute, or containing `..`. */
const LEADS_OUT = /^[/~]|(?:^|[:/])\.\.(?:$|\/)/;

/**
 * The variables that git gets in addition to the environment of every read-only line. Source: git(1), "Environment
 * Variables".
 */
export const GIT_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
} as const;

const PLAIN_NAME = /^[\w./@+-]+$/;

export interface GitReads {
  /** The words to run git with instead of the original ones. */
  readonly safeWords: readonly string[];
  /** The real path of the repository that it reads. */
  readonly repository: string;
}

/** What `git status`, `log`, `diff` or `show` reads in a real folder. Throws `NotReading` for anything else. */
export async function gitReads(words: readonly string[], folder: string, place: ReadingPlace): Promise<GitReads> {
  const [subcommand = '', ...rest] = words[0] === '--no-pager' ? words.slice(1) : words;
  const command = Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand] : undefined;
  const call = command === undefined ? null : parseCall(command, rest, place.platform);
  if (call === null) throw new NotReading('another git command, or an option that is not known');
  for (const operand of call.operands) await requireInside(operand, folder, place);
  const leftOut = pathspecsWithoutSecrets(subcommand, call);
  const { revisions, paths } = await sortedOperands(subcommand, call, folder);
  const repository = await findRepository(folder, place);
  const overridden = [...OVERRIDDEN, ...driversEmptied(repository)].flatMap((setting) => ['-c', setting]);
  const safeWords = [
    '--no-pager',
    `--git-dir=${join(repository.root, '.git')}`,
    `--work-tree=${repository.root}`,
    ...overridden,
    subcommand,
    '--ignore-submodules=all',
    ...(subcommand === 'status' ? [] : ['--no-ext-diff', '--no-textconv']),
    ...call.optionWords,
    ...revisions,
    '--',
    ...paths,
    ...leftOut,
  ];
  return { safeWords, repository: repository.root };
}

interface SortedOperands {
  readonly revisions: readonly string[];
  readonly paths: readonly string[];
}

/**
 * Which operands are revisions is decided here, and `--` tells git: it would take a word for an object that we took for
 * a path. Throws `NotReading` for one that is neither.
 */
async function sortedOperands(
  subcommand: string,
  { operands, behindDashes }: ParsedCall,
  folder: string,
): Promise<SortedOperands> {
  const revisions: string[] = [];
  const paths: string[] = [];
  for (const operand of operands.slice(0, operands.length - behindDashes.length)) {
    const commits = commitsOf(operand);
    if (subcommand !== 'status' && isObject(operand)) revisions.push(objectOfCommit(operand));
    else if (subcommand === 'status' || (await isPath(operand, folder))) paths.push(operand);
    else if (commits !== undefined) revisions.push(commits);
    else throw new NotReading('a revision that is not in the grammar');
  }
  return { revisions, paths: [...paths, ...behindDashes] };
}

const PATTERN = /[*?[\\]|^:[(!^]/;

async function isPath(operand: string, folder: string): Promise<boolean> {
  if (PATTERN.test(operand)) return true;
  return lstat(join(folder, operand)).then(
    () => true,
    () => false,
  );
}

/** Throws `NotReading` if a revision, a path or `REVISION:PATH` leads out or names a secret file. */
async function requireInside(operand: string, folder: string, { isSecretFile }: ReadingPlace): Promise<void> {
  if (LEADS_OUT.test(operand)) throw new NotReading('a path that leads out');
  const path = operand.slice(operand.lastIndexOf(':') + 1);
  // The name alone is checked as well, because a committed file may no longer exist there.
  const isCalledSecret = hasSecretName(basename(path)) || isInSecretFolder(path);
  if (isCalledSecret || (await isSecretFile(join(folder, path)))) throw new NotReading('a secret file');
}

/** Filters and drivers have names chosen by the repository. */
function driversEmptied({ settings }: FoundRepository): string[] {
  return settings.flatMap(({ section, subsection, name }) => {
    if (subsection === null || (section !== 'filter' && section !== 'diff' && section !== 'gpg')) return [];
    // If it contained `=`, git would take the rest for the value.
    if (!PLAIN_NAME.test(subsection)) throw new NotReading('a driver with an odd name');
    const key = `${section}.${subsection}.${name}`;
    if (name === 'required' || name === 'binary' || name === 'cachetextconv') return [`${key}=false`];
    return [`${key}=${section === 'gpg' ? 'false' : ''}`];
  });
}

/** A subcommand with these short and long options. */
export function git(letters: string, long: string): ReadingCommand {
  return { posix: letters, long, isSameEverywhere: true, operands: 'text', reads: 'contents' };
}
