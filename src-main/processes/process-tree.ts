import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemCode } from '../base/errors.ts';
import { psArguments, taskkillArguments, windowsProgram } from './system-program.ts';

const TERMINATION_GRACE_MS = 2000;
/** After SIGKILL only the kernel can delay the end. */
const KILL_WAIT_MS = 1000;
const POLL_MS = 20;
/** Far more than `taskkill` ever needs. */
const TASKKILL_MS = 4000;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Not known everywhere. */
  readonly session: number | undefined;
}

/**
 * Ends a process that was started as leader of its own group and session, with all that came from it: SIGTERM, after two
 * seconds (or `graceMs`) SIGKILL. Descendants that made a group or session of their own are found by their parents. Resolves
 * when nothing of it runs any more, or a second after SIGKILL with false. Source: tool catalogue B.2.
 */
export async function killProcessTree(leader: number, graceMs = TERMINATION_GRACE_MS): Promise<boolean> {
  if (process.platform === 'win32') {
    // Its failure means that the tree is gone already.
    await promisify(execFile)(windowsProgram('taskkill'), taskkillArguments([leader]), {
      windowsHide: true,
      timeout: TASKKILL_MS,
    }).catch(() => undefined);
    return true;
  }
  const survivors = await signalUntilGone(leader, new Set([leader]), 'SIGTERM', graceMs);
  if (survivors.size === 0) return true;
  return (await signalUntilGone(leader, survivors, 'SIGKILL', KILL_WAIT_MS)).size === 0;
}

/** How a person would do what `killProcessTree` does. */
export function groupKillCommand(leader: number): readonly string[] {
  return process.platform === 'win32'
    ? ['taskkill', ...taskkillArguments([leader])]
    : ['kill', '-TERM', '--', `-${leader}`];
}

/** For a process that ends this instant and can wait for nothing: SIGKILL to each leader's tree, no grace. */
export function killProcessTreesNow(leaders: readonly number[]): void {
  if (leaders.length === 0) return;
  if (process.platform === 'win32') {
    // Node's job ends the leaders with this process, but not what they started.
    const quietly = { windowsHide: true, timeout: TASKKILL_MS, stdio: 'ignore' } as const;
    spawnSync(windowsProgram('taskkill'), taskkillArguments(leaders), quietly);
    return;
  }
  const processes = process.platform === 'linux' ? listProcessesNow() : [];
  for (const leader of leaders) {
    const members = treeMembers(processes, leader, new Set([leader]));
    send(-leader, 'SIGKILL');
    for (const pid of members) send(pid, 'SIGKILL');
  }
}

/** True while a process of the group that `leader` led is alive, although it itself has ended. */
export function isGroupLeftBehind(leader: number): boolean {
  // A living process of that number would be a stranger: the kernel gives a number away only when its group is gone.
  return process.platform !== 'win32' && !canSignal(leader) && canSignal(-leader);
}

async function signalUntilGone(
  leader: number,
  known: ReadonlySet<number>,
  signal: NodeJS.Signals,
  waitMs: number,
): Promise<ReadonlySet<number>> {
  const deadline = performance.now() + waitMs;
  const signalled = new Set<number>();
  let members = treeMembers(await listProcesses(), leader, known);
  // The group at once: what is being forked right now is in it too.
  if (members.size > 0) send(-leader, signal);
  while (members.size > 0) {
    for (const pid of members) {
      if (signalled.has(pid)) continue;
      signalled.add(pid);
      send(pid, signal);
    }
    if (performance.now() >= deadline) break;
    await delay(POLL_MS);
    members = treeMembers(await listProcesses(), leader, members);
  }
  return members;
}

/** Living processes of the group and session, those known to belong to it, and their descendants. */
function treeMembers(processes: readonly ProcessEntry[], leader: number, known: ReadonlySet<number>): Set<number> {
  const members = new Set<number>();
  for (const { pid, group, session } of processes) {
    if (known.has(pid) || group === leader || session === leader) members.add(pid);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of processes) {
      if (members.has(pid) || !members.has(parent)) continue;
      members.add(pid);
      grew = true;
    }
  }
  return members;
}

/** All living processes (zombies are not) that this system shows. */
async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform !== 'linux') return listProcessesWithPs();
  const pids = (await readdir('/proc')).filter(isNumber);
  const entries = await Promise.all(
    pids.map(async (pid) => livingProcess(pid, await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''))),
  );
  return entries.flat();
}

/** As `listProcesses`, on Linux only. */
function listProcessesNow(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter(isNumber)
    .flatMap((pid) => {
      try {
        return livingProcess(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'));
      } catch {
        // It ended while it was looked at.
        return [];
      }
    });
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

/** proc(5): pid (comm) state ppid pgrp session …; comm may hold anything. */
function livingProcess(pid: string, line: string): ProcessEntry[] {
  const [state, parent, group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  if (line === '' || state === 'Z' || state === 'X') return [];
  return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) }];
}

async function listProcessesWithPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('ps', psArguments(['pid', 'ppid', 'pgid', 'stat']));
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state = 'Z'] = line.trim().split(/\s+/);
    if (state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: undefined }];
  });
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone meanwhile, or under another user: then it is not ours to end.
    if (!['ESRCH', 'EPERM'].includes(systemCode(error))) throw error;
  }
}
