import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallIdentity, MemberSearch } from './call-members.ts';
import { endCalls, isGroupLeftBehind } from './end-calls.ts';
import type { OpenStreams } from './open-streams.ts';
import { numberedBefore } from './proc-filesystem.ts';
import { isSameProcess, type ProcessEntry, startOf } from './process-table.ts';

/** What ends within this time after the command does is its own tail, not something that it leaves. */
const TAIL_MS = 100;
/** Where a process was just ending or loading its program, a look is not certain. */
const LOOK_AGAIN_AFTER_MS = 5;
const MOST_LOOKS = 5;

/** A process that was started and all that came from it, until nothing of it is left. */
export class StartedCall {
  readonly id = randomUUID();
  readonly pid: number;
  /** What a person knows it by; `undefined`: it is no command of theirs. */
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

  /** The process itself was waited for: from now on its number may be given away, unless its group lives. */
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

  /** What is known to have been left and still runs. */
  get left(): readonly ProcessEntry[] {
    this.#left = this.#left.filter(isSameProcess);
    return this.#left;
  }

  get isAlive(): boolean {
    return !this.hasEnded || this.left.length > 0;
  }

  /** Looks for what goes on although the process itself has ended. */
  async lookForLeft(): Promise<readonly ProcessEntry[]> {
    if (process.platform === 'win32' || this.#endedMs === undefined) return [];
    const age = performance.now() - this.#startedMs;
    const isOlder = process.platform === 'linux' ? numberedBefore(this.pid, age) : undefined;
    const search = new MemberSearch([this.identity], this.left, isOlder);
    for (let looks = 1; looks <= MOST_LOOKS; looks++) {
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

  /** False: something of it outlived SIGKILL. */
  end(graceMs?: number): Promise<boolean> {
    return endCalls([this.identity], { graceMs, known: this.left });
  }
}
