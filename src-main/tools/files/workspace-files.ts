import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { PathGlob } from '../../base/path-glob.ts';
import { PinnedDirectory } from '../../base/pinned-directory.ts';
import type { FoundElsewhere, ResolvedPath, Roots } from '../../policy/roots.ts';
import type { ChangeRecorder } from './change-recorder.ts';
import { type Place, requireSamePlace } from './place.ts';
import { leadsToFile, type WalkedEntry, walk } from './walker.ts';
import { WorkspaceFile } from './workspace-file.ts';

export interface WorkspaceFilesOptions {
  readonly roots: Roots;
  /**
   * Whether read_file looks for missing files in parent folders, up to the repository's root, and in the working
   * directory.
   */
  readonly readWalkUp: boolean;
  /** Saves the originals of changed files. */
  readonly recorder: ChangeRecorder;
}

/** A folder passed to a tool. */
export interface WorkspaceDirectory extends Place {
  readonly given: string;
  /** The path, lexically resolved, with `/`. */
  readonly absolute: string;
  /** The real path. */
  readonly real: string;
  /**
   * The prefix of its entries when shown: relative to the workspace, with `/` at the end; empty for the workspace
   * itself.
   */
  readonly shownPrefix: string;
}

/** A file or folder passed to a tool, with the real path of the folder to search in. */
export type FoundPath = Place & {
  /** The path, lexically resolved, with `/`. */
  readonly absolute: string;
  readonly real: string;
  readonly directory: string;
} & ({ readonly kind: 'directory' } | { readonly kind: 'file'; readonly name: string });

/** An entry of a folder. Symlinks are not followed. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
}

/**
 * All file access of tools goes through here, so that every path is subject to the same policy (tool catalogue A.11).
 */
export class WorkspaceFiles {
  readonly #roots: Roots;
  readonly #readWalkUp: boolean;
  readonly #recorder: ChangeRecorder;

  constructor({ roots, readWalkUp, recorder }: WorkspaceFilesOptions) {
    this.#roots = roots;
    this.#readWalkUp = readWalkUp;
    this.#recorder = recorder;
  }

