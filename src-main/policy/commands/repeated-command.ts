import { canonicalHash } from '../../base/canonical-json.ts';
import { isJudgedWhole } from './command-effects.ts';
import { commandLine, type GivenCommand } from './command-line.ts';
import { formOfCommand } from './exact-command.ts';
import { hasUnseenCharacters } from './no-rule.ts';
import { parseShellLine } from './shell-line.ts';

/** Nobody reads a longer line on a card or in a list of rules. */
const MAX_LINE_LENGTH = 1_000;
/** Matches options of `git commit` that change nothing about which commit is made. */
const PLAIN_COMMIT_OPTION = /^(?:-[aqsv]+|--(?:all|quiet|signoff|verbose|allow-empty))$/;
const MESSAGE_FOLLOWS = /^(?:-[aqsv]*m|--message)$/;

/** A command that an answer can cover for the rest of a conversation, although no rule can. */
export interface RepeatedCommand {
  /** The hash of all words of the command; for `git commit`, of all but the message. */
  readonly hash: string;
  /** The command as it is shown to people. */
  readonly line: string;
}

/**
 * The command that such an answer is bound to: exactly this one, whatever it does. Undefined if a rule can cover it, or
 * if nobody could read it. Whether its consequences are grave is judged elsewhere, and so is what has been read since.
 */
export function repeatedCommand(
  command: GivenCommand,
  platform: NodeJS.Platform = process.platform,
): RepeatedCommand | undefined {
  const form = formOfCommand(command, platform);
  const line = commandLine(command);
  if (form.kind === 'exact' || form.why === 'unreadable' || line.length > MAX_LINE_LENGTH) return undefined;
  if (!isJudgedWhole(command, platform)) return undefined;
  if (hasUnseenCharacters(line.replaceAll(/[\n\t]/g, ' '))) return undefined;
  const commit = command.kind === 'argv' ? commitOf([command.argv]) : commitOf(wordsOfLine(command.line, platform));
  if (commit !== undefined) return { hash: canonicalHash({ commit }), line: 'git commit, with any message' };
  return { hash: canonicalHash(command), line };
}

/** The only command of a line, if a shell reads it as these words. */
function wordsOfLine(line: string, platform: NodeJS.Platform): readonly (readonly string[])[] {
  const commands = platform === 'win32' ? [] : (parseShellLine(line)?.pipelines.flat() ?? []);
  const isCertain = commands.every(
    ({ words, redirections }) => redirections.length === 0 && words.every(({ wildcards }) => wildcards.length === 0),
  );
  return isCertain ? commands.map(({ words }) => words.map(({ text }) => text)) : [];
}

/**
 * The words of a `git commit` without its messages. Undefined if it is something else, or says more than a message.
 * Only listed options count: with `--no-verify`, `--amend` or `-F ~/.ssh/id_rsa` it is another command than the one
 * that was allowed.
 */
function commitOf(commands: readonly (readonly string[])[]): readonly string[] | undefined {
  const [argv = [], ...others] = commands;
  const [program, subcommand, ...rest] = argv;
  if (others.length > 0 || program !== 'git' || subcommand !== 'commit') return undefined;
  const kept: string[] = [];
  let hasMessage = false;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (MESSAGE_FOLLOWS.test(word) && at + 1 < rest.length) {
      kept.push(word);
      hasMessage = true;
      at += 1;
    } else if (word.startsWith('--message=')) {
      kept.push('--message');
      hasMessage = true;
    } else if (PLAIN_COMMIT_OPTION.test(word)) kept.push(word);
    else return undefined;
  }
  return hasMessage ? kept : undefined;
}
