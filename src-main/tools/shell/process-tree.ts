import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const TERMINATION_GRACE_MS = 2000;
/** After SIGKILL only the kernel can delay the end. */
const KILL_WAIT_MS = 1000;
const POLL_MS = 20;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Not known everywhere. */
  readonly session: number | undefined;
}

/**
 * Ends a process that was started as leader of its own group and session, with all that came from it: SIGTERM, after two
 * seconds SIGKILL. Descendants that made a group or session of their own are found by their parents. Resolves when
 * nothing of it runs any more. Source: tool catalogue B.2.
 */
export async function killProcessTree(leader: number): Promise<void> {
  if (process.platform === 'win32') {
    // Its failure means that the tree is gone already.
    await promisify(execFile)('taskkill', ['/pid', String(leader), '/T', '/F'], { windowsHide: true }).catch(
      () => undefined,
    );
    return;
  }
  const survivors = await signalUntilGone(leader, new Set([leader]), 'SIGTERM', TERMINATION_GRACE_MS);
  if (survivors.size > 0) await signalUntilGone(leader, survivors, 'SIGKILL', KILL_WAIT_MS);
}

/** For a process that ends this instant and can wait for nothing: SIGKILL to the group of `leader`, no grace. */
export function killProcessGroupNow(leader: number): void {
  if (process.platform !== 'win32') send(-leader, 'SIGKILL');
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
  let members = await treeMembers(leader, known);
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
    members = await treeMembers(leader, members);
  }
  return members;
}

/** Living processes of the group and session, those known to belong to it, and their descendants. */
async function treeMembers(leader: number, known: ReadonlySet<number>): Promise<Set<number>> {
  const processes = await listProcesses();
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
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(
    pids.map(async (pid) => {
      // proc(5): pid (comm) state ppid pgrp session …; comm may hold anything.
      const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      const [state, parent, group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
      if (line === '' || state === 'Z' || state === 'X') return [];
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) }];
    }),
  );
  return entries.flat();
}

async function listProcessesWithPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']);
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone meanwhile, or under another user: then it is not ours to end.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error;
  }
}
