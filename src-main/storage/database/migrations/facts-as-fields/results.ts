import { isRecord } from '../../../../base/json.ts';

type Row = Readonly<Record<string, unknown>>;

/** A result that states only in its text how the call ended. */
export type OldResult = Row & {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
  readonly card?: Row;
};

export type CallOutcome = 'completed' | 'failed' | 'declined' | 'stopped' | 'interrupted';

export function isOldResult(row: Row): row is OldResult {
  const { id, text, isError, card } = row;
  if ('outcome' in row || (card !== undefined && !isRecord(card))) return false;
  return typeof id === 'string' && typeof text === 'string' && typeof isError === 'boolean';
}

/** `denial` is the outcome that the decision on this call tells. */
export function resultFacts(result: OldResult, denial: CallOutcome | undefined): Row {
  const exitCode = exitCodeOf(result);
  return {
    outcome: denial ?? outcomeOf(result),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(result.card === undefined ? {} : { card: cardOf(result.card, result) }),
  };
}

const NEVER_A_CALL: ReadonlySet<string> = new Set([
  'unknown_tool',
  'tool_unavailable',
  'tool_disabled',
  'invalid_json',
  'invalid_input',
  'impossible',
]);

/** `by` says who denied it, and `code` is the code of the reason. */
export function outcomeOfDenial(by: unknown, code: string): CallOutcome {
  if (by === 'default' && code === 'stopped') return 'stopped';
  return by === 'default' && NEVER_A_CALL.has(code) ? 'failed' : 'declined';
}

/** The process died, or a tool did not react to Stop in time; in the second case the running time is known. */
const INTERRUPTED = 'Error: The call was interrupted before it returned; it may have run in part.';
const NEVER_RAN = 'Error: The call was interrupted before it began; nothing ran.';
/** A text with the tool's own prefix; if it continues, or contains more, someone else wrote it. */
const STOPPED =
  /^Error(?: [^:\n]*)?: (?:[Ss]topped by the user|Process was stopped by the user|The output cannot be written any more|(?:The|This) operation was aborted|Interrupted)$/;
const STOPPED_LINE = '[stopped by the user]';
/** For a further access (a redirect), which has no separate decision. */
const DECLINED = [
  /^Error: The user declined to run [^\n]+?\.(?: The user says: [\s\S]*)?$/,
  /^Error: What [^\n]+ would touch kept changing while the user was being asked\. Nothing was run\.$/,
  /^Error: Reaching your own machine or network is switched off \(tools\.allowPrivateNetwork in config\.json is "never"\)\.$/,
];

/** For a call that was allowed, or never decided. */
function outcomeOf({ text, isError, elapsedMs, card }: OldResult): CallOutcome {
  if (!isError) return 'completed';
  if (text === NEVER_RAN || (text === INTERRUPTED && elapsedMs === undefined)) return 'interrupted';
  const wasEnded = card?.kind === 'terminal' && card.ending === 'stopped';
  if (wasEnded || text === INTERRUPTED || text === STOPPED_LINE || STOPPED.test(text)) return 'stopped';
  return DECLINED.some((pattern) => pattern.test(text)) ? 'declined' : 'failed';
}

function exitCodeOf({ text, isError, card }: OldResult): unknown {
  if (card?.kind !== 'terminal') return undefined;
  if (card.exitCode !== undefined || card.ending !== 'stopped' || isError) return card.exitCode;
  // A shell that was killed in the background.
  const code = /^\[exit code (\d+)\]$/.exec(lastLine(text))?.[1];
  return code === undefined ? undefined : Number(code);
}

function cardOf(card: Row, { text, isError }: OldResult): Row {
  if (card.kind === 'jobs' && Array.isArray(card.jobs)) return { ...card, jobs: card.jobs.map(withoutSalaryNote) };
  if (card.kind !== 'terminal') return card;
  const addedByTool = text.length - printedLength(text, isError, card);
  return addedByTool === 0 ? card : { ...card, addedByTool };
}

function withoutSalaryNote(job: unknown): unknown {
  return isRecord(job) && job.salary === 'Not listed' ? { ...job, salary: '' } : job;
}

/** How much of a result's text, from its start, was printed. */
function printedLength(text: string, isError: boolean, card: Row): number {
  const { exitCode, shellId } = card;
  const nothingPrinted = [
    'Command completed successfully (no output)',
    `Command failed (exit code ${exitCode})`,
    'Error: Process timed out',
    'Error: Process was stopped by the user',
    `Started background shell: ${shellId}`,
    `Killed shell: ${shellId}`,
  ];
  if (nothingPrinted.includes(text)) return 0;
  const line = lastLine(text);
  if (!isStatus(line, isError, card)) return text.length;
  const printed = Math.max(0, text.length - line.length - 1);
  return shellId !== undefined && text.slice(0, printed) === '(no output yet)' ? 0 : printed;
}

/**
 * Whether a line was added by the tool. A command can print it too; if it succeeded, only background shells report the
 * code.
 */
function isStatus(line: string, isError: boolean, { ending, exitCode, shellId }: Row): boolean {
  switch (ending) {
    case 'exited':
      return (exitCode !== 0 || shellId !== undefined) && line === `[exit code ${exitCode}]`;
    case 'timed-out':
      return /^\[timed out after [\d.]+s\]$/.test(line);
    case 'stopped':
      return isError ? line === STOPPED_LINE : /^\[exit code \d+\]$/.test(line);
    case 'background':
      return line === '[running]';
    default:
      return false;
  }
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
