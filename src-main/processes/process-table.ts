import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { canSignal } from '../base/can-signal.ts';
import { systemCode } from '../base/errors.ts';
import { carriesMarker, showsMarker } from './call-marker.ts';
import { environmentOf, isInControlGroupOfThis, numbersInProc, statOf, userOf } from './proc-filesystem.ts';
import { psArguments } from './system-program.ts';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session, which is not available on every system. */
  readonly session: number | undefined;
  /** The start in clock ticks on Linux, and in milliseconds elsewhere. It can only be compared on this machine. */
  readonly startedAt: number;
}

/** The answer is `unknown` while the program of the process is just being loaded. */
export type Carries = 'yes' | 'no' | 'unknown';

/** The live processes of one scan (no zombies), and what else can be asked about them. */
export interface ProcessTable {
  readonly entries: readonly ProcessEntry[];
  /** The entries are all live processes, including known ones. */
  readonly isWhole: boolean;
  /** Zombies that are not known. */
  readonly ended: readonly number[];
  /** A process ended during the scan, maybe after starting another. */
  readonly hasMissed: boolean;
  /** Whether a process of this user carries one of the markers. */
  carries(entry: ProcessEntry, markers: readonly string[]): Carries;
}

const PS_COLUMNS = ['pid', 'ppid', 'pgid', 'uid', 'stat', 'lstart', 'command'] as const;
const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/;
const PS_WITHIN_MS = 2_000;
const MAX_PS_LENGTH = 64 * 1024 * 1024;

/** Takes milliseconds on Linux; elsewhere it waits for `ps`. `isKnown` names processes to skip, if that saves work. */
export function readProcessTableNow(isKnown: (pid: number) => boolean = () => false): ProcessTable {
  if (process.platform === 'linux') return linuxTable(isKnown);
  const { stdout, status } = spawnSync('ps', PS_ARGUMENTS, { ...PS_OPTIONS, timeout: PS_WITHIN_MS });
  return status === 0 ? psTable(stdout) : NOTHING_SEEN;
}

export async function readProcessTable(isKnown?: (pid: number) => boolean): Promise<ProcessTable> {
  if (process.platform === 'linux') return readProcessTableNow(isKnown);
  try {
    return psTable((await promisify(execFile)('ps', PS_ARGUMENTS, PS_OPTIONS)).stdout);
  } catch {
    return NOTHING_SEEN;
  }
}

/** The table if ps itself can't be started because there are too many processes. Groups can still be ended. */
const NOTHING_SEEN: ProcessTable = { entries: [], ended: [], isWhole: false, hasMissed: true, carries: () => 'no' };

function linuxTable(isKnown: (pid: number) => boolean): ProcessTable {
  const entries: ProcessEntry[] = [];
  const ended: number[] = [];
  let hasMissed = false;
  for (const pid of numbersInProc()) {
    if (isKnown(pid)) continue;
    const stat = statOf(pid);
    if (stat === undefined) hasMissed = true;
    else if (stat.hasEnded) ended.push(pid);
    else if (!stat.isKernelThread) entries.push({ pid, ...stat });
  }
  return {
    entries,
    ended,
    isWhole: false,
    get hasMissed() {
      return hasMissed;
    },
    carries: ({ pid }, markers) => {
      const environment = environmentOf(pid);
      if (environment?.length === 0) return 'unknown';
      if (environment === undefined) hasMissed ||= statOf(pid) === undefined;
      if (environment === undefined || !carriesMarker(environment, markers)) return 'no';
      return userOf(pid) === process.getuid?.() && isInControlGroupOfThis(pid) ? 'yes' : 'no';
    },
  };
}

/**
 * macOS shows the environment of this user's processes unless they are restricted, as most programs signed by Apple
 * are. Source: https://github.com/apple-oss-distributions/xnu bsd/kern/kern_sysctl.c, sysctl_procargsx.
 */
const PS_ARGUMENTS = [...psArguments(PS_COLUMNS), '-E'];
const PS_OPTIONS = { encoding: 'utf8', maxBuffer: MAX_PS_LENGTH, env: { ...process.env, LC_ALL: 'C' } } as const;

export function psTable(output: string): ProcessTable {
  const rows = output.split('\n').flatMap((line) => {
    const [, pid, parent, group, user, state = 'Z', start = '', command = ''] = PS_ROW.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    const [number, itsParent, itsGroup] = [pid, parent, group].map(Number);
    if (number === undefined || itsParent === undefined || itsGroup === undefined) return [];
    const entry = { pid: number, parent: itsParent, group: itsGroup, session: undefined, startedAt: Date.parse(start) };
    return [{ entry, user: Number(user), command }];
  });
  const byNumber = new Map(rows.map((row) => [row.entry.pid, row]));
  return {
    entries: rows.map(({ entry }) => entry),
    ended: [],
    isWhole: true,
    hasMissed: false,
    carries: ({ pid }, markers) => {
      const row = byNumber.get(pid);
      return row?.user === process.getuid?.() && showsMarker(row?.command ?? '', markers) ? 'yes' : 'no';
    },
  };
}

/** The current time in the unit of `startedAt`. */
export function startOf(pid: number): number {
  if (process.platform === 'linux') return statOf(pid)?.startedAt ?? 0;
  // The times of ps have no fractions of a second.
  return Math.floor(Date.now() / 1000) * 1000;
}

/** Whether this very process is still running, and not another one with the same pid. */
export function isSameProcess({ pid, startedAt }: ProcessEntry): boolean {
  if (process.platform !== 'linux') return canSignal(pid);
  const stat = statOf(pid);
  return stat !== undefined && !stat.hasEnded && stat.startedAt === startedAt;
}

/** Sends a signal. It does nothing if the process is gone or belongs to another user. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(systemCode(error))) throw error;
  }
}
