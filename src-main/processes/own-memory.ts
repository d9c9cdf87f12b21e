import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { memoryInProc } from './proc-filesystem.ts';

const WITHIN_MS = 2_000;

/**
 * The bytes that processes have in memory. On Linux without the files that they map, and what they share counts for each
 * of them; `ps` counts mapped files too.
 */
export async function ownMemoryOf(pids: readonly number[]): Promise<number> {
  if (process.platform === 'linux') return sumOf(pids.map(memoryInProc));
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', pids.join()], { timeout: WITHIN_MS });
    return sumOf(stdout.trim().split(/\s+/).map(Number)) * 1024;
  } catch {
    // All of them have ended, or the machine is too busy to tell in time: the next look comes soon.
    return 0;
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
