import { dirname } from 'node:path';
import { changedPaths } from '../changed-paths.ts';
import { ABSENT, type EntryState, isSameEntry, type Transition } from '../entry-state.ts';
import type { LookPlace } from '../look.ts';
import { standingChanges } from '../stored-changes.ts';

/** A change that a tool made to one file, whose earlier version is kept elsewhere. */
export interface ToolChange {
  /** Its number there. */
  readonly num: number;
  readonly callId: string;
  /** The real path. */
  readonly path: string;
  /** The SHA-256 (hex) of what the tool wrote, or null if it is not known. */
  readonly afterHash: string | null;
  /** Null if there was no file. `hash` is null if it was too large to be kept. */
  readonly before: { readonly hash: string | null; readonly size: number; readonly mode: number } | null;
  /** Real paths of folders that the call made, outermost first. */
  readonly madeFolders: readonly string[];
}

/** One change of one path, to be undone. */
export interface UndoChange {
  readonly path: string;
  /** Whether this is what the change left. */
  isLeftIn(present: EntryState): boolean;
  readonly before: EntryState;
  /** The call that made it. */
  readonly callId: string;
  /** The command or the tool’s change; an undo that is redone has neither. */
  readonly source: { readonly command: number } | { readonly tool: number } | undefined;
}

/**
 * What commands changed that is not undone yet, newest first. With `paths` only those, what is below them, and the
 * folders that they need.
 */
export function commandChanges(
  { store, contents }: LookPlace,
  {
    conversationId,
    calls,
    paths,
  }: { conversationId: string; calls: readonly string[]; paths: readonly string[] | null },
): UndoChange[] {
  return calls.toReversed().flatMap((call) => {
    const all = standingChanges(store, { conversationId, callId: call });
    const isChosen = paths === null ? () => true : chosenOf(all, paths, contents);
    return all
      .filter(({ path }) => isChosen(path))
      .map(({ command, path, from, to }) => ({
        path,
        isLeftIn: (present) => isSameEntry(present, to),
        before: from,
        callId: call,
        source: { command },
      }));
  });
}

export function toolChanges(changes: readonly ToolChange[], now: Date): UndoChange[] {
  // A file that is brought back is new: when it was changed before is not known.
  const modified = String(BigInt(now.getTime()) * 1_000_000n);
  return changes.map(({ num, callId, path, afterHash, before }) => ({
    path,
    callId,
    isLeftIn: (present) => present.kind === 'file' && present.digest !== null && present.digest === afterHash,
    before:
      before === null ? ABSENT : { kind: 'file', size: before.size, mode: before.mode, modified, digest: before.hash },
    source: { tool: num },
  }));
}

/** Which paths to undo if these are wanted: a file needs the folder that it was in, a renamed one its earlier name. */
function chosenOf(
  transitions: readonly Transition[],
  paths: readonly string[],
  contents: LookPlace['contents'],
): (path: string) => boolean {
  const wanted = new Set(paths);
  for (const { changed } of changedPaths(transitions, (digest) => contents.has(digest)))
    if (changed.from !== undefined && wanted.has(changed.path)) wanted.add(changed.from);
  const isBelowWanted = (path: string) => ancestorsOf(path).some((folder) => wanted.has(folder));
  const needed = new Set<string>();
  for (const { path } of transitions)
    if (wanted.has(path) || isBelowWanted(path)) for (const each of [path, ...ancestorsOf(path)]) needed.add(each);
  return (path) => needed.has(path);
}

function ancestorsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...ancestorsOf(above)];
}
