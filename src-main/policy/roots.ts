import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, parse, resolve as resolvePath } from 'node:path';
import { type FolderFlaw, folderFlawText } from '../../src-preload/contract/folder-flaw.ts';
import { errorMessage } from '../base/errors.ts';
import { isInside, isRefusedWindowsSyntax } from '../base/paths.ts';
import { type RealPath, realPathOf, realPathOfSync, UnresolvablePath } from '../base/real-path.ts';
import { shortened } from '../base/text.ts';
import { folderFlaw } from './folder-flaw.ts';
import { searchUpwards } from './upward-search.ts';

/** No file system allows a longer path; this is the limit of Windows for extended paths. */
const MAX_PATH_CHARACTERS = 32_767;
/** A path inside an error message is shortened to this. */
const SHOWN_CHARACTERS = 200;

export type PathKind = 'file' | 'directory';

export interface ResolvedPath {
  readonly given: string;
  /** The path resolved against the workspace without looking at the disk. */
  readonly absolute: string;
  /** The path with its symlinks resolved, even if the file does not exist yet. This is the one to read and write. */
  readonly real: string;
  readonly exists: boolean;
}

export interface FoundElsewhere extends ResolvedPath {
  /** The file is outside the roots, so reading it asks first. */
  readonly outsideRoots: boolean;
}

/** Thrown for a path outside the roots. `message` is the complete and exact text for the model. */
export class AccessDenied extends Error {
  override readonly name = 'AccessDenied';
  /**
   * The real path of a folder that the user could grant to make the call possible, whether or not it exists. Undefined
   * if granting would not help, or would need a folder that only the user may choose (`isTooWide`).
   */
  readonly folder: string | undefined;

  constructor(kind: PathKind, workspace: string, folder: string | undefined) {
    super(`Error: Access denied. ${kind === 'file' ? 'File' : 'Directory'} must be in ${workspace}`);
    this.folder = folder;
  }
}

/**
 * Thrown if tools can't work in the workspace. `message` says which folder it is and why, but not what to do, which
 * depends on the surface.
 */
export class UnusableWorkspace extends Error {
  override readonly name = 'UnusableWorkspace';

  constructor(workspace: string, flaw: FolderFlaw) {
    super(folderFlawText(`The workspace ${workspace}`, flaw));
  }
}

export interface RootsOptions {
  /** The absolute path of the workspace. */
  readonly workspace: string;
  /**
   * A workspace whose real path can't be found counts as the folder that it is written as. There is nothing in it for
   * now, and if it turns up as a symlink, that leads outside. Without this, it is an error.
   */
  readonly acceptsUnusable?: boolean;
  /** The absolute paths of the folders that the user granted. */
  readonly folders: readonly string[];
  /**
   * The absolute path of the folder in which the user usually works. What `read_file` finds nowhere else is looked up
   * there if that is a root.
   */
  readonly workingDirectory?: string | undefined;
  /** The absolute path of the profile folder, which is never inside a root. */
  readonly profileDirectory: string;
  /** The absolute path of the home folder. Without this, it is the user's. */
  readonly homeDirectory?: string;
}

/**
 * The folders that file tools may touch. Their real paths are resolved when they are given, so that a workspace which
 * is later swapped for a symlink to `/etc` doesn't make `/etc` a root. Source: tool catalogue A.11, design section 4.
 */
export class Roots {
  /** The absolute path of the workspace as it is configured. */
  readonly workspace: string;
  readonly realWorkspace: string;
  /** The real path of the profile folder, which walks through folders leave out. */
  readonly profileDirectory: string;
  #unusableFolders: readonly { readonly folder: string; readonly reason: string }[] = [];
  #realFolders: readonly string[] = [];
  readonly #realHome: string;
  readonly #workingDirectory: string | undefined;

  /** Throws with the problem if a folder is not an absolute path, or if workspace, profile or home can't be read. */
  constructor({
    workspace,
    folders,
    profileDirectory,
    homeDirectory = homedir(),
    acceptsUnusable = false,
    workingDirectory,
  }: RootsOptions) {
    this.#workingDirectory = workingDirectory;
    this.workspace = absoluteFolder('workspace', workspace);
    const resolved = grantedFolder(this.workspace);
    if (acceptsUnusable && 'reason' in resolved) this.realWorkspace = this.workspace;
    else this.realWorkspace = realFolder('workspace', this.workspace);
    this.profileDirectory = realFolder('profile folder', absoluteFolder('profile folder', profileDirectory));
    this.grantOnly(folders);
    this.#realHome = realFolder('home folder', absoluteFolder('home folder', homeDirectory));
  }

  /** The granted folders that have no effect because they can't be read. */
  get unusableFolders(): readonly { readonly folder: string; readonly reason: string }[] {
    return this.#unusableFolders;
  }

  /** Replaces the granted folders, for calls in progress as well. Throws if one is not an absolute path. */
  grantOnly(folders: readonly string[]): void {
    const granted = folders.map((folder) => grantedFolder(absoluteFolder('granted folder', folder)));
    this.#realFolders = granted.flatMap((it) => ('real' in it ? [it.real] : []));
    this.#unusableFolders = granted.flatMap((it) => ('reason' in it ? [it] : []));
  }

  /**
   * Whether a real path lies inside a root. The profile folder is excluded even there, because `write_file` could name
   * a server to start in its config.json.
   */
  contains(realPath: string): boolean {
    return !isInside(this.profileDirectory, realPath) && this.real.some((root) => isInside(root, realPath));
  }

