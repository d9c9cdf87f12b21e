import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Systems cut or refuse longer socket paths (108 bytes on Linux, 104 on macOS). Source: tool catalogue D.9. */
export const MAX_SOCKET_PATH_BYTES = 100;

export interface PlaceOptions {
  /** The absolute path. */
  readonly profileDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * The path on which the window listens: `{profile}/client.sock`, or for a long path a name of the profile in the user's
 * runtime folder, created if needed. On Windows it is a pipe with a random name, which `client.json` tells.
 */
export function socketPath({ profileDirectory, env, platform = process.platform }: PlaceOptions): string {
  if (platform === 'win32') return `\\\\.\\pipe\\steward-${randomBytes(16).toString('hex')}`;
  const own = join(profileDirectory, 'client.sock');
  if (Buffer.byteLength(own) <= MAX_SOCKET_PATH_BYTES) return own;
  const hash = createHash('sha256').update(profileDirectory).digest('hex').slice(0, 16);
  const { XDG_RUNTIME_DIR: runtime } = env;
  const folder = runtime !== undefined && isAbsolute(runtime) ? runtime : join(tmpdir(), `steward-${userInfo().uid}`);
  createFolder(folder);
  // Others may have made a link of this name in a shared folder: it could lead programs to a socket of theirs later.
  return join(realpathSync(folder), `steward-${hash}.sock`);
}

export class UnsafeFolder extends Error {
  override readonly name = 'UnsafeFolder';
}

/** Creates the socket's folder if needed. Throws `UnsafeFolder` if others could replace the socket in it. */
export function prepareFolder(socket: string): void {
  const folder = dirname(socket);
  createFolder(folder);
  const { uid, mode } = statSync(folder);
  if (uid !== userInfo().uid || (mode & OTHERS_WRITE) !== 0)
    throw new UnsafeFolder(`The folder ${folder} belongs to another user, or others may write to it.`);
}

function createFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Whether a file is a socket, and not a link to one. */
export function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
}

const OTHERS_WRITE = 0o022;
