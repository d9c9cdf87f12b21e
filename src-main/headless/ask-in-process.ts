import type { AskIo } from './ask.ts';
import { EXIT } from './exit-codes.ts';
import { readArguments } from './read-arguments.ts';

/**
 * Runs `ask` with everything else that this process has: its environment, folder and streams. Resolves with the exit
 * code.
 */
export async function askInProcess(given: Pick<AskIo, 'command' | 'argv' | 'bundled'>): Promise<number> {
  const { stdout, stderr } = process;
  const args = await readArguments({ ...given, stdout, stderr });
  if (typeof args === 'number') return args;
  const { env, stdin } = process;
  const io = { ...given, env, directory: currentDirectory(), stdin, stdout, stderr };
  try {
    const { ask } = await import('./ask.ts');
    return await ask(io, args);
  } catch (error) {
    if (!lacksSqlite(error)) throw error;
    stderr.write(`${error.message}\n`);
    return EXIT.misconfigured;
  }
}

/** The class of the error can't be asked, because the file that has it is the one that could not be loaded. */
function lacksSqlite(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'NO_SQLITE';
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    // ENOENT: the reason is said where the arguments are read, in the form that was asked for.
    return undefined;
  }
}
