import { z } from 'zod';
import { systemCode } from '../../base/errors.ts';
import { grouped } from '../../base/text.ts';
import { commandLine } from '../../policy/commands/command-line.ts';
import { splitCommandWords } from '../../policy/shell-words.ts';
import { batchFileCommand, isBatchFile } from '../../processes/batch-file.ts';
import { findExecutable } from '../../processes/find-executable.ts';
import type { ProcessOutcome } from '../../processes/process-runner.ts';
import { startFailure } from '../../processes/start-failure.ts';
import { COMMAND_LENGTH } from '../argument-limits.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import type { RunIn } from './allowed-run.ts';
import { requireSameFolder, timeToRun } from './command-folder.ts';
import { reportRun } from './command-report.ts';
import { assessCommand, boundsOf, runAllowed, runsIn, sandboxParameters } from './sandboxed.ts';
import { outputWithNotices, passedLimit, withLastLine, withoutLastLineEnd } from './shell-result.ts';
import { SANDBOX_LIMITS_TEXT, UNASKED_LIMITS_TEXT } from './unasked-limits.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;
/** The catalogue gives no limit; a day is longer than any real use. */
const MAX_TIMEOUT_SECONDS = 86_400;
/** Linux accepts 2 MiB of arguments and environment in total, other systems less. */
const MAX_COMMAND_LENGTH = 2_000_000;
/** The system is short of processes, memory or handles. */
const SHORTAGES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** Runs a program without a shell. Source: tool catalogue B.2. */
export const runCommand = defineTool({
  name: 'run_command',
  access: 'execute',
  undo: 'checkpoint',
  errorPrefix: 'Error running command: ',
  description:
    'Run one program in the workspace without a shell and return its output, not its exit code. Variables, wildcards, pipes and redirections are passed to it literally; to use them, use bash.',
  longest: { arguments: COMMAND_LENGTH },
  input: z.object({
    command: z.string().describe('The executable'),
    arguments: z.string().default('').describe('Split into words; double or single quotes group'),
    timeout_seconds: z.number().max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS).describe('Seconds'),
    ...sandboxParameters,
  }),
  sandboxParameters: ['sandbox', 'reason'],
  aliases: { timeout: 'timeout_seconds' },
  strictParameters: ['arguments', 'sandbox'],
  reasonParameters: ['reason'],
  words: {
    title: 'Run command',
    done: 'Ran',
    nothing: 'the command ended without printing anything.',
    icon: 'terminal',
    about: ['command', 'arguments'],
    isCommand: true,
  },
  manual: {
    example: { command: 'git', arguments: 'log --oneline -n 5' },
    limits: [
      'Ends after 120 seconds unless timeout_seconds says otherwise.',
      'Keeps 10 MB of each output stream.',
      UNASKED_LIMITS_TEXT,
      SANDBOX_LIMITS_TEXT,
      'Variables that look like secrets are not passed on, unless the user passes them to this call.',
    ],
  },
  async assess(input, context) {
    const folder = await context.files.workspaceDirectory();
    const argv = await argvOf(input, folder.real);
    const timeoutMs = (input.timeout_seconds > 0 ? input.timeout_seconds : DEFAULT_TIMEOUT_SECONDS) * 1000;
    const asked = { kind: 'argv', argv } as const;
    const bounds = await boundsOf(input, context);
    const { effects, way } = await assessCommand(asked, folder, bounds, context);
    return { ...effects, plan: { argv, folder, timeoutMs, way } };
  },
  async execute({ argv, folder, timeoutMs: givenMs, way }, context) {
    await requireSameFolder(folder);
    const directory = folder.real;
    const [program = '', ...args] = argv;
    const inside = runsIn(way, context);
    const timeoutMs = timeToRun(givenMs, DEFAULT_TIMEOUT_SECONDS * 1000, context);
    const line = commandLine({ kind: 'argv', argv });
    const { outcome, note, aside, ...told } = await runAllowed(
      {
        written: await startable(program, args, directory),
        way,
        folder,
        line,
        timeoutMs,
        failure: (error) =>
          SHORTAGES.has(systemCode(error))
            ? new ToolFailure('Error: Failed to start process')
            : startFailure(error, program, directory),
      },
      context,
    );
    const failure = failureOf(outcome, inside);
    const output = printedBy(outcome);
    const text = [aside, failure === undefined ? note : undefined].reduce(withLastLine, failure?.message ?? output);
    const printed = failure === undefined ? output : '';
    reportRun(context, line, outcome, { text, printed, inside, ...told });
    if (failure !== undefined) throw failure;
    return text;
  },
});

/** The output of the command is not reported in this case. */
function failureOf({ ending }: ProcessOutcome, inside: RunIn): ToolFailure | undefined {
  if (ending === 'timed-out') return new ToolFailure('Error: Process timed out');
  const passed = passedLimit(ending, { inside });
  if (passed !== undefined) return new ToolFailure(`Error: Process ${passed}`);
  if (ending !== 'aborted') return undefined;
  return new ToolFailure('Error: Process was stopped by the user', { outcome: 'stopped' });
}

function printedBy(outcome: ProcessOutcome): string {
  const { stdout, stderr } = outputWithNotices(outcome);
  return [stdout, stderr]
    .map(withoutLastLineEnd)
    .filter((text) => text !== '')
    .join('\n');
}

async function argvOf(input: { command: string; arguments: string }, directory: string): Promise<readonly string[]> {
  const { command } = input;
  const length = command.length + input.arguments.length;
  if (length > MAX_COMMAND_LENGTH) {
    throw new Error(
      `the command has ${grouped(length)} characters, more than any system accepts (${grouped(MAX_COMMAND_LENGTH)})`,
    );
  }
  if (input.arguments.trim() !== '') return [command, ...splitCommandWords(input.arguments)];
  if (!/\s/.test(command) || (await findExecutable(command, directory)) !== undefined) return [command];
  const words = splitCommandWords(command);
  if (words.length === 0) throw new ToolFailure('Error running command: command is required');
  return words;
}

async function startable(
  program: string,
  args: readonly string[],
  directory: string,
): Promise<{ command: string; args: readonly string[]; windowsVerbatimArguments?: boolean }> {
  if (process.platform !== 'win32') return { command: program, args };
  const path = await findExecutable(program, directory);
  return path !== undefined && isBatchFile(path) ? batchFileCommand(path, args) : { command: path ?? program, args };
}
