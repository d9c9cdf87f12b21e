import { type AskIo, ask } from './ask.ts';

/** With everything else that this process has: its environment, folder and streams. Resolves with the exit code. */
export function askInProcess(given: Pick<AskIo, 'command' | 'argv' | 'bundled'>): Promise<number> {
  return ask({
    ...given,
    env: process.env,
    directory: currentDirectory(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  });
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // ENOENT: the reason is said where the arguments are read, in the form that was asked for.
    return undefined;
  }
}
