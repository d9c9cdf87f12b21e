import type { Writable } from 'node:stream';
import { version } from '../../package.json';
import { errorMessage } from '../base/errors.ts';
import { type AskArguments, parseAskArguments, UsageError, usage } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { JsonOutput, TextOutput } from './output.ts';

export { SOURCES_COMMAND } from './arguments.ts';

/** What the arguments are read from, and where help and a usage error go. */
export interface ArgumentsIo {
  /** What is typed before the arguments. */
  readonly command: string;
  readonly argv: readonly string[];
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/**
 * The arguments, or the exit code if they are answered already: by the help, the version, or what is wrong with them.
 * None of these needs the assistant, so nothing else is loaded for them.
 */
export async function readArguments(io: ArgumentsIo): Promise<AskArguments | number> {
  try {
    const asked = parseAskArguments(io.argv);
    if (typeof asked !== 'string') return asked;
    await written(io.stdout, `${asked === 'help' ? usage(io.command) : version}\n`);
    return EXIT.ended;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    sayUsageError(error, io);
    await written(io.stdout, '');
    return EXIT.misconfigured;
  }
}

/** The error, and for a reader the help too. */
export function sayUsageError(error: UsageError, io: ArgumentsIo): void {
  const json = io.argv.includes('--json');
  const output = json ? new JsonOutput(io.stdout) : new TextOutput({ ...io, printResults: false });
  output.error('usage', errorMessage(error));
  output.done('error');
  if (!json) io.stderr.write(`\n${usage(io.command)}\n`);
}

/** A reader may have gone away, as `head` does; then there is nobody to tell. */
function written(stdout: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stdout.once('error', () => resolve());
    stdout.write(text, () => resolve());
  });
}
