import { readFileSync, readlinkSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/** What Node 20 doesn't have yet. */
interface TellsItsTime {
  cpuUsage(): Promise<NodeJS.CpuUsage>;
}

/**
 * Milliseconds of processor time that a thread has used. They don't pass while other programs have the processors, so
 * that a limit on them is one on the work. `taskId` is what the thread itself got from `ownTaskId`.
 */
export async function threadTimeMs(thread: Worker, taskId: string | undefined): Promise<number> {
  if (tellsItsTime(thread)) return milliseconds(await thread.cpuUsage());
  // On other systems, and with a runtime older than the window's, this includes what other threads use.
  return taskTimeMs(taskId) ?? milliseconds(process.cpuUsage());
}

/** The id of the thread that calls this, or undefined if the system doesn't say. */
export function ownTaskId(): string | undefined {
  try {
    return /(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1];
  } catch {
    // Only Linux has this file.
    return undefined;
  }
}

/** One tick is 10 ms in all that Linux tells programs: proc_pid_stat(5), utime. */
const MS_PER_TICK = 10;

function taskTimeMs(taskId: string | undefined): number | undefined {
  if (taskId === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${taskId}/stat`, 'latin1');
    // After the name, which may hold blanks: state, then ten numbers, then utime and stime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    // The thread has just ended.
    return undefined;
  }
}

function tellsItsTime(thread: object): thread is TellsItsTime {
  return 'cpuUsage' in thread && typeof thread.cpuUsage === 'function';
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
