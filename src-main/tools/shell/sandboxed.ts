import { z } from 'zod';
import { isInside } from '../../base/paths.ts';
import type { GivenCommand } from '../../policy/commands/command-line.ts';
import { type AssessContext, type ToolContext, ToolFailure } from '../contract.ts';
import {
  type AllowedRun,
  type CommandBounds,
  type CommandWay,
  outcomeOf,
  type RunIn,
  type RunResult,
} from './allowed-run.ts';
import { assessReading, readingToRun } from './assessed-reading.ts';
import { type CommandFolder, commandEffects } from './command-folder.ts';
import type { WritableRoot } from './held-run.ts';

/** The parameters of a command's bounds. Source: tool catalogue H. */
export const sandboxParameters = {
  sandbox: z
    .enum(['read-only', 'folder', 'off'])
    .default('folder')
    .describe(
      '"read-only" runs at once, without a question to the user: nothing can be written (but temporary files, which are lost) and nothing reached over the network. Choose it for whatever only looks, and first for tests and checks, unless they write into the folder. "folder" asks the user, unless they let you work freely in the folder: then the command can write there, and the user is asked for each host that it connects to. Only a line of nothing but plain git add and git commit -m can write .git. "off" asks the user, with your reason.',
    ),
  reason: z.string().default('').describe('Why it must run outside the sandbox; required with "off"'),
};

type Bounds = z.output<z.ZodObject<typeof sandboxParameters>>;

const ASKED: CommandBounds = { held: false };
const MAY_BE_HELD: CommandBounds = { held: false, mayBeHeld: true };
const HELD: CommandBounds = { held: true, mayBeHeld: true };
const UNHELD: CommandBounds = {
  held: false,
  note: '[this ran outside the sandbox, because commands can’t be held here]',
};

/** How the command runs. Throws if it can't run as it was asked for. */
export async function boundsOf(
  { sandbox, reason, inBackground = false }: Bounds & { readonly inBackground?: boolean },
  { files, sandbox: system }: Pick<AssessContext, 'files' | 'sandbox'>,
): Promise<CommandBounds> {
  if (sandbox === 'off' && reason.trim() === '')
    throw new ToolFailure('Error: reason is required to run outside the sandbox');
  if (sandbox === 'off' || (sandbox === 'folder' && inBackground)) return ASKED;
  if (sandbox === 'folder') return MAY_BE_HELD;
  if (inBackground) throw new ToolFailure('Error: run_in_background needs sandbox "folder"');
  return (await system.canHold(files.realRoots)) ? HELD : UNHELD;
}

/** The sandbox that an allowed command runs in. */
export function runsIn({ held }: CommandWay, { allowedBy }: Pick<ToolContext, 'allowedBy'>): RunIn {
  if (held) return 'read-only';
  return allowedBy === 'grant' ? 'folder' : undefined;
}

/** What a command with these bounds would touch, and how it runs. In the background nothing counts as read-only. */
export async function assessCommand(
  asked: GivenCommand,
  folder: CommandFolder,
  { inBackground = false, ...bounds }: CommandBounds & { readonly inBackground?: boolean },
  context: Pick<AssessContext, 'files' | 'env' | 'sandbox' | 'unaskedChanges' | 'signal'>,
): Promise<{ readonly effects: Awaited<ReturnType<typeof commandEffects>>; readonly way: CommandWay }> {
  const reading = bounds.held || inBackground ? undefined : await assessReading(asked, folder, context);
  // In the sandbox it can read anything in the roots, and do nothing else.
  const held = { line: { paths: context.files.realRoots, repository: null, isHeld: true } } as const;
  const heldIn = bounds.mayBeHeld === true ? await heldRoot(folder, context) : undefined;
  const manner = { reading: bounds.held ? held : reading, heldIn, inBackground };
  return {
    effects: await commandEffects(asked, folder, context, manner),
    way: { ...bounds, reading, heldIn, asked },
  };
}

/** The outermost root that the folder is in, if commands can be held here. */
async function heldRoot(
  { real }: CommandFolder,
  { files, sandbox }: Pick<AssessContext, 'files' | 'sandbox'>,
): Promise<string | undefined> {
  const roots = files.realRoots;
  if (!(await sandbox.canHold(roots))) return undefined;
  return roots.filter((root) => isInside(root, real)).toSorted((a, b) => a.length - b.length)[0];
}

/** Runs an allowed command as its bounds say. */
export async function runAllowed(allowed: AllowedRun, context: ToolContext): Promise<RunResult> {
  const { way, timeoutMs } = allowed;
  const inside = runsIn(way, context);
  if (inside === undefined) {
    const outcome = await outcomeOf(allowed, { ...(await commandToRun(allowed, context)), timeoutMs }, context);
    return { ...NOTHING_HELD, outcome, note: way.note };
  }
  const writable = inside === 'folder' ? writtenRoot(way) : undefined;
  const { runHeld } = await import('./held-command.ts');
  return runHeld(allowed, { inside, writable }, context);
}

const NOTHING_HELD = { putAside: undefined, aside: undefined, connections: undefined, refused: [] } as const;

/** The root that a command under a grant can write. What only reads has nothing to write. */
function writtenRoot({ heldIn, reading, asked }: CommandWay): WritableRoot | undefined {
  if (heldIn === undefined) throw new Error('a grant covers only what can be held');
  return reading === undefined ? { root: heldIn, command: asked } : undefined;
}

/** What runs instead of the command as it is written, outside the sandbox. */
async function commandToRun(
  { written, way: { reading }, folder, shell }: AllowedRun,
  context: ToolContext,
): Promise<AllowedRun['written'] | Awaited<ReturnType<typeof readingToRun>>> {
  return reading === undefined ? written : readingToRun(reading, folder, context, shell);
}
