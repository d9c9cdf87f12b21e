import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallIdentity, MemberSearch } from './call-members.ts';
import { endCalls, isGroupLeftBehind } from './end-calls.ts';
import type { OpenStreams } from './open-streams.ts';
import { numberedBefore } from './proc-filesystem.ts';
import { isSameProcess, type ProcessEntry, startOf } from './process-table.ts';

/** A process that ends within this time after the command does not count as left running. */
const TAIL_MS = 100;
/** A scan is inconclusive if a process was just ending or loading its program. */
const LOOK_AGAIN_AFTER_MS = 5;
const MAX_LOOKS = 5;

/** A started process and all its descendants, until none of them is left. */
export class StartedCall {
  readonly id = randomUUID();
  readonly pid: number;
  /** The command as the user knows it, or undefined if it is not a command of theirs. */
  readonly line: string | undefined;
  readonly inBackground: boolean;
  readonly marker: string;
  readonly streams: OpenStreams;
  readonly #startedAt: number;
  readonly #startedMs = performance.now();
  #endedMs: number | undefined;
  #left: readonly ProcessEntry[] = [];

  constructor(started: Pick<StartedCall, 'pid' | 'marker' | 'line' | 'inBackground' | 'streams'>) {
    this.pid = started.pid;
    this.marker = started.marker;
    this.line = started.line;
    this.inBackground = started.inBackground;
    this.streams = started.streams;
    this.#startedAt = startOf(started.pid);
  }

  /** Tells that the process has been reaped. From now on its pid may be reused, unless its group is alive. */
  leaderEnded(): void {
    this.#endedMs = performance.now();
  }

  get hasEnded(): boolean {
    return this.#endedMs !== undefined;
  }

  get identity(): CallIdentity {
    const leader = !this.hasEnded || isGroupLeftBehind(this.pid) ? this.pid : undefined;
    return { leader, marker: this.marker, startedAt: this.#startedAt };
  }

  /** What is known to be left running. */
  get left(): readonly ProcessEntry[] {
    this.#left = this.#left.filter(isSameProcess);
    return this.#left;
  }

  get isAlive(): boolean {
    return !this.hasEnded || this.left.length > 0;
  }

  /** Looks for processes that are running although the process itself has ended. */
  async lookForLeft(): Promise<readonly ProcessEntry[]> {
    if (process.platform === 'win32' || this.#endedMs === undefined) return [];
    const age = performance.now() - this.#startedMs;
    const isOlder = process.platform === 'linux' ? numberedBefore(this.pid, age) : undefined;
    const search = new MemberSearch([this.identity], this.left, isOlder);
    for (let looks = 1; looks <= MAX_LOOKS; looks++) {
      const { isLoading, hasMissed } = await search.look();
      if (search.living().length > 0 || !(isLoading || hasMissed)) break;
      await delay(LOOK_AGAIN_AFTER_MS);
    }
    const tailMs = this.#endedMs + TAIL_MS - performance.now();
    if (search.living().length > 0 && tailMs > 0) {
      await delay(tailMs);
      await search.look();
    }
    this.#left = search.living();
    return this.#left;
  }

  /** Ends everything that was started. Resolves with false if something of it outlived SIGKILL. */
  end(graceMs?: number): Promise<boolean> {
    return endCalls([this.identity], { graceMs, known: this.left });
  }
}
