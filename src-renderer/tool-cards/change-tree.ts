import type { ShownChange } from '../../src-preload/contract/conversations.ts';
import type { ChangedPath } from '../../src-preload/contract/file-changes.ts';
import type { ChosenFiles } from './chosen-files.svelte.ts';

/** What every row of the list of changes needs. */
export interface ChangeList {
  readonly workspace: string;
  readonly chosen: ChosenFiles;
  readonly isChoosing: boolean;
  readonly isUndone: (path: string) => boolean;
  /** Folders are open at first. */
  readonly startsOpen: boolean;
  /** Loads what changed in a file; `undefined`: loading failed, and the user was told. */
  readonly changeOf: (path: string) => Promise<ShownChange | undefined>;
}

export interface ChangedFolder {
  /** Its path in the folder above, or the whole path of one outside the workspace. */
  readonly name: string;
  /** What became of the folder itself, or null if it only holds what changed. */
  readonly own: ChangedPath | null;
  readonly folders: readonly ChangedFolder[];
  readonly files: readonly ChangedPath[];
}

/** The changed paths by folder. A folder that holds nothing but another one is one with it. */
export function changeTree(changes: readonly ChangedPath[], workspace: string): ChangedFolder {
  const root = new Folder('');
  const above = segmentsOf(workspace);
  for (const change of changes) {
    const all = segmentsOf(change.path);
    const isInside = above.every((segment, index) => all[index] === segment) && all.length > above.length;
    const segments = isInside ? all.slice(above.length) : all;
    if (change.is === 'folder') root.at(segments).own = change;
    else root.at(segments.slice(0, -1)).files.push(change);
  }
  return root.joined();
}

/** Every changed path in a folder, and the folder itself if it changed. */
export function pathsIn({ own, folders, files }: ChangedFolder): readonly ChangedPath[] {
  return [...(own === null ? [] : [own]), ...folders.flatMap(pathsIn), ...files];
}

/** Those that can still be undone. */
export function choosable(files: readonly ChangedPath[], { isUndone }: Pick<ChangeList, 'isUndone'>): ChangedPath[] {
  return files.filter(({ path, isLost }) => isLost !== true && !isUndone(path));
}

export function nameOf(path: string): string {
  return segmentsOf(path).at(-1) ?? path;
}

class Folder {
  readonly name: string;
  own: ChangedPath | null = null;
  readonly files: ChangedPath[] = [];
  readonly #folders = new Map<string, Folder>();

  constructor(name: string) {
    this.name = name;
  }

  at([first, ...rest]: readonly string[]): Folder {
    if (first === undefined) return this;
    const folder = this.#folders.get(first) ?? new Folder(first);
    this.#folders.set(first, folder);
    return folder.at(rest);
  }

  joined(above = ''): ChangedFolder {
    const folders = [...this.#folders.values()];
    const name = above + this.name;
    const [only, ...others] = folders;
    const isJoined = this.name !== '' && this.own === null && this.files.length === 0 && others.length === 0;
    if (isJoined && only !== undefined) return only.joined(`${name}/`);
    return { name, own: this.own, folders: folders.map((folder) => folder.joined()), files: this.files };
  }
}

/** A backslash is part of a name, except on Windows. The root of other systems is one with what is in it. */
function segmentsOf(path: string): readonly string[] {
  const isOfWindows = /^(?:[A-Za-z]:)?\\/.test(path);
  const [drive = '', ...names] = path.split(isOfWindows ? /[\\/]/ : '/');
  const [first = '', ...rest] = names.filter((name) => name !== '');
  return drive === '' ? [`/${first}`, ...rest] : [drive, first, ...rest];
}
