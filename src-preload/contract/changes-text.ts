import type { ChangedPath, FileChanges, PathChange } from './file-changes.ts';

/** In the order in which they are said. */
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
export function changesText({ files, counts, isRunning }: Pick<FileChanges, 'files' | 'counts' | 'isRunning'>): string {
  const clauses = (Object.keys(CLAUSES) as PathChange[])
    .filter((change) => counts[change] > 0)
    .map((change, index) => {
      const listed = files.filter((file) => file.change === change);
      const clause = CLAUSES[change](whatText(counts[change], listed));
      const whileItRan = isRunning && index === 0 ? ' while it ran' : '';
      return `${clause}${whileItRan}${change === 'changed' ? linesText(listed) : ''}`;
    });
  const text = clauses.join(' · ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Null if it can't be a mistake. */
export function massDeletedText({ massDeleted }: Pick<FileChanges, 'massDeleted'>): string | null {
  return massDeleted === undefined ? null : `Deleted ${counted(massDeleted, 'file')} that nothing else holds`;
}

export function changedPaths({ counts }: Pick<FileChanges, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** There is a change that can be undone. */
export function canBePutBack({ files }: Pick<FileChanges, 'files'>): boolean {
  return files.some(({ isLost }) => isLost !== true);
}

/** What is not listed is neither a file nor a folder for certain. */
function whatText(count: number, listed: readonly ChangedPath[]): string {
  const folders = listed.filter((each) => each.is === 'folder').length;
  if (folders === 0) return counted(count, 'file');
  if (listed.length < count) return `${count.toLocaleString('en')} files and folders`;
  if (folders === count) return counted(count, 'folder');
  return `${counted(count - folders, 'file')} and ${counted(folders, 'folder')}`;
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

function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;
}
