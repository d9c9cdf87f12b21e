import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { realPathOf } from '../../../base/real-path.ts';

/**
 * A program whose version is often queried. One may be added if printing its version starts nothing, writes nothing and
 * contacts no one.
 */
interface VersionCommand {
  /**
   * The program's own name, after resolving all links: version managers install wrappers under that name, which may
   * install one.
   */
  readonly program: string;
  /** The program is machine code, not a script left by such a manager. */
  readonly isNative: boolean;
  readonly safeWords: readonly string[];
}

const VERSION_COMMANDS: Readonly<Record<string, VersionCommand>> = {
  node: { program: 'node', isNative: true, safeWords: ['--version'] },
  npm: {
    program: 'npm-cli.js',
    isNative: false,
    // npm then reads no settings of the folder, and writes no log. https://docs.npmjs.com/cli/v11/using-npm/config
    safeWords: [
      '--version',
      '--prefix=/',
      '--globalconfig=/dev/null',
      '--logs-max=0',
      '--no-update-notifier',
      '--offline',
    ],
  },
};

const ASKS_VERSION: ReadonlySet<string> = new Set(['--version', '-v']);

/** The words to run a program with that only prints its version. Undefined if the call may do more. */
export async function versionWords(
  name: string,
  path: string,
  words: readonly string[],
): Promise<readonly string[] | undefined> {
  const command = Object.hasOwn(VERSION_COMMANDS, name) ? VERSION_COMMANDS[name] : undefined;
  const [asked = '', ...more] = words;
  if (command === undefined || more.length > 0 || !ASKS_VERSION.has(asked)) return undefined;
  const real = (await realPathOf(path)).path;
  if (basename(real) !== command.program) return undefined;
  return command.isNative && (await isScript(real)) ? undefined : command.safeWords;
}

async function isScript(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1') === '#!';
  } finally {
    await file.close();
  }
}
