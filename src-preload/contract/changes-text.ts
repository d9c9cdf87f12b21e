import type { ChangedPath, FileChanges, PathChange } from './file-changes.ts';
import { counted, filesText } from './files-text.ts';

/** In the order in which they are said, unless so much was deleted that it may be a mistake. */
const CLAUSES: Readonly<Record<PathChange, (what: string) => string>> = {
  changed: (what) => `${what} changed`,
  made: (what) => `made ${what}`,
  renamed: (what) => `renamed ${what}`,
  mode: (what) => `changed the permissions of ${what}`,
  deleted: (what) => `deleted ${what}`,
};

const WORDS: Readonly<Record<PathChange, string>> = {
  changed: 'changed',
  made: 'new',
  renamed: 'renamed',
  mode: 'permissions',
  deleted: 'deleted',
};

/** A word for one path: `new`, `deleted`. */
export function changeWord(change: PathChange): string {
  return WORDS[change];
}

/** `4 files changed, +31 −7 · deleted 212 files`. Empty if nothing changed. */
export function changesText(changes: Omit<FileChanges, 'id' | 'notKept'>): string {
  const { files, counts, massDeleted, isRunning, isFoundLater } = changes;
  const order = Object.keys(CLAUSES) as PathChange[];
  const clauses = (massDeleted === undefined ? order : order.toReversed())
    .filter((change) => counts[change] > 0)
    .map((change, index) => {
      const listed = files.filter((file) => file.change === change);
      const isMass = change === 'deleted' && massDeleted !== undefined;
      const what = isMass ? lostText(massDeleted, counts.deleted, listed) : whatText(counts[change], listed);
      const clause = CLAUSES[change](what);
      const whileItRan = isRunning && index === 0 ? ' while it ran' : '';
      return `${clause}${whileItRan}${change === 'changed' ? linesText(listed) : ''}`;
    });
  if (isFoundLater && clauses.length > 0) clauses.push('found after Steward ended');
  const text = clauses.join(' · ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** What else may be in a list. */
export function othersChangesText({ isFoundLater }: Pick<FileChanges, 'isFoundLater'>): string {
  return isFoundLater
    ? 'Steward ended before it could make this list. It was made at the next start, so it has everything that changed until then.'
    : 'Other programs may have changed some of this at the same time.';
}

/** How many paths changed. */
export function changeCount({ counts }: Pick<FileChanges, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** There is a change that can be undone. */
export function canBePutBack({ files }: Pick<FileChanges, 'files'>): boolean {
  return files.some(({ isLost }) => isLost !== true);
}

/** `2 files and 1 folder` */
export function pathsText(paths: readonly ChangedPath[]): string {
  return whatText(paths.length, paths);
}

/** What is not listed is neither a file nor a folder for certain. */
function whatText(count: number, listed: readonly ChangedPath[]): string {
  const folders = listed.filter((each) => each.is === 'folder').length;
  if (folders > 0 && listed.length < count) return `${count.toLocaleString('en')} files and folders`;
  return filesText({ files: count - folders, folders });
}

/** Deleted files, of which nothing else holds `lost`. */
function lostText(lost: number, count: number, listed: readonly ChangedPath[]): string {
  const folders = listed.filter((each) => each.is === 'folder').length;
  if (lost !== count - folders)
    return `${whatText(count, listed)}, ${lost.toLocaleString('en')} of which nothing else holds`;
  const files = `${counted(lost, 'file')} that nothing else holds`;
  return folders === 0 ? files : `${counted(folders, 'folder')} and ${files}`;
}

function linesText(files: readonly ChangedPath[]): string {
  const added = files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const lines = [
    ...(added > 0 ? [`+${added.toLocaleString('en')}`] : []),
    ...(removed > 0 ? [`−${removed.toLocaleString('en')}`] : []),
  ];
  return lines.length === 0 ? '' : `, ${lines.join(' ')}`;
}
