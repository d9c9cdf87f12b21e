import { dirname } from 'node:path';
import type { ChangedPath, PathChange } from '../../../src-preload/contract/file-changes.ts';
import { counted } from '../../../src-preload/contract/files-text.ts';
import { grouped, pathOnOneLine } from '../../base/text.ts';
import type { Checkpoints, RedoAsked, UndoAsked, UndoCarried, UndoPlanned } from '../../checkpoints/checkpoints.ts';
import type { Preview } from '../../policy/access.ts';
import { DiffPreview } from '../../policy/diff-preview.ts';
import type { PreparedUndo, Undone } from './prepared-undo.ts';

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
  toolOf: Planned['toolOf'],
  bytesOf: (image: number) => Uint8Array | undefined,
): Promise<PreparedUndo> {
  const planned = await checkpoints.planUndo(asked);
  return prepared({
    planned,
    toolOf,
    carryOut: async () => {
      const contents = planned.tools.flatMap((image) => bytesOf(image) ?? []);
      return undone(await checkpoints.carryOutUndo({ ...asked, hash: planned.hash, contents }));
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
    carryOut: async () => undone(await checkpoints.carryOutRedo({ ...asked, hash: planned.hash, contents: [] })),
  });
}

function undone(carried: UndoCarried): Undone | undefined {
  if (carried.kind === 'changed') return undefined;
  const { tools: images, ...done } = carried;
  return { ...done, images };
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

/** What happens to a file, in the direction of the undo. */
const DOES: Readonly<Record<PathChange, string>> = {
  made: 'comes back',
  changed: 'is restored',
  deleted: 'is deleted',
  renamed: 'gets its name back',
  mode: 'gets its permissions back',
};

function previewsOf({ listed, count, diffs, replaced }: UndoPlanned): Preview[] {
  const compared = new Set(diffs.map(({ path }) => path));
  const rest = listed.filter(({ path }) => !compared.has(path));
  // Few are compared, and those are shown below.
  const others = diffs.length === 0 ? inFolders(rest) : rest.map((change) => ({ ...change, holds: 0, files: 0 }));
  const shown = others.slice(0, MAX_LISTED);
  const isCut = count > listed.length;
  const lines = shown.map((each) => lineOf(each, isCut));
  const more = count - compared.size - shown.reduce((sum, { holds }) => sum + 1 + holds, 0);
  lines.push(...andMore(more));
  const texts: Preview[] = lines.length === 0 ? [] : [{ kind: 'text', title: 'What changes', text: lines.join('\n') }];
  if (replaced.length > 0)
    texts.unshift({
      kind: 'text',
      title: 'Changed since by you or another program, and replaced',
      text: [...replaced.slice(0, MAX_LISTED).map(pathOnOneLine), ...andMore(replaced.length - MAX_LISTED)].join('\n'),
    });
  return [...texts, ...diffs.map(({ path, before, after }) => new DiffPreview({ path, before, after }))];
}

function andMore(more: number): readonly string[] {
  return more > 0 ? [`and ${grouped(more)} more`] : [];
}

/** A change, and what comes or goes with it because it is in that folder: how many entries, and how many are files. */
interface ListedChange extends ChangedPath {
  readonly holds: number;
  readonly files: number;
}

/** Lists a folder that comes back or goes once, for all that is in it, which stands behind it in `changes`. */
function inFolders(changes: readonly ChangedPath[]): readonly ListedChange[] {
  const listed = new Map<string, ListedChange>();
  for (const change of changes) {
    const within = foldersAbove(change.path)
      .flatMap((path) => listed.get(path) ?? [])
      .find((folder) => isWhole(folder) && folder.change === change.change);
    if (within === undefined) listed.set(change.path, { ...change, holds: 0, files: 0 });
    else {
      const files = within.files + (change.is === 'folder' ? 0 : 1);
      listed.set(within.path, { ...within, holds: within.holds + 1, files });
    }
  }
  return [...listed.values()];
}

function isWhole({ is, change }: ChangedPath): boolean {
  return is === 'folder' && (change === 'made' || change === 'deleted');
}

/** The outermost first. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** With `isCut`, not all that is in a folder is known here. */
function lineOf({ path, from, change, is, files, holds }: ListedChange, isCut: boolean): string {
  const name = `${pathOnOneLine(path)}${is === 'folder' ? '/' : ''}`;
  if (from !== undefined) return `${pathOnOneLine(from)} is ${name} again`;
  if (isCut && holds > 0) return `${name} ${DOES[change]}, with all that is in it`;
  return `${name} ${DOES[change]}${files === 0 ? '' : `, with ${counted(files, 'file')} in it`}`;
}
