import type { GivenCommand } from '../../policy/commands/command-line.ts';
import { type ReadingLine, readingOf, scriptOf } from '../../policy/commands/reading/read-line.ts';
import { readingEnvironment } from '../../policy/commands/reading/reading-environment.ts';
import { type ReadingPlace, ReadingWork } from '../../policy/commands/reading/reading-place.ts';
import { secretFileTest } from '../../policy/secret-files.ts';
import { shellCommand } from '../../processes/shell-line.ts';
import type { UsageLimits } from '../../processes/usage-limits.ts';
import type { AssessContext, ToolContext } from '../contract.ts';
import type { CommandFolder } from './command-folder.ts';
import { UNASKED_LIMITS } from './unasked-limits.ts';

type Context = Pick<AssessContext, 'files' | 'env'>;

/** A command that was found to be read-only. */
export interface AssessedReading {
  readonly command: GivenCommand;
  readonly line: ReadingLine;
}

/** Undefined if the line may not be read-only, and runs as written. */
export async function assessReading(
  command: GivenCommand,
  { real }: CommandFolder,
  context: Context,
): Promise<AssessedReading | undefined> {
  const line = await readingOf(command, real, placeOf(context));
  return line && { command, line };
}

/**
 * What runs instead: the programs and words as judged, in an environment that can't change their meaning. They are
 * judged once more, since files may have been swapped for links meanwhile. Throws if the command would read something
 * else now.
 */
export async function readingToRun(
  { command, line }: AssessedReading,
  { real }: CommandFolder,
  context: Context & Pick<ToolContext, 'allowedBy'>,
  shell: 'bash' | 'sh' = 'sh',
): Promise<{ command: string; args: readonly string[]; environment: NodeJS.ProcessEnv; limits?: UsageLimits }> {
  const place = placeOf(context);
  const now = await readingOf(command, real, place);
  const reads = line.paths.join('\0');
  if (now === undefined || scriptOf(now) !== scriptOf(line) || now.paths.join('\0') !== reads)
    throw new Error('the files that the command would read have changed in the meantime; nothing was run');
  const environment = await readingEnvironment(real, place);
  const [program = '', ...args] = command.kind === 'argv' ? (now.pipelines[0]?.[0]?.argv ?? []) : [];
  return {
    ...(command.kind === 'argv' ? { command: program, args } : shellCommand(scriptOf(now), shell)),
    environment,
    // What the user or a rule allowed may take what it needs, as `git log -S` in a large repository.
    ...(context.allowedBy === 'default' ? { limits: UNASKED_LIMITS } : {}),
  };
}

function placeOf({ files, env }: Context): ReadingPlace {
  const isSecret = secretFileTest();
  return {
    contains: (real) => files.contains(real),
    profileDirectory: files.profileDirectory,
    environment: env,
    isSecretFile: async (real, given) => isSecret(real, given),
    platform: process.platform,
    work: new ReadingWork(),
  };
}
