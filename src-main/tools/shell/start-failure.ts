import { existsSync } from 'node:fs';

/** Why a program could not be started, in words for people; anything unknown as it is. */
export function startFailure(error: unknown, program: string, directory: string): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
      // The same is said of a folder to start in that is gone.
      if (!existsSync(directory)) return new Error(`the folder to run it in, ${directory}, does not exist any more`);
      return new Error(`${program} was not found. Give the name of a program in PATH or its path`);
    case 'EACCES':
      // Of a bare name this is also said when a folder in PATH may not be searched.
      return new Error(
        program.includes('/')
          ? `${program} may not be executed (permission denied)`
          : `${program} was not found, or may not be executed`,
      );
    case 'E2BIG':
      return new Error(
        'the command is longer than this system takes. Put the text into a file and let the program read it',
      );
    default:
      return error;
  }
}
