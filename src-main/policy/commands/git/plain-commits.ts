import type { GivenCommand } from '../command-line.ts';
import { hasOption, type ParsedCall, parseCall, type ReadingCommand, valuesOf } from '../reading/reading-command.ts';
import { parseShellLine, type ShellWord } from '../shell-line.ts';
import { git } from './git-reads.ts';

interface PlainCommand {
  readonly options: ReadingCommand;
  /** Whether it then starts no editor and changes no other file of the folder. */
  readonly isPlain: (call: ParsedCall) => boolean;
}

const ALWAYS = () => true;
/** Not one that Git would take for an option, or for something else than a branch. */
const BRANCH = /^\w[\w./-]*$/;

/**
 * What a commit is made with. An option that starts a program is not listed (`--edit`, `--patch`, `-S`, `--trailer`),
 * nor a subcommand that could change settings or other files: `git mv x .git/commondir` says that the path is invalid,
 * and has moved the file. Source: git-add(1), git-commit(1), git-rm(1), git-restore(1), git-switch(1), git-checkout(1)
 * of git 2.39 to 2.50.
 */
const PLAIN: Readonly<Record<string, PlainCommand>> = {
  add: { options: git('AufvnN', 'all update force verbose dry-run intent-to-add'), isPlain: ALWAYS },
  commit: {
    options: git(
      'am:F:qsno',
      'all message: file: quiet signoff no-verify only allow-empty author: date: amend no-edit',
    ),
    isPlain: (call) =>
      hasOption(call, 'm', 'message', 'F', 'file') || (hasOption(call, 'amend') && hasOption(call, 'no-edit')),
  },
  rm: { options: git('rfnq', 'cached force dry-run quiet'), isPlain: (call) => hasOption(call, 'cached') },
  restore: { options: git('Sq', 'staged quiet'), isPlain: (call) => hasOption(call, 'S', 'staged') },
  switch: { options: git('c:q', 'create: quiet'), isPlain: (call) => startsBranch(call, 'c', 'create') },
  checkout: { options: git('b:q', 'quiet'), isPlain: (call) => startsBranch(call, 'b') },
  status: { options: git('sb', 'short branch porcelain?'), isPlain: ALWAYS },
  log: { options: { ...git('n:', 'oneline'), takesNumber: true }, isPlain: ({ operands }) => operands.length === 0 },
};

/**
 * Whether the command runs nothing but Git, for what a commit is made with. It then writes into `.git` only what Git
 * itself does, unless hooks or settings of the repository have it run something.
 */
export function isPlainCommits(command: GivenCommand, platform: NodeJS.Platform = process.platform): boolean {
  if (command.kind === 'argv') return isPlainWords(command.argv, platform);
  const pipelines = parseShellLine(command.line)?.pipelines ?? [];
  return (
    pipelines.length > 0 &&
    pipelines.every(
      ([first, ...piped]) =>
        first !== undefined &&
        piped.length === 0 &&
        !first.words.some(mayBecomeOption) &&
        isPlainWords(
          first.words.map(({ text }) => text),
          platform,
        ),
    )
  );
}

/** A file could be named as an option is: `git commit -m x *`, where there is a file `-S`. */
function mayBecomeOption({ text, wildcards }: ShellWord): boolean {
  return wildcards.length > 0 && (wildcards[0] === 0 || text.startsWith('-'));
}

function isPlainWords([program, subcommand = '', ...rest]: readonly string[], platform: NodeJS.Platform): boolean {
  const plain = Object.hasOwn(PLAIN, subcommand) ? PLAIN[subcommand] : undefined;
  if (program !== 'git' || plain === undefined) return false;
  const call = parseCall(plain.options, rest, platform);
  return call !== null && plain.isPlain(call);
}

/** From another start, it would check files out. */
function startsBranch(call: ParsedCall, ...options: readonly string[]): boolean {
  const names = valuesOf(call, ...options);
  return names.length === 1 && names.every((name) => BRANCH.test(name)) && call.operands.length === 0;
}
