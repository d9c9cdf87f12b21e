import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { ResolvedPath, Roots } from '../../policy/roots.ts';
import type { PathGlob } from '../path-glob.ts';
import type { ChangeRecorder } from './change-recorder.ts';
import { FileProblem } from './file-problem.ts';
import { PinnedDirectory } from './pinned-directory.ts';
import { leadsToFile, type WalkedEntry, walk } from './walker.ts';
import { WorkspaceFile } from './workspace-file.ts';

export interface WorkspaceFilesOptions {
  readonly roots: Roots;
  /** Whether read_file looks for missing files in the folders above, up to the repository's root. Default true. */
  readonly readWalkUp?: boolean;
  /** Keeps what is changed as it was. */
  readonly recorder?: ChangeRecorder;
}

/** A folder that a tool was given. */
export interface WorkspaceDirectory {
  readonly given: string;
  /** Lexically resolved, with `/`. */
  readonly absolute: string;
  /** Real path. */
  readonly real: string;
  /** How its entries are shown: relative to the workspace, with `/` at the end; empty for the workspace itself. */
  readonly shownPrefix: string;
}

/** A file or folder that a tool was given, with the real path of the folder to search in. */
export type FoundPath = {
  /** Lexically resolved, with `/`. */
  readonly absolute: string;
  readonly real: string;
  readonly directory: string;
} & ({ readonly kind: 'directory' } | { readonly kind: 'file'; readonly name: string });

/** Symlinks are not followed. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
}

/** All that tools do with files goes through here, so that every path passes the same policy (tool catalogue A.11). */
export class WorkspaceFiles {
  readonly #roots: Roots;
  readonly #readWalkUp: boolean;
  readonly #recorder: ChangeRecorder | undefined;

  constructor({ roots, readWalkUp = true, recorder }: WorkspaceFilesOptions) {
    this.#roots = roots;
    this.#readWalkUp = readWalkUp;
    this.#recorder = recorder;
  }

  /** The same files; what is changed through these is recorded first. */
  recording(recorder: ChangeRecorder): WorkspaceFiles {
    return new WorkspaceFiles({ roots: this.#roots, readWalkUp: this.#readWalkUp, recorder });
  }

  /** Absolute path as configured. */
  get workspace(): string {
    return this.#roots.workspace;
  }

  /** Real path of the app's own folder, which no tool may enter. */
  get profileDirectory(): string {
    return this.#roots.profileDirectory;
  }

  /** Whether a real path may be touched. */
  contains(real: string): boolean {
    return this.#roots.contains(real);
  }

  /** A file, whether it exists or not. Throws `AccessDenied` outside the roots. */
  async resolve(given: string): Promise<WorkspaceFile> {
    return this.#file(await this.#roots.resolve(given, 'file'));
  }

  /** As `resolve`; what is not in the workspace may be found above it (tool catalogue B.1, read_file). */
  async resolveForReading(given: string): Promise<WorkspaceFile> {
    const resolved = await this.#roots.resolve(given, 'file');
    if (resolved.exists || !this.#readWalkUp) return this.#file(resolved);
    const above = await this.#roots.findUpwards(given);
    return above === null ? this.#file(resolved) : this.#file(above, above.outsideRoots);
  }

  /** The folder, or `null` if there is none. Throws `AccessDenied` outside the roots. */
  async resolveDirectory(given: string): Promise<WorkspaceDirectory | null> {
    const resolved = await this.#roots.resolve(given, 'directory');
    if (!resolved.exists || !(await isDirectory(resolved.real))) return null;
    const shown = this.#shown(resolved);
    const { absolute, real } = resolved;
    return { given, absolute: withSlashes(absolute), real, shownPrefix: shown === '' ? '' : `${shown}/` };
  }

  /** A folder or regular file; `null`: there is none. Throws `AccessDenied` outside the roots. */
  async find(given: string): Promise<FoundPath | null> {
    const { absolute, real } = await this.#roots.resolve(given, 'directory');
    const stats = await stat(real).catch(() => undefined);
    const found = { absolute: withSlashes(absolute), real };
    if (stats?.isDirectory()) return { ...found, kind: 'directory', directory: real };
    if (stats?.isFile()) return { ...found, kind: 'file', directory: dirname(real), name: basename(real) };
    return null;
  }

  /** Real path of the workspace. Throws if it is gone. */
  async workspaceDirectory(): Promise<string> {
    return (await this.#roots.resolve('.', 'directory')).real;
  }

  /** Files below a folder, symlinks to files among them, as shown to people; by the order of their code units. */
  async list(
    directory: WorkspaceDirectory,
    { recursive, signal }: { recursive: boolean; signal: AbortSignal },
  ): Promise<string[]> {
    const found: WalkedEntry[] = [];
    await walk({
      directory: directory.real,
      recursive,
      signal,
      enters: (real) => this.contains(real),
      onEntry: (entry) => found.push(entry),
    });
    return (await filesOf(found, directory)).map((path) => directory.shownPrefix + path);
  }

  /** What is in a folder, by name. The app's own folder is left out. */
  async entries(directory: WorkspaceDirectory): Promise<DirectoryEntry[]> {
    const listing = await PinnedDirectory.during(directory.real, (path) => readdir(path, { withFileTypes: true }));
    return listing
      .filter(({ name }) => this.contains(join(directory.real, name)))
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Files that a pattern matches, symlinks to files among them, relative to the folder; by the order of their code units. */
  async glob(directory: WorkspaceDirectory, pattern: PathGlob, signal: AbortSignal): Promise<string[]> {
    const found: WalkedEntry[] = [];
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

  #file(resolved: ResolvedPath, outsideRoots = false): WorkspaceFile {
    return new WorkspaceFile({
      given: resolved.given,
      absolute: resolved.absolute,
      real: resolved.real,
      outsideRoots,
      recorder: this.#recorder,
      recheck: async () => {
        const now = await this.#roots.resolve(resolved.given, 'file');
        if (now.real !== resolved.real)
          throw new FileProblem('changed', 'the path leads elsewhere now; nothing was written');
      },
    });
  }

  /** Relative to the workspace where the path is below it as it is written, else by where it really is. */
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

/** Symlinks count if they lead to a file. */
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
