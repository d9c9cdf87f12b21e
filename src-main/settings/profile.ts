import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { systemCode } from '../base/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The profile folder can't be used. `message` says why and what to do. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
  readonly code: 'not_a_folder' | 'not_writable' | 'not_creatable';

  constructor(code: ProfileError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The default folder: `~/.config/Steward` (or `Steward` in an absolute `XDG_CONFIG_HOME`), `~/Library/Application
 * Support/Steward` or `%APPDATA%\Steward`. Source: design section 7.
 */
export function defaultProfileDirectory(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Steward');
  if (platform === 'win32') return join(absolute(environment.APPDATA) ?? join(home, 'AppData', 'Roaming'), 'Steward');
  return join(absolute(environment.XDG_CONFIG_HOME) ?? join(home, '.config'), 'Steward');
}

/**
 * Creates the folder (accessible only by its owner) if it is missing. Throws `ProfileError`. Returns the absolute path.
 */
export function ensureProfileDirectory(directory: string): string {
  const path = resolve(directory);
  const advice = 'Choose another with --profile DIR.';
  try {
    createFolders(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new ProfileError(
        'not_a_folder',
        `The profile folder cannot be ${path}: ${blockingFile(path)} is a file. ${advice}`,
        { cause: error },
      );
    throw new ProfileError('not_creatable', `The profile folder ${path} cannot be created (${code}). ${advice}`, {
      cause: error,
    });
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why =
      codeOf(error) === 'EROFS'
        ? 'is on a read-only file system'
        : `cannot be read and written with your permissions (${codeOf(error)})`;
    throw new ProfileError('not_writable', `The profile folder ${path} ${why}. Nothing could be kept. ${advice}`, {
      cause: error,
    });
  }
  return path;
}

/**
 * Folder by folder: `recursive: true` never returns if a file system reports ENOENT below an existing folder, as /proc
 * does.
 */
function createFolders(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path && statSync(parent, { throwIfNoEntry: false }) === undefined) createFolders(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Unless another process has created it.
    if (!isFolder(path)) throw error;
  }
}

/**
 * The folder that the user started the app from. npm changes to the package's folder and puts the user's own into
 * `INIT_CWD`; a program that merely runs below an npm script keeps its current directory.
 */
export function launchDirectory(
  environment: Environment = process.env,
  currentDirectory: string = process.cwd(),
): string {
  const started = absolute(environment.INIT_CWD);
  const packageFile = absolute(environment.npm_package_json);
  const isInPackage = packageFile === undefined || dirname(packageFile) === currentDirectory;
  if (started !== undefined && environment.npm_lifecycle_event !== undefined && isInPackage && isFolder(started))
    return started;
  return currentDirectory;
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The nearest existing part of a path. */
function blockingFile(path: string): string {
  let at = path;
  for (;;) {
    try {
      statSync(at);
      return at;
    } catch {
      // Nothing exists below a file (ENOTDIR): look further up.
      at = dirname(at);
    }
  }
}

function codeOf(error: unknown): string {
  return systemCode(error) || 'unknown error';
}

/** The folder of a profile's logs, `steward.log` among them. */
export function logsIn(profileDirectory: string): string {
  return join(profileDirectory, 'logs');
}

export function serverLogsIn(profileDirectory: string): string {
  return join(logsIn(profileDirectory), 'servers');
}

export function locksIn(profileDirectory: string): string {
  return join(profileDirectory, 'locks');
}