  /** Returns the same files with a recorder: changes made through them are recorded first. */
  recording(recorder: ChangeRecorder): WorkspaceFiles {
    return new WorkspaceFiles({ roots: this.#roots, readWalkUp: this.#readWalkUp, recorder });
  }

  /** The absolute path as configured. */
  get workspace(): string {
    return this.#roots.workspace;
  }

  /** The real path of the app's own folder, which tools may not enter. */
  get profileDirectory(): string {
    return this.#roots.profileDirectory;
  }

  /**
   * Returns a real path as it is shown to the user: relative to the workspace, with `/`, if it is inside; empty for the
   * workspace itself.
   */
  shownPath(real: string): string {
    const inside = relative(this.#roots.realWorkspace, real);
    return withSlashes(leavesUpwards(inside) ? real : inside);
  }

  /** The real paths of the roots. */
  get realRoots(): readonly string[] {
    return this.#roots.real;
  }

  /** Whether a real path may be touched. */
  contains(real: string): boolean {
    return this.#roots.contains(real);
  }

  /** Finds a file, whether or not it exists. Throws `AccessDenied` outside the roots. */
  async resolve(given: string): Promise<WorkspaceFile> {
    return this.#file(() => this.#roots.resolve(given, 'file'));
  }

  /**
   * Like `resolve`, but a file missing in the workspace may be found in a parent folder or the working directory (tool
   * catalogue B.1, read_file).
   */
  async resolveForReading(given: string): Promise<WorkspaceFile> {
    return this.#file(async () => {
      const resolved = await this.#roots.resolve(given, 'file');
      const elsewhere = resolved.exists || !this.#readWalkUp ? null : await this.#roots.findElsewhere(given);
      return elsewhere ?? resolved;
    });
  }

  /** Resolves with the folder, or `null` if it doesn't exist. Throws `AccessDenied` outside the roots. */
  async resolveDirectory(given: string): Promise<WorkspaceDirectory | null> {
    const resolved = await this.#roots.resolve(given, 'directory');
    if (!resolved.exists || !(await isDirectory(resolved.real))) return null;
    const shown = this.#shown(resolved);
    const { absolute, real } = resolved;
    const shownPrefix = shown === '' ? '' : `${shown}/`;
    return { given, absolute: withSlashes(absolute), real, shownPrefix, ...this.#place(resolved) };
  }

  /**
   * Resolves with a folder or regular file, or with `null` if it doesn't exist. Throws `AccessDenied` outside the
   * roots.
   */
  async find(given: string): Promise<FoundPath | null> {
    const resolved = await this.#roots.resolve(given, 'directory');
    const { absolute, real } = resolved;
    const stats = await stat(real).catch(() => undefined);
    const found = { absolute: withSlashes(absolute), real, ...this.#place(resolved) };
    if (stats?.isDirectory()) return { ...found, kind: 'directory', directory: real };
    if (stats?.isFile()) return { ...found, kind: 'file', directory: dirname(real), name: basename(real) };
    return null;
  }

  /**
   * Whether a file is at this path in a root, and was there before this time. The time at which its entry last changed
   * decides: programs can set the other times of a file.
   */
  async heldBefore(given: string, time: Date): Promise<boolean> {
    try {
      const { absolute, real, exists } = await this.#roots.resolve(given, 'file');
      if (!exists) return false;
      const [entry, file] = await Promise.all([lstat(absolute), stat(real)]);
      return file.isFile() && Math.max(entry.ctimeMs, file.ctimeMs) < time.getTime();
    } catch {
      // The path leads outside the roots, or is no path at all.
      return false;
    }
  }

  /** Throws if the workspace no longer exists. */
  async workspaceDirectory(): Promise<WorkspaceDirectory> {
    const resolved = await this.#roots.resolve('.', 'directory');
    return {
      given: '.',
      absolute: withSlashes(resolved.absolute),
      real: resolved.real,
      shownPrefix: '',
      ...this.#place(resolved),
    };
  }

  /** Lists files below a folder, including symlinks to files, as they are shown to the user and in code unit order. */
  async list(
    directory: WorkspaceDirectory,
    { recursive, signal }: { recursive: boolean; signal: AbortSignal },
  ): Promise<string[]> {
    const found: WalkedEntry[] = [];
    await requireSamePlace(directory, 'read');
    await walk({
      directory: directory.real,
      recursive,
      signal,
      enters: (real) => this.contains(real),
      onEntry: (entry) => found.push(entry),
    });
    return (await filesOf(found, directory)).map((path) => directory.shownPrefix + path);
  }

  /** Lists the entries of a folder, by name. The app's own folder is left out. */
  async entries(directory: WorkspaceDirectory): Promise<DirectoryEntry[]> {
    await requireSamePlace(directory, 'read');
    const listing = await PinnedDirectory.during(directory.real, (path) => readdir(path, { withFileTypes: true }));
    return listing
      .filter(({ name }) => this.contains(join(directory.real, name)))
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Lists files that match a pattern, including symlinks to files, relative to the folder and in code unit order. */
  async glob(directory: WorkspaceDirectory, pattern: PathGlob, signal: AbortSignal): Promise<string[]> {
    const found: WalkedEntry[] = [];
    await requireSamePlace(directory, 'read');
    await walk({
      directory: directory.real,
      recursive: true,
      signal,
      enters: (real, path) => !isGit(path) && pattern.mayHold(path) && this.contains(real),
      wantsIn: (folder) => pattern.namesIn(folder),
      // In a worktree .git is a file.
      onEntry: (entry) => isGit(entry.path) || found.push(entry),
    });
    return filesOf(found, directory);
  }

  /** `look` tells where the path leads now. */
  async #file(look: () => Promise<ResolvedPath | FoundElsewhere>): Promise<WorkspaceFile> {
    const { given, absolute, real, ...found } = await look();
    return new WorkspaceFile({
      given,
      absolute,
      real,
      outsideRoots: 'outsideRoots' in found && found.outsideRoots,
      recorder: this.#recorder,
      place: { leadsThere: async () => (await look()).real === real },
    });
  }

  #place({ given, real }: ResolvedPath): Place {
    return { leadsThere: async () => (await this.#roots.resolve(given, 'directory')).real === real };
  }

  /** Returns the path relative to the workspace if the path as written is below it, otherwise the real path. */
  #shown({ absolute, real }: ResolvedPath): string {
    const { workspace, realWorkspace } = this.#roots;
    const asWritten = relative(workspace, absolute);
    const inReality = relative(realWorkspace, real);
    return withSlashes(leavesUpwards(asWritten) && !leavesUpwards(inReality) ? inReality : asWritten);
  }
}

function leavesUpwards(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

/** Keeps the files. Symlinks count if they lead to a file. */
async function filesOf(entries: readonly WalkedEntry[], { real }: WorkspaceDirectory): Promise<string[]> {
  const files: string[] = [];
  for (const { path, kind } of entries)
    if (kind === 'file' || (await leadsToFile(`${real}${sep}${path}`))) files.push(path);
  return files;
}

function withSlashes(path: string): string {
  return path.split(sep).join('/');
}

function kindOf(entry: Dirent): DirectoryEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

function isGit(path: string): boolean {
  return path.slice(-4).toLowerCase() === '.git' && (path.length === 4 || path.at(-5) === '/');
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