  /** The real paths of the workspace and the granted folders. */
  get real(): readonly string[] {
    return [this.realWorkspace, ...this.#realFolders];
  }

  /** Why tools can't work in the workspace now, or undefined if they can. */
  async workspaceFlaw(): Promise<FolderFlaw | undefined> {
    return isInside(this.profileDirectory, this.realWorkspace) ? 'in_profile' : folderFlaw(this.realWorkspace);
  }

  /** Throws `UnusableWorkspace` if tools can't work in the workspace now. */
  async checkWorkspace(): Promise<void> {
    const flaw = await this.workspaceFlaw();
    if (flaw !== undefined) throw new UnusableWorkspace(this.workspace, flaw);
  }

  /**
   * Resolves a path given to a tool. Relative paths start in the workspace, and an empty path is the workspace if a
   * folder is expected. The real path is judged, so `notes/x` leads out if `notes` is a link to `/etc`, and so does
   * `../x`. Throws `AccessDenied` outside the roots whether or not anything exists there, so that the model can't probe
   * for files. Throws another error if the path is invalid or the workspace no longer exists.
   */
  async resolve(given: string, kind: PathKind): Promise<ResolvedPath> {
    if (given.length > MAX_PATH_CHARACTERS) throw new Error(`The path ${quoted(given)} is too long.`);
    if (given.includes('\0')) throw new Error('The path contains a NUL character. Give a path without it.');
    if (/\p{Surrogate}/u.test(given))
      throw new Error('The path is not valid Unicode. Give a path without lone surrogates.');
    if (given === '' && kind === 'file') throw new Error('The path is empty. Give the path of a file.');
    if (isRefusedWindowsSyntax(given)) throw new AccessDenied(kind, this.workspace, undefined);
    const absolute = resolvePath(this.workspace, given);
    const { path: real, exists } = await this.#realInside(absolute, given, kind);
    if (!this.contains(real)) throw new AccessDenied(kind, this.workspace, await this.#grantable(real, kind));
    if (!exists && isInside(this.realWorkspace, real)) await this.checkWorkspace();
    return { given, absolute, real, exists };
  }

  /**
   * Finds a file with this relative path that the workspace lacks: in a parent, up to the repository's root, and
   * otherwise in the working directory if that is a root. Null if there is none, or if such a path is not looked up.
   * Source: tool catalogue B.1, read_file.
   */
  async findElsewhere(given: string): Promise<FoundElsewhere | null> {
    if (given === '' || given.includes('\0') || /\p{Surrogate}/u.test(given) || given.length > MAX_PATH_CHARACTERS)
      return null;
    if (isAbsolute(given) || isRefusedWindowsSyntax(given)) return null;
    if (given.split(/[\\/]/).includes('..')) return null;
    const found = await searchUpwards({ given, from: this.realWorkspace, home: this.#realHome });
    if (found === null) return this.#findInWorkingDirectory(given);
    if (isInside(this.profileDirectory, found.real)) return null;
    return { given, ...found, exists: true, outsideRoots: !this.contains(found.real) };
  }

  async #findInWorkingDirectory(given: string): Promise<FoundElsewhere | null> {
    const folder = this.#workingDirectory;
    if (folder === undefined) return null;
    try {
      if (!this.contains((await realPathOf(folder)).path)) return null;
      const absolute = resolvePath(folder, given);
      const { path: real, exists } = await realPathOf(absolute);
      if (!exists || !this.contains(real) || !(await isFile(real))) return null;
      return { given, absolute, real, exists: true, outsideRoots: false };
    } catch (error) {
      if (error instanceof UnresolvablePath) return null;
      throw error;
    }
  }

  async #realInside(absolute: string, given: string, kind: PathKind): Promise<RealPath> {
    try {
      return await realPathOf(absolute);
    } catch (error) {
      if (!(error instanceof UnresolvablePath)) throw error;
      if (!this.contains(error.reached)) throw new AccessDenied(kind, this.workspace, undefined);
      throw new Error(`The path ${quoted(given)} cannot be used: ${error.message}.`, { cause: error });
    }
  }

  async #grantable(real: string, kind: PathKind): Promise<string | undefined> {
    if (isInside(this.profileDirectory, real)) return undefined;
    const folder = kind === 'directory' && !(await isFile(real)) ? real : dirname(real);
    if (isTooWide(folder, this.#realHome)) return undefined;
    // A missing folder directly below the root directory is a made-up path, or one that the user may not create.
    const existing = await nearestFolder(folder);
    return existing === undefined || existing === parse(existing).root ? undefined : folder;
  }
}

/**
 * Whether a real folder is the root directory, a home folder, or a parent of one. These are granted only if the user
 * chooses them, and never offered. Otherwise a model that asks for `~/x.txt` would put the button for the whole home
 * folder in front of the user.
 */
export function isTooWide(folder: string, home: string): boolean {
  return folder === parse(folder).root || isInside(folder, home);
}

/** The nearest folder that exists on the way to a path, or undefined if something on the way is not a folder. */
async function nearestFolder(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats !== undefined) return stats.isDirectory() ? path : undefined;
  return path === dirname(path) ? undefined : nearestFolder(dirname(path));
}

function absoluteFolder(what: string, path: string): string {
  if (path.includes('\0') || !isAbsolute(path))
    throw new Error(`The ${what} must be an absolute path, not ${JSON.stringify(path)}.`);
  return resolvePath(path);
}

function realFolder(what: string, path: string): string {
  try {
    return realPathOfSync(path).path;
  } catch (error) {
    throw new Error(`The ${what} ${path} cannot be used: ${errorMessage(error)}.`, {
      cause: error,
    });
  }
}

function grantedFolder(
  folder: string,
): { readonly real: string } | { readonly folder: string; readonly reason: string } {
  try {
    return { real: realPathOfSync(folder).path };
  } catch (error) {
    if (error instanceof UnresolvablePath) return { folder, reason: error.message };
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

function quoted(path: string): string {
  return JSON.stringify(shortened(path, SHOWN_CHARACTERS));
}
