import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as delay, setImmediate as immediately } from 'node:timers/promises';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { canSignal } from '../base/can-signal.ts';
import { type CallIdentity, type Finding, MemberSearch } from './call-members.ts';
import { isSameProcess, type ProcessEntry, sendSignal } from './process-table.ts';
import { taskkillArguments, windowsProgram } from './system-program.ts';

const TERMINATION_GRACE_MS = 2000;
/** After SIGKILL only the kernel can delay the end. */
const KILL_WAIT_MS = 1000;
/** How long to chase processes that keep starting another one and ending. All others need three scans at most. */
const FREEZE_WITHIN_MS = 600;
/**
 * How many scans in a row may find nothing. Such processes are found within a few scans of less than a millisecond
 * each, but on a busy machine other processes end all the time.
 */
const MAX_VAIN_LOOKS = 60;
/** How long scans follow each other without a pause, because such a process lives for a millisecond or two. */
const WITHOUT_BREATH_MS = 10;
const POLL_MS = 20;
/**
 * How many polls pass until the next scan. Polling tells which known processes still run, but finding new ones takes a
 * scan of all processes.
 */
const LOOK_EVERY_POLLS = 5;
/** A time limit far above what `taskkill` ever needs. */
const TASKKILL_MS = 4000;

/**
 * Ends everything that the calls started: with SIGTERM, and after two seconds (or `graceMs`) with SIGKILL. Resolves
 * when nothing of it is running, or with false a second after SIGKILL. The `known` processes were found earlier.
 * Source: tool catalogue B.2.
 */
export async function endCalls(
  calls: readonly CallIdentity[],
  { graceMs = TERMINATION_GRACE_MS, known = [] }: { graceMs?: number; known?: readonly ProcessEntry[] } = {},
): Promise<boolean> {
  if (calls.length === 0) return true;
  if (process.platform === 'win32') {
    await taskkill(leadersOf(calls));
    return true;
  }
  return kill(calls, await askToEnd(calls, known, graceMs));
}

/** Sends SIGKILL without grace, for use when this process is about to end and can't wait. */
export function endCallsNow(calls: readonly CallIdentity[], known: readonly ProcessEntry[] = []): void {
  if (calls.length === 0) return;
  if (process.platform === 'win32') {
    // Node's job ends the leaders with this process, but not what they started.
    const quietly = { windowsHide: true, timeout: TASKKILL_MS, stdio: 'ignore' } as const;
    const leaders = leadersOf(calls);
    if (leaders.length > 0) spawnSync(windowsProgram('taskkill'), taskkillArguments(leaders), quietly);
    return;
  }
  const search = new MemberSearch(calls, known);
  for (const entry of search.living()) freeze(entry);
  const pursuit = new Pursuit();
  while (pursuit.goesOn(search.lookNow(freeze)));
  killAll(calls, search.living());
}

/** The command that a user would type to do the same as `endCalls`. */
export function groupKillCommand(leader: number): readonly string[] {
  return process.platform === 'win32'
    ? ['taskkill', ...taskkillArguments([leader])]
    : ['kill', '-TERM', '--', `-${leader}`];
}

/** Whether a process of `leader`'s group is alive although the leader has ended. */
export function isGroupLeftBehind(leader: number): boolean {
  // A live process with that pid would be unrelated: the kernel reuses a pid only when its group is gone.
  return process.platform !== 'win32' && !canSignal(leader) && canSignal(-leader);
}

async function taskkill(leaders: readonly number[]): Promise<void> {
  if (leaders.length === 0) return;
  const quietly = { windowsHide: true, timeout: TASKKILL_MS };
  // If it fails, the tree is already gone.
  await promisify(execFile)(windowsProgram('taskkill'), taskkillArguments(leaders), quietly).catch(() => undefined);
}

function leadersOf(calls: readonly CallIdentity[]): number[] {
  return calls.flatMap(({ leader }) => leader ?? []);
}

/** Returns the processes that ignored SIGTERM. */
async function askToEnd(
  calls: readonly CallIdentity[],
  known: readonly ProcessEntry[],
  graceMs: number,
): Promise<readonly ProcessEntry[]> {
  const deadline = performance.now() + graceMs;
  const search = new MemberSearch(calls, known);
  await search.look();
  const leaders = leadersOf(calls);
  // The signal goes to the group as a whole, which includes processes being forked right now. Nobody gets it twice: a
  // second SIGTERM means more to some programs.
  for (const leader of leaders) sendSignal(-leader, 'SIGTERM');
  for (const entry of search.living()) if (!leaders.includes(entry.group)) sendSignal(entry.pid, 'SIGTERM');
  for (let poll = 1; search.living().length > 0 && performance.now() < deadline; poll++) {
    await delay(POLL_MS);
    if (poll % LOOK_EVERY_POLLS === 0) await search.look(({ pid }) => sendSignal(pid, 'SIGTERM'));
  }
  return search.living();
}

/** Processes are first stopped (SIGSTOP) as they are found, so that they can't start others during the search. */
async function kill(calls: readonly CallIdentity[], known: readonly ProcessEntry[]): Promise<boolean> {
  let deadline: number | undefined;
  for (let left = known; ; ) {
    for (const entry of left) freeze(entry);
    left = await pursuits(pursue, calls, left);
    if (left.length === 0) return true;
    killAll(calls, left);
    deadline ??= performance.now() + KILL_WAIT_MS;
    while (left.length > 0 && performance.now() < deadline) {
      await delay(POLL_MS);
      left = left.filter(isSameProcess);
    }
    if (performance.now() >= deadline) return left.length === 0;
  }
}

/**
 * Several calls that end together are handled one after the other: in parallel, each would be slower than what it
 * chases.
 */
const pursuits = pLimit(1);

async function pursue(
  calls: readonly CallIdentity[],
  known: readonly ProcessEntry[],
): Promise<readonly ProcessEntry[]> {
  const search = new MemberSearch(calls, known);
  const pursuit = new Pursuit();
  while (pursuit.goesOn(await search.look(freeze))) await pursuit.breath();
  return search.living();
}

/** Scans until nothing more is found. */
class Pursuit {
  readonly #deadline = performance.now() + FREEZE_WITHIN_MS;
  #vainLooks = 0;
  #breathAt = performance.now();

  goesOn({ entries, isLoading, hasMissed }: Finding): boolean {
    this.#vainLooks = entries.length > 0 ? 0 : this.#vainLooks + 1;
    const isOver = this.#vainLooks > 0 && !isLoading && !hasMissed;
    return !isOver && this.#vainLooks < MAX_VAIN_LOOKS && performance.now() < this.#deadline;
  }

  /** Yields to the rest of this process now and then. */
  async breath(): Promise<void> {
    if (performance.now() - this.#breathAt < WITHOUT_BREATH_MS) return;
    await immediately();
    this.#breathAt = performance.now();
  }
}

function freeze({ pid }: ProcessEntry): void {
  sendSignal(pid, 'SIGSTOP');
}

function killAll(calls: readonly CallIdentity[], entries: readonly ProcessEntry[]): void {
  for (const leader of leadersOf(calls)) sendSignal(-leader, 'SIGKILL');
  for (const entry of entries) if (isSameProcess(entry)) sendSignal(entry.pid, 'SIGKILL');
}
