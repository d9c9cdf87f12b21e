import { z } from 'zod';
import { splitCommandWords } from '../../policy/shell-words.ts';
import { defineTool, ToolFailure } from '../contract.ts';
import { firstCharacters, grouped } from '../result-cap.ts';
import { batchFileCommand, isBatchFile } from './batch-file.ts';
import { outputWithNotices } from './dropped-output.ts';
import { findExecutable } from './find-executable.ts';
import { startFailure } from './start-failure.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;
/** The catalogue names no limit; a day is beyond any use. */
const LONGEST_TIMEOUT_SECONDS = 86_400;
/** Linux takes 2 MiB of arguments and environment together, others less. */
const LONGEST_COMMAND = 2_000_000;
/** The system is short of processes, memory or handles. */
const SHORTAGES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** Runs a program without a shell. Source: tool catalogue B.2. */
export const runCommand = defineTool({
  name: 'run_command',
  access: 'execute',
  errorPrefix: 'Error running command: ',
  description:
    'Run a program in the workspace without a shell and return its output. Variables, wildcards, pipes and redirections are passed to it as they are written.',
  input: z.object({
    command: z.string().describe('The executable'),
    arguments: z.string().default('').describe('Split into words; double or single quotes group'),
    timeout_seconds: z.number().max(LONGEST_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS).describe('Seconds'),
  }),
  aliases: { timeout: 'timeout_seconds' },
  async effects(input, { files }) {
    const directory = await files.workspaceDirectory();
    const argv = await argvOf(input, directory);
    const line = input.arguments === '' ? input.command : `${input.command} ${input.arguments}`;
    return {
      access: [{ class: 'execute', command: { kind: 'argv', argv }, directory }],
      previews: [{ kind: 'command', line, directory }],
    };
  },
  async execute(input, { files, processes, signal, mark, onOutput }) {
    const directory = await files.workspaceDirectory();
    const [program = '', ...args] = await argvOf(input, directory);
    const timeoutSeconds = input.timeout_seconds > 0 ? input.timeout_seconds : DEFAULT_TIMEOUT_SECONDS;
    const started = await startable(program, args, directory);
    const outcome = await processes
      .run({ ...started, directory, timeoutMs: timeoutSeconds * 1000, signal, onOutput })
      .catch((error: unknown) => {
        const isShortage = error instanceof Error && 'code' in error && SHORTAGES.has(String(error.code));
        throw isShortage ? new ToolFailure('Error: Failed to start process') : startFailure(error, program, directory);
      });
    if (outcome.ending === 'timed-out') throw new ToolFailure('Error: Process timed out');
    if (outcome.ending === 'aborted') throw new ToolFailure('Error: Process was stopped by the user');
    const { stdout, stderr } = outputWithNotices(outcome);
    const output = [stdout, stderr]
      .map(withoutLastLineEnd)
      .filter((text) => text !== '')
      .join('\n');
    if (output !== '') mark({ kind: 'private', source: `output of ${firstCharacters(input.command, 60)}` });
    return output;
  },
});

async function argvOf(input: { command: string; arguments: string }, directory: string): Promise<readonly string[]> {
  const { command } = input;
  const length = command.length + input.arguments.length;
  if (length > LONGEST_COMMAND) {
    throw new Error(
      `the command has ${grouped(length)} characters, more than any system takes (${grouped(LONGEST_COMMAND)})`,
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

/** So that the line end which nearly every program writes last does not become an empty line. */
function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
