// @ts-check
// Does the same as src-main/base/rename-over.ts, which can't be imported before anything is built.
import { renameSync } from 'node:fs';

const ATTEMPTS = 10;
const WAIT_LONGER_BY_MS = 20;

/**
 * Renames a file or folder that was just written. On Windows a virus scanner or indexer may hold it open for a moment.
 * @param {string} from
 * @param {string} to
 */
export function renameOverSync(from, to) {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (process.platform !== 'win32' || attempt === ATTEMPTS || !/^(?:EPERM|EACCES|EBUSY)$/.test(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * WAIT_LONGER_BY_MS);
    }
  }
}
