import { z } from 'zod';
import type { ProcessOutcome } from '../../processes/process-runner.ts';
import { exitCodeOf, shellCommand } from '../../processes/shell-line.ts';
import { startFailure } from '../../processes/start-failure.ts';
import { COMMAND_LENGTH } from '../argument-limits.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import type { RunIn, RunResult } from './allowed-run.ts';
import { lineToRun, requireSameFolder, timeToRun } from './command-folder.ts';
import { reportRun } from './command-report.ts';
import { placedLine } from './leading-cd.ts';
import { assessCommand, boundsOf, runAllowed, runsIn, sandboxParameters } from './sandboxed.ts';
import { shellName } from './shell-names.ts';
import { endingLine, outputWithNotices, withLastLine, withoutLastLineEnd } from './shell-result.ts';
import { SANDBOX_LIMITS_TEXT, UNASKED_LIMITS_TEXT } from './unasked-limits.ts';

const SHELL = shellName(process.platform);
const DEFAULT_TIMEOUT_SECONDS = 30;
/** The catalogue gives no limit; a day is longer than any real use. */
const MAX_TIMEOUT_SECONDS = 86_400;

/** Runs one line in `sh`, in any folder inside the roots. Source: tool catalogue B.2. */
export const executeCommand = defineTool({
  name: 'execute_command',
  access: 'execute',
  undo: 'checkpoint',
  errorPrefix: 'Error executing command: ',
  description: `Run a shell command line (${SHELL}) in a folder of your choice. Returns stdout, and stderr only if the command failed. In the workspace itself, bash reports more.`,
  longest: { command: COMMAND_LENGTH },
  input: z.object({
    command: z.string().describe(`One shell command line (${SHELL})`),
    working_dir: z.string().default('.').describe('Folder to run it in, relative to the workspace or absolute'),
    timeout: z.number().max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS).describe('Seconds'),
    ...sandboxParameters,
  }),
  sandboxParameters: ['sandbox', 'reason'],
  strictParameters: ['working_dir', 'sandbox'],
  reasonParameters: ['reason'],
  words: { title: 'Execute command', done: 'Ran', icon: 'terminal', about: ['command'], isCommand: true },
  manual: {
    example: { command: 'wc -l *.md | tail -1', working_dir: 'docs' },
    limits: [
      'Ends after 30 seconds unless timeout says otherwise.',
      'Keeps 10 MB of each output stream.',
      UNASKED_LIMITS_TEXT,
      SANDBOX_LIMITS_TEXT,
      'Variables that look like secrets are not passed on, unless the user passes them to this call.',
    ],
  },
  async assess({ command, working_dir, timeout, sandbox, reason }, context) {
    const bounds = await boundsOf({ sandbox, reason }, context);
    const given = await context.files.resolveDirectory(working_dir);
    if (given === null) throw new Error(`the folder ${working_dir} does not exist`);
    const timeoutMs = (timeout > 0 ? timeout : DEFAULT_TIMEOUT_SECONDS) * 1000;
    const { line, folder } = await placedLine(command, given, context.files);
    const asked = { kind: 'shell', line } as const;
    const { effects, way } = await assessCommand(asked, folder, bounds, context);
    return { ...effects, plan: { command, line, folder, timeoutMs, way } };
  },
  async execute({ command, line, folder, timeoutMs: givenMs, way }, context) {
    await requireSameFolder(folder);
    const directory = folder.real;
    const inside = runsIn(way, context);
    const timeoutMs = timeToRun(givenMs, DEFAULT_TIMEOUT_SECONDS * 1000, context);
    const { outcome, note, aside, ...told } = await runAllowed(
      {
        written: shellCommand(lineToRun(line, context), 'sh'),
        way,
        folder,
        line: command,
        timeoutMs,
        failure: (error, program) => startFailure(error, program, directory),
      },
      context,
    );
    const { printed, text: shown } = resultOf(outcome, { note, inside, timeoutMs });
    const text = withLastLine(shown, aside);
    reportRun(context, command, outcome, { text, printed, inside, ...told });
    if (outcome.ending === 'aborted') throw new ToolFailure(text, { outcome: 'stopped' });
    return text;
  },
});

/** The part of the text that the command printed, and the whole text. */
function resultOf(
  outcome: ProcessOutcome,
  ran: Pick<RunResult, 'note'> & {
    readonly inside: RunIn;
    readonly timeoutMs: number;
  },
): { readonly printed: string; readonly text: string } {
  const { stdout, stderr } = outputWithNotices(outcome);
  const cutShort = endingLine(outcome, ran);
  if (cutShort !== undefined) {
    const printed = (stdout + stderr).trimEnd();
    return { printed, text: withLastLine(printed, cutShort) };
  }
  const exitCode = exitCodeOf(outcome.exitCode, outcome.exitSignal);
  const [said = '', complained = ''] = [stdout, stderr].map(withoutLastLineEnd);
  const printed = exitCode === 0 ? said : [said, complained].filter((text) => text !== '').join('\n');
  const instead =
    exitCode === 0 ? 'Command completed successfully (no output)' : `Command failed (exit code ${exitCode})`;
  return { printed, text: withLastLine(printed || instead, ran.note) };
}
