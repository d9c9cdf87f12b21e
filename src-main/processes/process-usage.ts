import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { numbersInProc } from './proc-filesystem.ts';
import { psArguments, windowsProgram } from './system-program.ts';

/** What a process uses. */
interface Used {
  readonly parent: number;
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

/** What a process and everything below it use. */
export interface TreeUsage {
  readonly memoryBytes: number;
  /** The processor time since the processes began. */
  readonly cpuSeconds: number;
}

/** The kernel's USER_HZ, the same on every current Linux. */
const TICKS_PER_SECOND = 100;
const WITHIN_MS = 5_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const WINDOWS_SCRIPT =
  "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId, $_.WorkingSetSize, ($_.KernelModeTime + $_.UserModeTime) }";

/** What these processes and their children use now. One that is gone is not in the map. */
export async function usageOfTrees(roots: readonly number[]): Promise<ReadonlyMap<number, TreeUsage>> {
  const table = roots.length === 0 ? new Map<number, Used>() : await usedByProcess();
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of table) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const usage = new Map<number, TreeUsage>();
  for (const root of roots) {
    let [memoryBytes, cpuSeconds] = [0, 0];
    const tree = table.has(root) ? [root] : [];
    for (const pid of tree) {
      const used = table.get(pid);
      memoryBytes += used?.memoryBytes ?? 0;
      cpuSeconds += used?.cpuSeconds ?? 0;
      tree.push(...(children.get(pid) ?? []).filter((child) => !tree.includes(child)));
    }
    if (tree.length > 0) usage.set(root, { memoryBytes, cpuSeconds });
  }
  return usage;
}

async function usedByProcess(): Promise<Map<number, Used>> {
  if (process.platform === 'linux') return fromProc();
  try {
    return process.platform === 'win32' ? await fromWindows() : await fromPs();
  } catch {
    // The usage is shown for orientation, and nothing depends on it.
    return new Map();
  }
}

async function fromProc(): Promise<Map<number, Used>> {
  const read = await Promise.all(numbersInProc().map(async (pid) => [pid, await usedByProc(pid)] as const));
  return new Map(read.flatMap(([pid, used]) => (used === undefined ? [] : [[pid, used] as const])));
}

/** Source: proc_pid_stat(5), proc_pid_status(5). */
async function usedByProc(pid: number): Promise<Used | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const numbered = (field: number) => Number(fields[field - 3]);
    const memoryBytes = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    return { parent: numbered(4), memoryBytes, cpuSeconds: (numbered(14) + numbered(15)) / TICKS_PER_SECOND };
  } catch {
    // The process ended meanwhile.
    return undefined;
  }
}

async function fromPs(): Promise<Map<number, Used>> {
  const { stdout } = await output('ps', psArguments(['pid', 'ppid', 'rss', 'time']));
  return new Map(
    stdout.split('\n').flatMap((line): [number, Used][] => {
      const [pid, parent, kilobytes, time] = line.trim().split(/\s+/);
      if (time === undefined || !/^\d+$/.test(pid ?? '')) return [];
      return [
        [Number(pid), { parent: Number(parent), memoryBytes: Number(kilobytes) * 1024, cpuSeconds: secondsOf(time) }],
      ];
    }),
  );
}

/** The seconds of a time that is written as `[[dd-]hh:]mm:ss[.ss]`. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  return (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}

async function fromWindows(): Promise<Map<number, Used>> {
  const command = ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT];
  const { stdout } = await output(windowsProgram('powershell'), command);
  return new Map(
    stdout.split('\n').flatMap((line): [number, Used][] => {
      const [pid, parent, memoryBytes, hundredNanoseconds] = line.trim().split(' ').map(Number);
      if (pid === undefined || parent === undefined || memoryBytes === undefined || hundredNanoseconds === undefined)
        return [];
      return [[pid, { parent, memoryBytes, cpuSeconds: hundredNanoseconds / 1e7 }]];
    }),
  );
}

function output(program: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
  return promisify(execFile)(program, [...args], {
    timeout: WITHIN_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  });
}
