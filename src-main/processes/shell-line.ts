import { constants } from 'node:os';

/** How a line is passed to the system's shell: as one argument. Source: tool catalogue B.2, bash and execute_command. */
export function shellCommand(
  line: string,
  shell: 'bash' | 'sh' = 'bash',
  environment: NodeJS.ProcessEnv = process.env,
): { command: string; args: readonly string[]; windowsVerbatimArguments?: boolean } {
  if (process.platform !== 'win32') return { command: shell, args: ['-c', line] };
  return {
    command: environment.ComSpec ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** As shells report it: 128 + the signal's number if a signal ended the process. */
export function exitCodeOf(exitCode: number | null, exitSignal: NodeJS.Signals | null): number {
  if (exitCode !== null) return exitCode;
  return exitSignal === null ? 1 : 128 + constants.signals[exitSignal];
}
