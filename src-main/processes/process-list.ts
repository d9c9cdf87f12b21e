import { readdir, readFile } from 'node:fs/promises';
import { totalmem, uptime } from 'node:os';
import type { ProcessRunner } from './process-runner.ts';
import { type ListedProcess, parsePs, parseWindowsProcesses, WINDOWS_PROCESSES_SCRIPT } from './process-tables.ts';
import { psArguments, windowsProgram } from './system-program.ts';

interface Surroundings {
  readonly processes: ProcessRunner;
  /** The folder to run a program in. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

const LIST_WITHIN_MS = 20_000;
/** The kernel's USER_HZ, the same on every current Linux. */
const TICKS_PER_SECOND = 100;

/**
 * All visible processes. On Linux they are read from /proc, since small systems have no ps or one without these
 * columns.
 */
export async function listedProcesses(surroundings: Surroundings): Promise<readonly ListedProcess[]> {
  if (process.platform === 'linux') return fromProc();
  if (process.platform === 'win32') {
    const command = ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_PROCESSES_SCRIPT];
    return parseWindowsProcesses(await outputOf(windowsProgram('powershell'), command, surroundings), totalmem());
  }
  return parsePs(await outputOf('ps', psArguments(['user', 'pid', 'pcpu', 'pmem', 'args']), surroundings));
}

async function outputOf(program: string, args: readonly string[], surroundings: Surroundings): Promise<string> {
  const { processes, directory, signal } = surroundings;
  const { ending, exitCode, stdout, stderr } = await processes.run({
    command: program,
    args,
    directory,
    signal,
    timeoutMs: LIST_WITHIN_MS,
  });
  if (ending === 'timed-out') throw new Error(`${program} did not answer within ${LIST_WITHIN_MS / 1000} s`);
  if (ending !== 'exited') throw new Error('stopped by the user', { cause: signal.reason });
  if (exitCode !== 0) throw new Error(`${program} failed: ${stderr.trim() || `exit code ${exitCode}`}`);
  return stdout;
}

async function fromProc(): Promise<readonly ListedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const users = userNames(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const listed = await Promise.all(pids.map((pid) => readProcess(Number(pid), users)));
  return listed.flat();
}

async function readProcess(pid: number, users: ReadonlyMap<string, string>): Promise<readonly ListedProcess[]> {
  try {
    const [stat, status, commandLine] = await Promise.all(
      ['stat', 'status', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    return stat === undefined || status === undefined || commandLine === undefined
      ? []
      : [parseProc(pid, { stat, status, commandLine }, users)];
  } catch {
    // The process ended meanwhile, or /proc hides other users' processes.
    return [];
  }
}

/** Reads the text of two files in /proc. Source: proc_pid_stat(5), proc_pid_status(5). */
function parseProc(
  pid: number,
  { stat, status, commandLine }: { stat: string; status: string; commandLine: string },
  users: ReadonlyMap<string, string>,
): ListedProcess {
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const numbered = (field: number) => Number(fields[field - 3]);
  const usedSeconds = (numbered(14) + numbered(15)) / TICKS_PER_SECOND;
  const aliveSeconds = uptime() - numbered(22) / TICKS_PER_SECOND;
  const residentBytes = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  const uid = /^Uid:\s*(\d+)/m.exec(status)?.[1] ?? '?';
  const written = commandLine.replace(/(?<!\0)\0+$/, '').replaceAll('\0', ' ');
  const name = `[${stat.slice(stat.indexOf('(') + 1, nameEnd)}]`;
  return {
    user: users.get(uid) ?? uid,
    pid,
    cpuPercent: aliveSeconds > 0 ? (100 * usedSeconds) / aliveSeconds : 0,
    memoryPercent: (100 * residentBytes) / totalmem(),
    command: written.trim() || (fields[0] === 'Z' ? `${name} <defunct>` : name),
  };
}

/** The names of users by their number, from lines `name:x:number:…`. */
function userNames(passwd: string): ReadonlyMap<string, string> {
  return new Map(
    passwd.split('\n').flatMap((line) => {
      const [name = '', , uid = ''] = line.split(':');
      return name === '' || uid === '' ? [] : [[uid, name] as const];
    }),
  );
}
