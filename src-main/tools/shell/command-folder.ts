import { canonicalHash } from '../../base/canonical-json.ts';
import type { CommandReading } from '../../policy/accesses/command.ts';
import type { GivenCommand } from '../../policy/commands/command-line.ts';
import { lineToItsEnd } from '../../policy/commands/exact-command.ts';
import { stateOfNamedFiles } from '../../policy/commands/named-files.ts';
import { withheldVariables } from '../../processes/child-environment.ts';
import type { AssessContext, ToolContext } from '../contract.ts';
import type { WorkspaceDirectory } from '../files/workspace-files.ts';

/** The folder and environment of an assessed command. */
export type CommandFolder = Pick<WorkspaceDirectory, 'given' | 'real' | 'leadsThere'>;

/** How it runs, as far as that changes what it would touch. */
interface Manner {
  readonly reading: { readonly line: CommandReading } | undefined;
  readonly heldIn: string | undefined;
  readonly inBackground: boolean;
}

/** The effects of a command that is run. */
export async function commandEffects(
  command: GivenCommand,
  { real: directory }: CommandFolder,
  { env, files, unaskedChanges, signal }: Pick<AssessContext, 'env' | 'files' | 'unaskedChanges' | 'signal'>,
  { reading, heldIn, inBackground }: Manner,
) {
  const read = reading && { reading: readingIn(reading.line) };
  // Read-only commands run in a separate environment.
  const names = reading === undefined ? withheldVariables(env) : [];
  const withheld = names.length === 0 ? undefined : { withheld: names };
  const held = heldIn === undefined ? undefined : { heldIn };
  const manner = { ...held, ...(inBackground ? ({ isInBackground: true } as const) : {}) };
  const access = [{ kind: 'command', class: 'execute', command, directory, ...read, ...withheld, ...manner } as const];
  if (reading !== undefined) return { access };
  const changes = await unaskedChanges.count(files.realRoots, signal);
  return { access, beforeImage: canonicalHash({ changes, named: stateOfNamedFiles(command, directory) ?? null }) };
}

/** Without what the table of reading commands knows beyond that. */
function readingIn({ paths, repository, isHeld }: CommandReading): CommandReading {
  return { paths, repository, ...(isHeld === undefined ? {} : { isHeld }) };
}

/**
 * The line as it is run. One that a rule allows runs to its end, whatever cuts its output. What the user allowed runs
 * as it was shown.
 */
export function lineToRun(line: string, { allowedBy }: Pick<ToolContext, 'allowedBy'>): string {
  return allowedBy === 'rule' ? lineToItsEnd(line) : line;
}

/**
 * How long the command may run. A rule says nothing of it, so the call can't have it ended earlier than usual: half of
 * `sh migrate.sh` is not what the rule allows.
 */
export function timeToRun(timeoutMs: number, usualMs: number, { allowedBy }: Pick<ToolContext, 'allowedBy'>): number {
  return allowedBy === 'rule' ? Math.max(timeoutMs, usualMs) : timeoutMs;
}

/** Throws if the folder is another one now, since a link may be changed between the question and the run. */
export async function requireSameFolder(folder: CommandFolder): Promise<void> {
  if (!(await folder.leadsThere()))
    throw new Error(`the folder ${folder.given} now leads somewhere else; nothing was run`);
}
