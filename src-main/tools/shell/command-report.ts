import type { Mark } from '../../../src-preload/contract/events.ts';
import type { TerminalCard } from '../../../src-preload/contract/tool-card.ts';
import { firstCharacters } from '../../base/text.ts';
import { bringsOutsideText } from '../../policy/commands/outside-text.ts';
import type { ProcessOutcome } from '../../processes/process-runner.ts';
import { exitCodeOf } from '../../processes/shell-line.ts';
import type { ToolContext } from '../contract.ts';
import type { RunIn, RunResult } from './allowed-run.ts';
import type { BackgroundShell } from './background-shells.ts';
import { shownPrograms } from './shown-commands.ts';

const SHOWN_IN_MARK = 60;
const MAX_CARD_LINE_LENGTH = 2_000;

/**
 * Reports what a finished command shows on its card and returns its text: first `printed`, then what the tool added. One
 * that ran `inside` a sandbox has fetched nothing.
 */
export function reportRun(
  context: Pick<ToolContext, 'mark' | 'exited' | 'card'>,
  line: string,
  outcome: Pick<ProcessOutcome, 'ending' | 'exitCode' | 'exitSignal' | 'leftRunning'>,
  {
    text,
    printed,
    inside,
    refused,
    putAside,
    connections,
  }: Pick<RunResult, 'refused' | 'putAside' | 'connections'> & {
    readonly text: string;
    readonly printed: string;
    readonly inside: RunIn;
  },
): void {
  if (inside === undefined) markFetched(context, line);
  const told = {
    ...(refused.length === 0 ? {} : { refused }),
    ...(putAside === undefined ? {} : { putAside }),
    ...(connections === undefined ? {} : { connections }),
  };
  const bounds = inside === undefined ? {} : { bounds: inside, ...told };
  showTerminal(context, line, { ...endingOf(outcome), ...leftBy(outcome), ...bounds, ...addedTo(printed, text) });
}

/** How many characters of the text are the tool's own, if any. */
export function addedTo(printed: string, text: string): Pick<TerminalCard, 'addedByTool'> {
  return text.length === printed.length ? {} : { addedByTool: text.length - printed.length };
}

/**
 * The gate knows that command output is private; output of a fetching command is text from outside as well. That also
 * applies without any output: the next command may show what was stored in files.
 */
export function markFetched({ mark }: Pick<ToolContext, 'mark'>, line: string): void {
  if (bringsOutsideText(line)) mark(fetchedMark(line));
}

/** The mark of what a command brings in from outside. */
export function fetchedMark(line: string): Mark {
  return { kind: 'untrusted', source: `what ${firstCharacters(line, SHOWN_IN_MARK)} fetched` };
}

/** The exit code is a field of the result first, and of its card second. */
export function showTerminal(
  { exited, card }: Pick<ToolContext, 'exited' | 'card'>,
  line: string,
  rest: Omit<TerminalCard, 'kind' | 'line'>,
): void {
  if (rest.exitCode !== undefined) exited(rest.exitCode);
  card({ kind: 'terminal', line: firstCharacters(line, MAX_CARD_LINE_LENGTH), ...rest });
}

function leftBy({ leftRunning }: Pick<ProcessOutcome, 'leftRunning'>): Pick<TerminalCard, 'leftRunning'> {
  return leftRunning === undefined ? {} : { leftRunning: shownPrograms(leftRunning) };
}

/** A background shell counts as left running from its start. */
export function shellAsLeft(shell: BackgroundShell | undefined): Pick<TerminalCard, 'leftRunning'> {
  if (shell === undefined) return {};
  const { processId: id, pid, line } = shell;
  return { leftRunning: shownPrograms({ id, inBackground: true, programs: [{ pid, command: line }] }) };
}

/** How the command ended. The outcome is undefined while it still runs in the background. */
export function endingOf(
  outcome: Pick<ProcessOutcome, 'ending' | 'exitCode' | 'exitSignal'> | undefined,
): Pick<TerminalCard, 'ending' | 'exitCode'> {
  switch (outcome?.ending) {
    case undefined:
      return { ending: 'background' };
    case 'exited':
      return { ending: 'exited', exitCode: exitCodeOf(outcome.exitCode, outcome.exitSignal) };
    case 'timed-out':
    case 'over-memory':
    case 'over-processes':
    case 'over-temporary-files':
    case 'over-time':
      return { ending: outcome.ending };
    default:
      return { ending: 'stopped' };
  }
}
