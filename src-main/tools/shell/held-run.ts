import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { refusedText } from '../../../src-preload/contract/connections-text.ts';
import { type Refusal, type RefusalKind, refusalWords } from '../../../src-preload/contract/refusals.ts';
import type { Connections, PutAside } from '../../../src-preload/contract/tool-card.ts';
import { isInside } from '../../base/paths.ts';
import { realPathOrItself } from '../../base/real-path.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { GivenCommand } from '../../policy/commands/command-line.ts';
import type { ProcessOutcome } from '../../processes/process-runner.ts';
import type { UsageLimits } from '../../processes/usage-limits.ts';
import type { SandboxNetwork } from '../../sandbox/gate/network-gate.ts';
import type { StartedInside } from '../../sandbox/sandbox.ts';
import type { ToolContext } from '../contract.ts';
import type { CommandFolder } from './command-folder.ts';
import { type Found, foundBelow } from './found-files.ts';
import { GIT_INSIDE } from './git-to-write.ts';
import { hiddenFiles } from './hidden-files.ts';
import { ObeyedEntries } from './obeyed-entries.ts';
import { type HeldPlace, refusalsIn } from './refusals.ts';
import { SANDBOX_LIMITS } from './unasked-limits.ts';

const LOOK_WITHIN_MS = 20_000;

export interface HeldRun extends StartedInside {
  readonly limits: UsageLimits;
  /** What programs obey in the root that it can write. */
  readonly entries?: ObeyedEntries | undefined;
  readonly place: HeldPlace;
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
  {
    writable,
    network,
  }: { readonly writable?: WritableRoot | undefined; readonly network?: SandboxNetwork | undefined },
): Promise<HeldRun> {
  const { realRoots: roots, profileDirectory: profile } = context.files;
  const walks = roots.map((folder) => ({ folder, withLinked: folder === writable?.root }));
  const found = await Promise.all(walks.map((walk) => foundBelow(walk, LOOK_WITHIN_MS, context)));
  const [hidden, entries] = await Promise.all([
    hiddenFiles(found, context),
    writable && ObeyedEntries.in(ofRoot(writable.root, found), { command: writable.command, directory }, context),
  ]);
  const argv = [command, ...args];
  const kept = [...(entries?.kept ?? []), ...(await programFolders(writable?.root, context))];
  const written = writable && { writable: writable.root, kept };
  // What can write `.git` reaches nobody.
  const reached = entries?.takesCommits === true ? undefined : network;
  const given = {
    argv,
    directory,
    roots,
    ...written,
    hidden,
    profile,
    network: reached,
    ownCodeOnly: entries?.takesCommits,
  };
  const inside = await context.sandbox.command(given);
  const paths = hidden.map(({ path }) => path);
  const seen = { roots, writable: writable?.root, kept, hidden: paths, hasNetwork: reached !== undefined };
  const place = { directory, home: realPathOrItself(homedir()), ...seen };
  const environment = entries?.takesCommits ? { ...inside.environment, ...GIT_INSIDE } : inside.environment;
  return { ...inside, environment, limits: SANDBOX_LIMITS, entries, place };
}

function ofRoot(root: string, found: readonly Found[]): Found {
  const there = found.find(({ folder }) => folder === root);
  if (there === undefined) throw new Error('the folder is no root any more');
  return there;
}

/** What is said of the bounds if the command failed. */
export function toldOf(
  { ending, exitCode, stdout, stderr }: Pick<ProcessOutcome, 'ending' | 'exitCode' | 'stdout' | 'stderr'>,
  inside: 'read-only' | 'folder',
  place: HeldPlace,
): { readonly refused: readonly Refusal[]; readonly note: string | undefined } {
  if (ending !== 'exited') return { refused: [], note: undefined };
  if (exitCode === 0) {
    // A part of it may have failed. Only what is known to be closed counts then.
    const refused = refusalsIn(stderr, place).filter(({ kind, what }) => KNOWN.has(kind) && what !== undefined);
    return { refused, note: probablyLine(refused) };
  }
  const refused = refusalsIn(`${stdout}\n${stderr}`, place);
  return { refused, note: boundsLine(place.hasNetwork ? 'connected' : inside, refused) };
}

/** Told to the model of connections that were refused. */
export function connectionsLine({ refused }: Connections): string | undefined {
  if (refused.length === 0) return undefined;
  return `[connections refused: ${refused.map((each) => `${each.host} (${refusedText(each)})`).join(', ')}]`;
}

const KNOWN: ReadonlySet<RefusalKind> = new Set(['secret', 'kept']);

/** Told to the model of what was put aside. */
export function asideLine({ entries, count, isIncomplete }: PutAside): string {
  if (count === 0)
    return '[some files that other programs obey automatically could not be found or renamed, which the user should know]';
  const named = entries.map(({ path, name }) => `${path} is now ${name}`);
  if (count > entries.length) named.push(`and ${count - entries.length} more`);
  if (isIncomplete) named.push('and some could not be found or renamed, which the user should know');
  return `[put aside, because other programs obey such files automatically: ${named.join(', ')}. To make one, use write_file or sandbox "off": the user is asked.]`;
}

const FOLDER_TEXT =
  'secret files, .git (except by a line of only git add and git commit -m, where no hooks run) and files that other programs obey can’t be changed';

const HELD_TEXTS: Readonly<Record<Held, string>> = {
  'read-only': 'read-only sandbox: nothing can be written or reached',
  folder: `sandbox: there is no network, and ${FOLDER_TEXT}`,
  connected: `sandbox: the user is asked for each host that it connects to, and ${FOLDER_TEXT}`,
};

/** A folder in which a gate may have been there. */
type Held = 'read-only' | 'folder' | 'connected';

/** Told to the model where the bounds may be why the command failed: what they probably refused, and what to do. */
function boundsLine(inside: Held, refused: readonly Refusal[]): string {
  const wanted = probablyLine(refused);
  const probably = wanted === undefined ? '' : `${wanted}\n`;
  const isEnough = inside === 'read-only' && refused.every(isInFolder);
  const instead = isEnough ? 'sandbox "folder"' : 'sandbox "off" with a reason: the user is asked';
  return `${probably}[${HELD_TEXTS[inside]}. If the command needs that, use ${instead}.]`;
}

function probablyLine(refused: readonly Refusal[]): string | undefined {
  const wanted = refused.flatMap((refusal) => {
    const words = refusalWords(refusal);
    return words === undefined ? [] : [words.code === undefined ? words.text : `${words.text} \`${words.code}\``];
  });
  return wanted.length === 0 ? undefined : `[it probably ${wanted.join('; ')}]`;
}

/** Whether a command that can write the folder could do it. */
function isInFolder({ kind, what }: Refusal): boolean {
  return kind === 'write' && what !== undefined && !/^(?:[/~]|\.\.)/.test(what);
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
