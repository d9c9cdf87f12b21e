import { constants } from 'node:os';
import { commandInterpreter, lineInUtf8 } from './windows-shell.ts';

/**
 * The command that passes a line to the system's shell as one argument. Source: tool catalogue B.2, bash and
 * execute_command.
 */
export function shellCommand(
  line: string,
  shell: 'bash' | 'sh' = 'bash',
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): { command: string; args: readonly string[]; windowsVerbatimArguments?: boolean } {
  if (platform !== 'win32') return { command: shell, args: ['-c', line] };
  return {
    command: commandInterpreter(environment),
    args: ['/d', '/s', '/c', `"${lineInUtf8(line, environment)}"`],
    windowsVerbatimArguments: true,
  };
}

/** The exit code as shells report it: 128 + the signal's number if a signal ended the process. */
export function exitCodeOf(exitCode: number | null, exitSignal: NodeJS.Signals | null): number {
  if (exitCode !== null) return exitCode;
  return exitSignal === null ? 1 : 128 + constants.signals[exitSignal];
}
