import type { ChangedPath, PathChange } from '../../../src-preload/contract/file-changes.ts';
import { grouped, pathOnOneLine } from '../../base/text.ts';
import type { Checkpoints, RedoAsked, UndoAsked, UndoPlanned } from '../../checkpoints/checkpoints.ts';
import type { Preview } from '../../policy/access.ts';
import { DiffPreview } from '../../policy/diff-preview.ts';
import type { PreparedUndo } from './prepared-undo.ts';

/** The part of the checkpoints that undo and redo need. */
export type UndoOfCheckpoints = Pick<Checkpoints, 'planUndo' | 'carryOutUndo' | 'planRedo' | 'carryOutRedo'>;

/** More than this nobody reads. */
const MAX_LISTED = 100;

interface Planned {
  readonly planned: UndoPlanned;
  readonly toolOf: (callId: string) => string | null;
  readonly carryOut: PreparedUndo['carryOut'];
}

/** An undo of what commands changed, and of what tools changed between them. `bytesOf`: a before-image's. */
export async function preparedCheckpointUndo(
  checkpoints: UndoOfCheckpoints,
  asked: UndoAsked,
  {
    toolOf,
    callOf,
    bytesOf,
  }: {
    readonly toolOf: Planned['toolOf'];
    readonly callOf: (image: number) => string;
    readonly bytesOf: (image: number) => Uint8Array | undefined;
  },
): Promise<PreparedUndo> {
  const planned = await checkpoints.planUndo(asked);
  const imageCalls = [...new Set(planned.tools.map(callOf))];
  return prepared({
    planned: { ...planned, calls: [...planned.calls, ...imageCalls] },
    toolOf,
    carryOut: async () => {
      const contents = planned.tools.flatMap((image) => bytesOf(image) ?? []);
      const carried = await checkpoints.carryOutUndo({ ...asked, hash: planned.hash, contents });
      if (carried.kind === 'changed') return undefined;
      const { paths, count, refused, tools, partly } = carried;
      const calls = [...carried.calls, ...new Set(tools.map(callOf))];
      return { paths, count, refused, calls, partly, images: tools, changes: changesOf(calls, paths) };
    },
  });
}

/** Undefined if there is nothing to redo. */
export async function preparedRedo(
  checkpoints: UndoOfCheckpoints,
  asked: RedoAsked,
  toolOf: Planned['toolOf'],
): Promise<PreparedUndo | undefined> {
  const planned = await checkpoints.planRedo(asked);
  if (planned === null) return undefined;
  return prepared({
    planned,
    toolOf,
    carryOut: async () => {
      const carried = await checkpoints.carryOutRedo({ ...asked, hash: planned.hash, contents: [] });
      if (carried.kind === 'changed') return undefined;
      const { paths, count, refused, tools, calls } = carried;
      return { paths, count, refused, calls, partly: [], images: tools, changes: changesOf(calls, paths) };
    },
  });
}

function prepared({ planned, toolOf, carryOut }: Planned): PreparedUndo {
  const { count, listed, refused, hash, calls } = planned;
  return {
    count,
    paths: listed.map(({ path }) => path),
    refused,
    tools: [...new Set(calls.map(toolOf))],
    boundTo: hash,
    wasShown: false,
    previews: async () => previewsOf(planned),
    carryOut,
  };
}

function changesOf(calls: readonly string[], paths: readonly string[]): { callId: string; path: string }[] {
  return calls.flatMap((callId) => paths.map((path) => ({ callId, path })));
}

/** What happens to a file, in the direction of the undo. */
const DOES: Readonly<Record<PathChange, string>> = {
  made: 'comes back',
  changed: 'is restored',
  deleted: 'is deleted',
  renamed: 'gets its name back',
  mode: 'gets its permissions back',
};

function previewsOf({ listed, count, diffs }: UndoPlanned): Preview[] {
  const compared = new Set(diffs.map(({ path }) => path));
  const others = listed.filter(({ path }) => !compared.has(path));
  const lines = others.slice(0, MAX_LISTED).map(lineOf);
  const more = count - compared.size - lines.length;
  if (more > 0) lines.push(`and ${grouped(more)} more`);
  const texts: Preview[] = lines.length === 0 ? [] : [{ kind: 'text', title: 'What changes', text: lines.join('\n') }];
  return [...texts, ...diffs.map(({ path, before, after }) => new DiffPreview({ path, before, after }))];
}

function lineOf({ path, from, change, is }: ChangedPath): string {
  const name = `${pathOnOneLine(path)}${is === 'folder' ? '/' : ''}`;
  return from === undefined ? `${name} ${DOES[change]}` : `${pathOnOneLine(from)} is ${name} again`;
}
