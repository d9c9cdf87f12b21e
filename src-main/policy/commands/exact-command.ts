import type { NoRuleReason } from '../../../src-preload/contract/no-rule-reason.ts';
import { isJudgedWhole } from './command-effects.ts';
import type { GivenCommand } from './command-line.ts';
import { commandOf } from './command-words.ts';
import { whyNoRule } from './no-rule.ts';
import { bareWindowsWords, type Pipeline, parseShellLine, type ShellLine, type SimpleCommand } from './shell-line.ts';

/** Nobody reads a longer line on a card or in a list of rules. */
const MAX_LINE_LENGTH = 1_000;

/** What a rule stores for a command: a line whose words are certain, in canonical form. */
export type CommandForm =
  | { readonly kind: 'exact'; readonly line: string }
  /** With `shell_line`, it is uncertain how a shell reads the line. */
  | { readonly kind: 'none'; readonly why: NoRuleReason | 'shell_line' };

const BEYOND_WORDS: CommandForm = { kind: 'none', why: 'shell_line' };

/**
 * The same words have the same form with and without a shell; shell built-ins have none. A line that a shell may read
 * otherwise has none either: `npm test $X`, `npm test; rm -rf x`, or a line end that hides the second command.
 */
export function formOfCommand(command: GivenCommand, platform: NodeJS.Platform = process.platform): CommandForm {
  if (command.kind === 'argv') return form(commandOf(command.argv), [command.argv]);
  if (platform === 'win32') {
    const words = bareWindowsWords(command.line);
    return words === null ? BEYOND_WORDS : form(commandOf(words), [words]);
  }
  const line = parseShellLine(command.line);
  return line === null ? BEYOND_WORDS : formOfLine(line);
}

/**
 * The commands of the line unchanged, but without a final `2>&1`, `| head -N` or `| tail -N`, which only select what is
 * shown. A line with wildcards has no form: what `node *.js` runs depends on which files there are by then, and a file
 * named `-e` would be an option.
 */
function formOfLine({ pipelines }: ShellLine): CommandForm {
  const shown = pipelines.map((pipeline, index) => (index === pipelines.length - 1 ? withoutCut(pipeline) : pipeline));
  const commands = shown.flat();
  if (commands.some(({ words }) => words.some(({ wildcards }) => wildcards.length > 0))) return BEYOND_WORDS;
  const line = shown.map((pipeline) => pipeline.map(commandText).join(' | ')).join(' && ');
  return form(line, commands.map(wordsOf));
}

/**
 * What runs instead of a line that a rule allows: the rule covers the command, so what cuts its output must not end it.
 * After a final `head` or `tail`, the rest is read and thrown away; without that, the pipe would end the command half
 * way, after `head` has read enough and where `tail` has failed (`tail -n 99999999999999999999`).
 */
export function lineToItsEnd(line: string, platform: NodeJS.Platform = process.platform): string {
  const pipelines = platform === 'win32' ? undefined : parseShellLine(line)?.pipelines;
  const last = pipelines?.at(-1);
  if (pipelines === undefined || last === undefined) return line;
  const kept = withoutCut(last).length;
  if (kept === last.length) return line;
  const drained = last.map((command, at) =>
    at < kept ? commandText(command) : `{ ${commandText(command)}; cat >/dev/null; }`,
  );
  return [...pipelines.slice(0, -1).map((pipeline) => pipeline.map(commandText).join(' | ')), drained.join(' | ')].join(
    ' && ',
  );
}

function form(line: string, programs: readonly (readonly string[])[]): CommandForm {
  if (line.length > MAX_LINE_LENGTH) return { kind: 'none', why: 'unreadable' };
  for (const argv of programs) {
    const why = whyNoRule(argv);
    if (why !== null) return { kind: 'none', why };
  }
  // The effects of what a rule allows must be known as far as anything is.
  const isKnown = programs.every((argv) => isJudgedWhole({ kind: 'argv', argv }));
  return isKnown ? { kind: 'exact', line } : { kind: 'none', why: 'unreadable' };
}

function withoutCut(pipeline: Pipeline): Pipeline {
  const last = pipeline.at(-1);
  if (last === undefined) return pipeline;
  if (pipeline.length > 1 && isCut(last)) return withoutCut(pipeline.slice(0, -1));
  const redirections = last.redirections.at(-1) === '2>&1' ? last.redirections.slice(0, -1) : last.redirections;
  return [...pipeline.slice(0, -1), { ...last, redirections }];
}

/** Whether the command only cuts the output: `head`, `head -20`, `tail -n 20`, `tail -n +20`, `head --lines=20`. */
function isCut(command: SimpleCommand): boolean {
  const text = wordsOf(command).join('\n');
  return (
    /^(?:head|tail)(?:\n-\d+|\n-n\n?[+-]?\d+|\n--lines=[+-]?\d+)?$/.test(text) && command.redirections.length === 0
  );
}

function commandText(command: SimpleCommand): string {
  return [commandOf(wordsOf(command)), ...command.redirections].join(' ');
}

function wordsOf({ words }: SimpleCommand): string[] {
  return words.map(({ text }) => text);
}
