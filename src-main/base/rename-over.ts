import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { systemCode } from './errors.ts';

const ATTEMPTS = 10;
const WAIT_LONGER_BY_MS = 20;
/** What Windows says while somebody has the file open. */
const PASSING: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Renames a file or folder that was just written, over another file if there is one. On Windows a virus scanner or
 * indexer may hold either of them open for a moment.
 */
export async function renameOver(
  from: string,
  to: string,
  move: (from: string, to: string) => Promise<void> = rename,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await move(from, to);
      return;
    } catch (error) {
      if (!mayPass(error, attempt, platform)) throw error;
      await wait(attempt * WAIT_LONGER_BY_MS);
    }
  }
}

/** Does the same where nothing may happen in between. */
export function renameOverSync(
  from: string,
  to: string,
  move: (from: string, to: string) => void = renameSync,
  platform: NodeJS.Platform = process.platform,
): void {
  for (let attempt = 1; ; attempt++) {
    try {
      move(from, to);
      return;
    } catch (error) {
      if (!mayPass(error, attempt, platform)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * WAIT_LONGER_BY_MS);
    }
  }
}

function mayPass(error: unknown, attempt: number, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && attempt < ATTEMPTS && PASSING.has(systemCode(error));
}
