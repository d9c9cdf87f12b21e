import { setTimeout as delay } from 'node:timers/promises';
import { MemberSearch } from './call-members.ts';
import { ownMemoryOf } from './own-memory.ts';
import { runningBefore } from './proc-filesystem.ts';
import type { StartedCall } from './started-call.ts';
import { bytesBelow, bytesWithoutName } from './temporary-folder.ts';

/** What calls may use. Those with the same object share its memory and its temporary files. */
export interface UsageLimits {
  readonly memoryBytes: number;
  readonly temporaryBytes: number;
  /** How many processes there may be at once; absent: any number. */
  readonly processes?: number;
  /** The time of each call. */
  readonly timeMs: number;
}

export type PassedLimit = 'over-memory' | 'over-processes' | 'over-temporary-files' | 'over-time';

interface Watched {
  readonly limits: UsageLimits;
  /** Its temporary folder, if one could be made. */
  readonly folder: string | undefined;
  readonly end: (why: PassedLimit) => void;
  readonly search: MemberSearch;
}

interface Used {
  readonly watched: Watched;
  readonly memory: number;
  readonly temporary: number;
  readonly processes: number;
}

/** The memory of a program that only allocates grows by some 100 MB in this time. */
const LOOK_EVERY_MS = 50;

/**
 * Looks again and again at what limited calls use. If it is too much, the call that uses most ends. Counted is what a
 * program really has, from outside: node, Java and Go reserve far more than they use, so RLIMIT_AS and RLIMIT_DATA
 * would end them at once.
 */
export class UsageWatch {
  readonly #watched = new Set<Watched>();
  #isLooking = false;

  /** Returns what ends the watch. */
  add(call: StartedCall, { limits, folder, end }: Pick<Watched, 'limits' | 'folder' | 'end'>): () => void {
    // Reading what all processes of the system are takes longer than most commands.
    const isOlder = process.platform === 'linux' ? runningBefore(call.pid) : undefined;
    const watched = { limits, folder, end, search: new MemberSearch([call.identity], [], isOlder) };
    this.#watched.add(watched);
    if (!this.#isLooking) void this.#lookAgainAndAgain();
    return () => this.#watched.delete(watched);
  }

  async #lookAgainAndAgain(): Promise<void> {
    this.#isLooking = true;
    while (this.#watched.size > 0) {
      await delay(LOOK_EVERY_MS, undefined, { ref: false });
      // One that can't be looked at now is looked at next time.
      const looks = await Promise.allSettled([...this.#watched].map(usedBy));
      const all = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
      // What ended meanwhile has its whole output, and uses nothing any more.
      const used = all.filter(({ watched }) => this.#watched.has(watched));
      for (const limits of new Set(used.map(({ watched }) => watched.limits))) {
        const sharing = used.filter(({ watched }) => watched.limits === limits);
        endLargest(sharing, 'memory', limits.memoryBytes, 'over-memory');
        endLargest(sharing, 'temporary', limits.temporaryBytes, 'over-temporary-files');
        endLargest(sharing, 'processes', limits.processes ?? Number.POSITIVE_INFINITY, 'over-processes');
      }
    }
    this.#isLooking = false;
  }
}

async function usedBy(watched: Watched): Promise<Used> {
  await watched.search.look();
  const pids = watched.search.living().map(({ pid }) => pid);
  const [memory, named, nameless] = await Promise.all([
    ownMemoryOf(pids),
    watched.folder === undefined ? 0 : bytesBelow(watched.folder),
    bytesWithoutName(pids),
  ]);
  return { watched, memory, temporary: named + nameless, processes: pids.length };
}

function endLargest(
  all: readonly Used[],
  what: 'memory' | 'temporary' | 'processes',
  most: number,
  why: PassedLimit,
): void {
  if (all.reduce((sum, used) => sum + used[what], 0) <= most) return;
  all.reduce((largest, used) => (used[what] > largest[what] ? used : largest)).watched.end(why);
}

/**
 * The same command, whose programs are told the limits that they keep by themselves (sort takes no more memory than
 * RLIMIT_RSS and writes the rest to files), write no core files, and can't write a file of twice the limit even while
 * this process is too busy to look. It is a shell that becomes the program, because Node can't set limits. macOS knows
 * no RLIMIT_RSS.
 */
export function limitedCommand(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  { memoryBytes, temporaryBytes }: UsageLimits,
): { readonly command: string; readonly args: readonly string[] } {
  const script = `ulimit -c 0; ulimit -f ${(2 * temporaryBytes) / 512}; ulimit -m ${memoryBytes / 2 / 1024}`;
  return { command: '/bin/sh', args: ['-c', `{ ${script}; } 2>/dev/null; exec "$@"`, 'sh', command, ...args] };
}
