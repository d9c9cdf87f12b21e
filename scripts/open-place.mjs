// @ts-check
// If the working copy is where other users may not go, as in /root on Debian, a test can't start anything there as
// another user. This file provides a place where it can.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `nobody`, who has none of root's rights. */
export const UNPRIVILEGED_USER = 65_534;
const MOUNTED = 'mount --bind "$1" "$2" && cd "$2" && shift 2 && exec "$@"';

/**
 * @returns {boolean} whether other users can start the Node that runs this. Only root tries it, because it can become
 * another user.
 */
export function isOpenToOthers() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return true;
  const user = { uid: UNPRIVILEGED_USER, gid: UNPRIVILEGED_USER };
  return spawnSync(process.execPath, ['--version'], { cwd: '/', stdio: 'ignore', ...user }).status === 0;
}

/**
 * Calls `work` with a command line that shows a folder at a place that everybody may enter, and runs what follows in
 * it: a bind mount in a mount namespace, which ends with the program. Calls with `undefined` where that isn't allowed,
 * as in most containers.
 * @template Result
 * @param {string} folder
 * @param {(place: { folder: string, prefix: readonly string[] } | undefined) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withOpenPlace(folder, work) {
  const place = mkdtempSync(join(tmpdir(), 'steward-open-'));
  try {
    chmodSync(place, 0o755);
    const prefix = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', MOUNTED, 'sh', folder, place];
    const [program = '', ...args] = prefix;
    const isAllowed = spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
    return await work(isAllowed ? { folder: place, prefix } : undefined);
  } finally {
    rmdirSync(place);
  }
}
