import type { UsageLimits } from '../../processes/usage-limits.ts';
import type { StartedInside } from '../../sandbox/sandbox.ts';
import type { ToolContext } from '../contract.ts';
import type { CommandFolder } from './command-folder.ts';
import { hiddenFiles } from './hidden-files.ts';
import { ObeyedEntries } from './obeyed-entries.ts';
import { SANDBOX_LIMITS } from './unasked-limits.ts';

export interface HeldRun extends StartedInside {
  readonly limits: UsageLimits;
  /** What programs obey in the root that it can write. */
  readonly entries?: ObeyedEntries | undefined;
}

/** How the same command runs inside. With `writable`, which is a root, it can write there. */
export async function heldToRun(
  { command, args }: Pick<StartedInside, 'command' | 'args'>,
  { real: directory }: CommandFolder,
  context: Pick<ToolContext, 'files' | 'sandbox' | 'processes' | 'signal'>,
  writable?: string,
): Promise<HeldRun> {
  const { realRoots: roots, profileDirectory: profile } = context.files;
  const [hidden, entries] = await Promise.all([
    hiddenFiles(roots, context),
    writable === undefined ? undefined : ObeyedEntries.in(writable, context),
  ]);
  const argv = [command, ...args];
  const written = writable === undefined ? undefined : { writable, kept: entries?.kept ?? [] };
  const inside = await context.sandbox.command({ argv, directory, roots, ...written, hidden, profile });
  return { ...inside, limits: SANDBOX_LIMITS, entries };
}
