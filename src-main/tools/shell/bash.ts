import { z } from 'zod';
import { defineTool, ToolFailure } from '../contract.ts';
import { firstCharacters } from '../result-cap.ts';
import { outputWithNotices } from './dropped-output.ts';
import { exitCodeOf } from './exit-code.ts';
import { shellCommand } from './shell-line.ts';
import { startFailure } from './start-failure.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const LONGEST_TIMEOUT_MS = 600_000;
const PREFIX = 'Error executing command: ';

/** Runs one line in the system's shell. Source: tool catalogue B.2. */
export const bash = defineTool({
  name: 'bash',
  access: 'execute',
  errorPrefix: PREFIX,
  description:
    'Run a shell command line in the workspace and return its output (stdout, then stderr). Ends with [exit code n] if the command failed.',
  input: z.object({
    command: z.string().describe('One shell command line'),
    description: z
      .string()
      .default('')
      .describe('What the command does and why, for the person who is asked to allow it'),
    timeout: z.number().max(LONGEST_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS).describe('Milliseconds, at most 600000'),
    run_in_background: z.boolean().default(false).describe('Return at once with a shell id; the command goes on'),
  }),
  async effects({ command }, { files }) {
    const directory = await files.workspaceDirectory();
    return {
      access: [{ class: 'execute', command: { kind: 'shell', line: command }, directory }],
      previews: [{ kind: 'command', line: command, directory }],
    };
  },
  async execute({ command, timeout, run_in_background }, { files, processes, shells, signal, mark, onOutput }) {
    const directory = await files.workspaceDirectory();
    if (run_in_background) {
      if (shells === undefined)
        throw new ToolFailure(`${PREFIX}nothing can run in the background here. Run it without run_in_background.`);
      return `Started background shell: ${await shells.start(command, directory)}`;
    }
    const timeoutMs = timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS;
    const shell = shellCommand(command);
    const outcome = await processes
      .run({ ...shell, directory, timeoutMs, signal, onOutput })
      .catch((error: unknown) => {
        throw startFailure(error, shell.command, directory);
      });
    const { stdout, stderr } = outputWithNotices(outcome);
    const output = (stdout + stderr).trimEnd();
    if (output !== '') mark({ kind: 'private', source: `output of ${firstCharacters(command, 60)}` });
    const exitCode = exitCodeOf(outcome.exitCode, outcome.exitSignal);
    if (outcome.ending === 'timed-out') return withLastLine(output, `[timed out after ${timeoutMs / 1000}s]`);
    if (outcome.ending === 'aborted') throw new ToolFailure(withLastLine(output, '[stopped by the user]'));
    return exitCode === 0 ? output : withLastLine(output, `[exit code ${exitCode}]`);
  },
});

function withLastLine(output: string, line: string): string {
  return output === '' ? line : `${output}\n${line}`;
}
