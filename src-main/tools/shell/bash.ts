import { z } from 'zod';
import { exitCodeOf, shellCommand } from '../../processes/shell-line.ts';
import { startFailure } from '../../processes/start-failure.ts';
import { COMMAND_LENGTH } from '../argument-limits.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { marksKept } from '../memory/memory-write.ts';
import { lineToRun, requireSameFolder, timeToRun } from './command-folder.ts';
import { addedTo, markFetched, reportRun, shellAsLeft, showTerminal } from './command-report.ts';
import { placedLine } from './leading-cd.ts';
import { assessCommand, boundsOf, runAllowed, runsIn, sandboxParameters } from './sandboxed.ts';
import { bashDescription } from './shell-names.ts';
import { endingLine, outputWithNotices, withLastLine } from './shell-result.ts';
import { SANDBOX_LIMITS_TEXT, UNASKED_LIMITS_TEXT } from './unasked-limits.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;

/** Runs one line in the system's shell. Source: tool catalogue B.2. */
export const bash = defineTool({
  name: 'bash',
  access: 'execute',
  undo: 'checkpoint',
  errorPrefix: 'Error executing command: ',
  description: bashDescription(process.platform),
  longest: { command: COMMAND_LENGTH },
  input: z.object({
    command: z.string().describe('One shell command line'),
    description: z
      .string()
      .default('')
      .describe('What the command does and why, for the person who is asked to allow it'),
    timeout: z.number().max(MAX_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS).describe('Milliseconds'),
    run_in_background: z
      .boolean()
      .default(false)
      .describe('Return immediately with a shell id for bash_output and kill_shell; the command keeps running'),
    ...sandboxParameters,
  }),
  sandboxParameters: ['sandbox', 'reason'],
  strictParameters: ['sandbox'],
  words: {
    title: 'Bash',
    done: 'Ran',
    nothing: 'the command ended without printing anything.',
    icon: 'terminal',
    about: ['command'],
    isCommand: true,
  },
  reasonParameters: ['reason', 'description'],
  manual: {
    example: { command: 'git status --short', description: 'See what has changed' },
    limits: [
      'Ends after 30 seconds unless timeout says otherwise, at most 600 seconds; in the background when Steward (or the `ask` run) does.',
      'Keeps 10 MB of each output stream.',
      UNASKED_LIMITS_TEXT,
      SANDBOX_LIMITS_TEXT,
      'Variables that look like secrets are not passed on, unless the user passes them to this call.',
    ],
  },
  async assess({ command, timeout, run_in_background: inBackground, sandbox, reason }, context) {
    const bounds = await boundsOf({ sandbox, reason, inBackground }, context);
    const { line, folder } = await placedLine(command, await context.files.workspaceDirectory(), context.files);
    const timeoutMs = timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS;
    const asked = { kind: 'shell', line } as const;
    const { effects, way } = await assessCommand(asked, folder, { ...bounds, inBackground }, context);
    return { ...effects, plan: { command, line, folder, timeoutMs, inBackground, way } };
  },
  async execute({ command, line, folder, timeoutMs: givenMs, inBackground, way }, context) {
    await requireSameFolder(folder);
    const directory = folder.real;
    const run = lineToRun(line, context);
    if (inBackground) return startInBackground(line, run, directory, context);
    const inside = runsIn(way, context);
    const timeoutMs = timeToRun(givenMs, DEFAULT_TIMEOUT_MS, context);
    const { outcome, note, aside, ...told } = await runAllowed(
      {
        written: shellCommand(run),
        way,
        folder,
        shell: 'bash',
        line: command,
        timeoutMs,
        failure: (error, program) => startFailure(error, program, directory),
      },
      context,
    );
    const { stdout, stderr } = outputWithNotices(outcome);
    const printed = (stdout + stderr).trimEnd();
    const exitCode = exitCodeOf(outcome.exitCode, outcome.exitSignal);
    const cutShort = endingLine(outcome, { timeoutMs, inside });
    const isFailed = exitCode !== 0 && cutShort === undefined;
    const ending = isFailed ? `[exit code ${exitCode}]` : cutShort;
    const text = [aside, note, ending].reduce(withLastLine, printed);
    reportRun(context, command, outcome, { text, printed, inside, ...told });
    if (outcome.ending === 'aborted') throw new ToolFailure(text, { outcome: 'stopped' });
    return text;
  },
});

async function startInBackground(
  command: string,
  run: string,
  directory: string,
  context: ToolContext,
): Promise<string> {
  const { shells, signal, commandEnvironment, marks } = context;
  if (signal.aborted) throw new ToolFailure('[stopped by the user]', { outcome: 'stopped' });
  const id = await shells
    .start({ line: run, directory, marks: marksKept(marks) }, commandEnvironment)
    .catch((error: unknown) => {
      throw startFailure(error, shellCommand(command).command, directory);
    });
  markFetched(context, command);
  const text = `Started background shell: ${id}`;
  const left = shellAsLeft(shells.get(id));
  showTerminal(context, command, { ending: 'background', shellId: id, ...left, ...addedTo('', text) });
  return text;
}
