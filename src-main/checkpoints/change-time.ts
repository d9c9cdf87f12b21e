import { type BigIntStats, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PinnedDirectory } from '../base/pinned-directory.ts';

/**
 * An entry that was changed this long before a time may change after it without another time: clocks of file systems
 * tick every few milliseconds, some only every two seconds.
 */
const TICK_NS = 50_000_000n;
const COARSE_TICK_NS = 2_000_000_000n;
export const SECOND_NS = 1_000_000_000n;

/** Whether an entry was certainly not changed from this time on (nanoseconds since 1970). No program can set `ctime`. */
export function wasChangedBefore({ ctimeNs }: Pick<BigIntStats, 'ctimeNs'>, timeNs: bigint): boolean {
  return ctimeNs + (ctimeNs % SECOND_NS === 0n ? COARSE_TICK_NS : TICK_NS) < timeNs;
}

/**
 * Whether anything in a folder (a real path) may have been changed from this time on. What was deleted or renamed
 * changed its folder.
 */
export function mayHaveChangedSince(folder: string, timeNs: bigint): boolean {
  const folders = [folder];
  try {
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      const pinned = PinnedDirectory.openSync(next);
      try {
        // The pinned path may be a link, which has a time of its own.
        if (!wasChangedBefore(statSync(pinned.path, { bigint: true }), timeNs)) return true;
        for (const name of readdirSync(pinned.path)) {
          const stats = lstatSync(pinned.entry(name), { bigint: true });
          if (!wasChangedBefore(stats, timeNs)) return true;
          if (stats.isDirectory()) folders.push(join(next, name));
        }
      } finally {
        pinned.close();
      }
    }
    return false;
  } catch {
    // It can't be read, or changes right now.
    return true;
  }
}
