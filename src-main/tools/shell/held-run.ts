import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import { isInside } from '../../base/paths.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { GivenCommand } from '../../policy/commands/command-line.ts';
import type { UsageLimits } from '../../processes/usage-limits.ts';
import type { StartedInside } from '../../sandbox/sandbox.ts';
import type { ToolContext } from '../contract.ts';
import type { CommandFolder } from './command-folder.ts';
import { GIT_INSIDE } from './git-to-write.ts';
import { hiddenFiles } from './hidden-files.ts';
import { ObeyedEntries } from './obeyed-entries.ts';
import { SANDBOX_LIMITS } from './unasked-limits.ts';

export interface HeldRun extends StartedInside {
  readonly limits: UsageLimits;
  /** What programs obey in the root that it can write. */
  readonly entries?: ObeyedEntries | undefined;
}

/** The root that a command can write. */
export interface WritableRoot {
  readonly root: string;
  readonly command: GivenCommand;
}

/** How the same command runs inside. */
export async function heldToRun(
  { command, args }: Pick<StartedInside, 'command' | 'args'>,
  { real: directory }: CommandFolder,
  context: Pick<ToolContext, 'files' | 'sandbox' | 'processes' | 'signal' | 'env'>,
  writable?: WritableRoot,
): Promise<HeldRun> {
  const { realRoots: roots, profileDirectory: profile } = context.files;
  const [hidden, entries] = await Promise.all([
    hiddenFiles(roots, context),
    writable && ObeyedEntries.in(writable.root, { command: writable.command, directory }, context),
  ]);
  const argv = [command, ...args];
  const kept = [...(entries?.kept ?? []), ...(await programFolders(writable?.root, context))];
  const written = writable && { writable: writable.root, kept };
  const given = { argv, directory, roots, ...written, hidden, profile, ownCodeOnly: entries?.takesCommits };
  const inside = await context.sandbox.command(given);
  const environment = entries?.takesCommits ? { ...inside.environment, ...GIT_INSIDE } : inside.environment;
  return { ...inside, environment, limits: SANDBOX_LIMITS, entries };
}

/** Folders of PATH in the root: what a command wrote there would run outside under the name of any program. */
async function programFolders(root: string | undefined, { env }: Pick<ToolContext, 'env'>): Promise<readonly string[]> {
  const named = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const real = await Promise.all(named.map((folder) => realpath(folder).catch(() => undefined)));
  return real.flatMap((folder) =>
    folder !== undefined && root !== undefined && isInside(root, folder) ? [folder] : [],
  );
}

/** Settled when no command runs that can write a root. */
let written: Promise<unknown> = Promise.resolve();

/**
 * Runs one that is held after all that can write a root: what it may not open is found by its path, and another command
 * could move it meanwhile. Rejects with the signal's reason on Stop.
 */
export async function afterWriting<T>(
  run: () => Promise<T>,
  { writes, signal }: { readonly writes: boolean; readonly signal: AbortSignal },
): Promise<T> {
  const earlier = written;
  const done = untilAborted(earlier, signal).then(run);
  if (writes) written = Promise.allSettled([earlier, done]);
  return done;
}
