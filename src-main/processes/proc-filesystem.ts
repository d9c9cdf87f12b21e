import { closeSync, openSync, readSync } from 'node:fs';
import { namesIn } from '../base/names-in.ts';

/** What Linux reports about a process. Source: proc_pid_stat(5). */
export interface ProcStat {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The start in clock ticks since boot. Together with the pid it identifies a process. */
  readonly startedAt: number;
  /** The process is a zombie. One whose main thread alone has ended still runs. */
  readonly hasEnded: boolean;
  readonly isKernelThread: boolean;
}

/**
 * Files are read synchronously, not in the thread pool: a file in /proc takes ten microseconds, and the scan must be
 * quick.
 */
let buffer = Buffer.allocUnsafe(64 * 1024);

const NINE = '9'.charCodeAt(0);

export function numbersInProc(): number[] {
  // Only the names of processes begin with a digit.
  return namesIn('/proc').flatMap((name) => (name.charCodeAt(0) <= NINE ? [Number(name)] : []));
}

/** What /proc says about a process, or undefined if there is no such process. */
export function statOf(pid: number): ProcStat | undefined {
  const bytes = contentsOf(`/proc/${pid}/stat`);
  if (bytes === undefined || bytes.length === 0) return undefined;
  const line = bytes.toString('latin1');
  // The fields after the name, which may contain anything: state ppid pgrp session …
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const [parent, group, session, threads, startedAt] = [1, 2, 3, 17, 19].map((index) => Number(fields[index]));
  if (parent === undefined || group === undefined || session === undefined || startedAt === undefined) return undefined;
  return {
    parent,
    group,
    session,
    startedAt,
    hasEnded: (state === 'Z' || state === 'X') && (threads ?? 0) <= 1,
    isKernelThread: group === 0 && session === 0 && (parent === 2 || pid === 2),
  };
}

/**
 * The environment as it was when the program started. It is valid until the next call, and empty for a moment while a
 * program is being loaded. Undefined if the process is gone or belongs to another user.
 */
export function environmentOf(pid: number): Buffer | undefined {
  const bytes = contentsOf(`/proc/${pid}/environ`);
  if (bytes !== undefined && bytes.length > 0) return bytes;
  const thread = otherThreadOf(pid);
  return thread === undefined ? bytes : contentsOf(`${thread}/environ`);
}

/** If the main thread has ended, the other threads still have the data. */
function otherThreadOf(pid: number): string | undefined {
  const other = namesIn(`/proc/${pid}/task`).find((thread) => Number(thread) !== pid);
  return other === undefined ? undefined : `/proc/${pid}/task/${other}`;
}

/** The owner of a process, which is its real user. */
export function userOf(pid: number): number | undefined {
  const uid = /^Uid:\s*(\d+)/m.exec(contentsOf(`/proc/${pid}/status`)?.toString('latin1') ?? '')?.[1];
  return uid === undefined ? undefined : Number(uid);
}

/**
 * The bytes of a process that are in no file, even where they are swapped out. Pages of files don't count: the system
 * takes them back when it needs the memory.
 */
export function memoryInProc(pid: number): number {
  const status = contentsOf(`/proc/${pid}/status`)?.toString('latin1') ?? '';
  const kibibytes = [...status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB$/gm)].map(([, count]) =>
    Number(count),
  );
  return kibibytes.reduce((sum, count) => sum + count, 0) * 1024;
}

/** Whether a process is in our control group, which children inherit. */
export function isInControlGroupOfThis(pid: number): boolean {
  const own = controlGroup('/proc/self');
  if (controlGroup(`/proc/${pid}`) === own) return true;
  const thread = otherThreadOf(pid);
  return thread !== undefined && controlGroup(thread) === own;
}

function controlGroup(folder: string): string | undefined {
  return contentsOf(`${folder}/cgroup`)?.toString('latin1');
}

/** The command line in a single line. If the process has cleared it, its name in brackets, as in ps. */
export function commandLineOf(pid: number): string {
  const line =
    contentsOf(`/proc/${pid}/cmdline`)
      ?.toString('utf8')
      .replace(/(?<!\0)\0+$/, '')
      .replaceAll('\0', ' ') ?? '';
  return line === '' ? `[${contentsOf(`/proc/${pid}/comm`)?.toString('utf8').trim() ?? ''}]` : line;
}

/** No machine starts more processes per second than this. */
const MAX_STARTS_PER_SECOND = 100_000;

/**
 * Tells which pids were assigned before `pid`, which was `ageMs` ago: pids are assigned in order, and start over after
 * the highest. It answers only if they can't have wrapped around completely in that time.
 */
export function numberedBefore(pid: number, ageMs: number): (other: number) => boolean {
  const last = Number(contentsOf('/proc/loadavg')?.toString('latin1').trim().split(' ').at(-1)) || 0;
  const highest = Number(contentsOf('/proc/sys/kernel/pid_max')?.toString('latin1')) || 0;
  if (last === 0 || (ageMs / 1000) * MAX_STARTS_PER_SECOND > highest) return () => false;
  return last >= pid ? (other) => other < pid || other > last : (other) => other < pid && other > last;
}

/** Tells which of the processes that are running now were started before this one, which was only just started. */
export function runningBefore(pid: number): (other: number) => boolean {
  const older = new Set(numbersInProc().filter(numberedBefore(pid, 0)));
  return (other) => older.has(other);
}

function contentsOf(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    for (let length = 0; ; ) {
      const read = readSync(file, buffer, length, buffer.length - length, null);
      length += read;
      // A longer file in /proc fills the whole buffer.
      if (length < buffer.length) return buffer.subarray(0, length);
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
  } catch {
    // With ESRCH, the process ended meanwhile.
    return undefined;
  } finally {
    closeSync(file);
  }
}
