import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock } from '../../base/file-lock.ts';
import { StorageError, toStorageError } from '../database/storage-error.ts';

export interface Lease {
  release(): void;
}

export interface LeaseHeld {
  readonly heldByPid: number;
}

/**
 * One turn at a time per conversation, across processes. A lease is a file that the system keeps locked as long as its
 * holder lives, so `kill -9`, a reboot, a reused pid or a clock change leave nothing behind that would have to expire.
 */
export interface Leases {
  acquire(conversationId: string): Lease | LeaseHeld;
  /** Releases everything this storage still holds. */
  close(): void;
}

/**
 * How long two processes that check leases at the same moment wait for each other; a check takes about a millisecond.
 */
const MUTEX_WAIT_MS = 5_000;

export function createLeases(files: { readonly directory: string; readonly locks: string }): Leases {
  const { directory, locks } = files;
  const held = new Set<Lease>();

  function acquire(conversationId: string): Lease | LeaseHeld {
    const prefix = `turn-${encodeURIComponent(conversationId)}.`;
    for (const name of readdirSync(locks)) {
      if (name.startsWith(prefix) && name.endsWith('.lock') && isHeld(join(locks, name))) {
        return { heldByPid: Number(name.slice(prefix.length).split('.')[0]) };
      }
    }
    // The name is never reused, so removing the file can never affect a later holder.
    const file = join(locks, `${prefix}${process.pid}.${randomUUID()}.lock`);
    const lock = new FileLock(file);
    lock.tryExclusive();
    const lease: Lease = {
      release: () => {
        if (!held.delete(lease)) return;
        lock.close();
        rmSync(file, { force: true });
      },
    };
    held.add(lease);
    return lease;
  }

  return {
    acquire: (conversationId) => {
      try {
        const mutex = new FileLock(join(locks, 'turns.lock'), { waitMs: MUTEX_WAIT_MS });
        try {
          if (mutex.tryExclusive()) return acquire(conversationId);
        } finally {
          mutex.close();
        }
      } catch (error) {
        throw toStorageError(error, directory);
      }
      throw new StorageError(
        'database_busy',
        `Another process has locked ${join(locks, 'turns.lock')} for too long. Try again.`,
      );
    },

    close: () => {
      for (const lease of held) lease.release();
    },
  };
}

/** Whether a live process holds the lock; an unused lock file is removed. */
function isHeld(file: string): boolean {
  const lock = new FileLock(file);
  const isFree = lock.tryExclusive();
  lock.close();
  if (isFree) rmSync(file, { force: true });
  return !isFree;
}
