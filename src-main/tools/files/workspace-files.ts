import { stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { ResolvedPath, Roots } from '../../policy/roots.ts';
import { FileProblem } from './file-problem.ts';
import { leadsToFile, walk } from './walker.ts';
import { WorkspaceFile } from './workspace-file.ts';

export interface WorkspaceFilesOptions {
  readonly roots: Roots;
  /** Whether read_file looks for missing files in the folders above, up to the repository's root. Default true. */
  readonly readWalkUp?: boolean;
}

/** A folder that a tool was given. */
export interface WorkspaceDirectory {
  readonly given: string;
  /** Real path. */
  readonly real: string;
  /** How its entries are shown: relative to the workspace, with `/` at the end; empty for the workspace itself. */
  readonly shownPrefix: string;
}

/** All that tools do with files goes through here, so that every path passes the same policy (tool catalogue A.11). */
export class WorkspaceFiles {
  readonly #roots: Roots;
  readonly #readWalkUp: boolean;

  constructor({ roots, readWalkUp = true }: WorkspaceFilesOptions) {
    this.#roots = roots;
    this.#readWalkUp = readWalkUp;
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
    return { given, real: resolved.real, shownPrefix: shown === '' ? '' : `${shown}/` };
  }

  /** Real path of the workspace. Throws if it is gone. */
  async workspaceDirectory(): Promise<string> {
    return (await this.#roots.resolve('.', 'directory')).real;
  }

  /** Files below a folder, symlinks to files among them, as shown to people; unsorted. */
  async list(
    directory: WorkspaceDirectory,
    { recursive, signal }: { recursive: boolean; signal: AbortSignal },
  ): Promise<string[]> {
    const files: string[] = [];
    const links: string[] = [];
    await walk({
      directory: directory.real,
      recursive,
      signal,
      enters: (real) => this.contains(real),
      onEntry: ({ path, kind }) => (kind === 'file' ? files : links).push(path),
    });
    for (const link of links) if (await leadsToFile(`${directory.real}${sep}${link}`)) files.push(link);
    return files.map((path) => directory.shownPrefix + path);
  }

  #file(resolved: ResolvedPath, outsideRoots = false): WorkspaceFile {
    return new WorkspaceFile({
      given: resolved.given,
      absolute: resolved.absolute,
      real: resolved.real,
      outsideRoots,
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
    return (leavesUpwards(asWritten) && !leavesUpwards(inReality) ? inReality : asWritten).split(sep).join('/');
  }
}

function leavesUpwards(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
