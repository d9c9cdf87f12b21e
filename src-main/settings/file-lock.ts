import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const RETRY_MS = 15;
/** A lock that stays the same for this long has been left behind: it is held for milliseconds. */
const ABANDONED_AFTER_MS = 10_000;

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

/**
 * Runs `action` while no other process (or other caller in this one) holds the lock at `path`. A lock left behind by a killed
 * process is taken over: at once if that process is gone, else after it has not changed for ten seconds (measured by the one
 * who waits, so that jumping clocks do not matter).
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const token = await acquire(path);
  try {
    return await action();
  } finally {
    if ((await readHolder(path))?.token === token) await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<string> {
  const holder: Holder = { token: randomUUID(), pid: process.pid, host: hostname() };
  let seen = '';
  let unchangedSince = performance.now();
  for (;;) {
    try {
      await writeFile(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
      return holder.token;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const other = await readHolder(path);
    const identity = other?.token ?? 'unreadable';
    if (identity !== seen) {
      seen = identity;
      unchangedSince = performance.now();
    }
    const abandoned = performance.now() - unchangedSince > ABANDONED_AFTER_MS || (other !== undefined && isGone(other));
    if (abandoned) await removeAbandoned(path, other?.token);
    else await wait(RETRY_MS * (0.5 + Math.random()));
  }
}

/** By renaming first, so that a lock taken meanwhile by a third process is noticed and put back. */
async function removeAbandoned(path: string, token: string | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await readHolder(aside))?.token === token) await rm(aside, { force: true });
  else await rename(aside, path);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isHolder(holder) ? holder : undefined;
  } catch (error) {
    // Gone meanwhile, or its holder is just writing it.
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && 'token' in value && 'pid' in value && 'host' in value;
}

function isGone(holder: Holder): boolean {
  if (holder.host !== hostname() || holder.pid === process.pid) return false;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return isCode(error, 'ESRCH');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
