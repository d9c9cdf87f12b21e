import { z } from 'zod';
import type { GivenCommand } from '../../policy/commands/command-line.ts';
import type { UsageLimits } from '../../processes/usage-limits.ts';
import { bubblewrapHere } from '../../sandbox/installed.ts';
import type { StartedInside } from '../../sandbox/sandbox.ts';
import { type AssessContext, type ToolContext, ToolFailure } from '../contract.ts';
import { type AssessedReading, assessReading, readingToRun } from './assessed-reading.ts';
import { type CommandFolder, commandEffects } from './command-folder.ts';
import { hiddenFiles } from './hidden-files.ts';
import { SANDBOX_LIMITS } from './unasked-limits.ts';

/** The parameters of a command's bounds. Source: tool catalogue H. */
export const sandboxParameters = {
  sandbox: z
    .enum(['read-only', 'folder', 'off'])
    .default('folder')
    .describe(
      '"read-only" runs at once, without a question to the user: nothing can be written (but temporary files, which are lost) and nothing reached over the network. Choose it for whatever only looks, and first for tests and checks, unless they write into the folder. "folder" asks the user. "off" asks the user too, with your reason.',
    ),
  reason: z.string().default('').describe('Why it must run outside the sandbox; required with "off"'),
};

type Bounds = z.output<z.ZodObject<typeof sandboxParameters>>;

/** Whether a parameter means anything here. */
export function isOfferedHere(name: string): boolean {
  return !(name in sandboxParameters) || bubblewrapHere() !== undefined;
}

/** How a command runs. */
export interface CommandBounds {
  /** In the read-only sandbox. */
  readonly held: boolean;
  /** What the model has to know of that when the command has ended. */
  readonly note?: string;
}

const ASKED: CommandBounds = { held: false };
const HELD: CommandBounds = { held: true };
const UNHELD: CommandBounds = {
  held: false,
  note: '[this ran outside the sandbox, because this computer can’t hold commands here]',
};

/** How the command runs. Throws if it can't run as it was asked for. */
export async function boundsOf(
  { sandbox, reason, inBackground = false }: Bounds & { readonly inBackground?: boolean },
  { files, sandbox: system }: Pick<AssessContext, 'files' | 'sandbox'>,
): Promise<CommandBounds> {
  if (sandbox === 'off' && reason.trim() === '')
    throw new ToolFailure('Error: reason is required to run outside the sandbox');
  if (sandbox !== 'read-only') return ASKED;
  if (inBackground) throw new ToolFailure('Error: run_in_background needs sandbox "folder"');
  return (await system.canHold(files.realRoots)) ? HELD : UNHELD;
}

/** How an assessed command runs. */
export interface CommandWay extends CommandBounds {
  /** It was found to be read-only, and runs as that. */
  readonly reading: AssessedReading | undefined;
}

/** What a command with these bounds would touch, and how it runs. In the background nothing counts as read-only. */
export async function assessCommand(
  asked: GivenCommand,
  folder: CommandFolder,
  { inBackground = false, ...bounds }: CommandBounds & { readonly inBackground?: boolean },
  context: Pick<AssessContext, 'files' | 'env'>,
): Promise<{ readonly effects: ReturnType<typeof commandEffects>; readonly way: CommandWay }> {
  const reading = bounds.held || inBackground ? undefined : await assessReading(asked, folder, context);
  // In the sandbox it can read anything in the roots, and do nothing else.
  const held = { line: { paths: context.files.realRoots, repository: null, isHeld: true } } as const;
  return {
    effects: commandEffects(asked, folder, context, bounds.held ? held : reading),
    way: { ...bounds, reading },
  };
}

/** What runs instead of the command as it is written. */
export async function commandToRun<Written extends Pick<StartedInside, 'command' | 'args'>>(
  written: Written,
  { held, reading }: CommandWay,
  folder: CommandFolder,
  context: ToolContext,
  shell: 'bash' | 'sh' = 'sh',
): Promise<Written | Awaited<ReturnType<typeof readingToRun>> | (StartedInside & { readonly limits: UsageLimits })> {
  if (held) return heldToRun(written, folder, context);
  return reading === undefined ? written : readingToRun(reading, folder, context, shell);
}

/** The same command inside. */
async function heldToRun(
  { command, args }: Pick<StartedInside, 'command' | 'args'>,
  { real: directory }: CommandFolder,
  context: Pick<ToolContext, 'files' | 'sandbox' | 'processes' | 'signal'>,
): Promise<StartedInside & { readonly limits: UsageLimits }> {
  const { realRoots: roots, profileDirectory: profile } = context.files;
  const hidden = await hiddenFiles(roots, context);
  const inside = await context.sandbox.command({ argv: [command, ...args], directory, roots, hidden, profile });
  return { ...inside, limits: SANDBOX_LIMITS };
}

/** Told to the model where the bounds may be why the command failed. */
export const HELD_LINE =
  '[read-only sandbox: nothing can be written or reached. If the command needs that, use sandbox "folder".]';
