import { accessSync, constants, existsSync } from 'node:fs';
import { systemCode } from '../base/errors.ts';

/** The reason why a program could not be started, for people. Unknown errors are passed through. */
export function startFailure(error: unknown, program: string, directory: string): unknown {
  switch (systemCode(error)) {
    case 'ENOENT':
      // A working folder that no longer exists has the same error.
      if (!existsSync(directory)) return new Error(`the folder to run it in, ${directory}, does not exist any more`);
      return new Error(`${program} was not found. Give the name of a program in PATH or its path`);
    case 'EACCES':
      // A working folder without permission has the same error.
      if (!mayBeEntered(directory)) return new Error(`the folder ${directory} may not be entered (permission denied)`);
      // For a bare name, the error is the same when a folder in PATH can't be searched.
      return new Error(
        program.includes('/')
          ? `${program} may not be executed (permission denied)`
          : `${program} was not found, or may not be executed`,
      );
    case 'E2BIG':
      return new Error(
        'the command is longer than this system takes. Put the text into a file and let the program read it',
      );
    case 'ERR_INVALID_ARG_VALUE':
      return new Error('a command cannot hold a NUL character. Give it without');
    default:
      return error;
  }
}

function mayBeEntered(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
