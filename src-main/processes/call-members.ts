import {
  isSameProcess,
  type ProcessEntry,
  type ProcessTable,
  readProcessTable,
  readProcessTableNow,
} from './process-table.ts';

/** What identifies a call, so that everything it started can be found. */
export interface CallIdentity {
  /**
   * The process that was started, which leads its own group and session. Undefined once it has ended, and its group
   * with it.
   */
  readonly leader: number | undefined;
  /** The marker in the environment of everything that the call started, or a prefix that several calls share. */
  readonly marker: string;
  /** The start of the call, in the unit of `ProcessEntry`. Nothing that started earlier belongs to it. */
  readonly startedAt: number;
}

/** What a scan has found that was not known before. */
export interface Finding {
  readonly entries: readonly ProcessEntry[];
  /** A process was just loading its program, so its environment could not be read. */
  readonly isLoading: boolean;
  /** A process ended during the scan, maybe after starting another. */
  readonly hasMissed: boolean;
}

/**
 * Finds the live processes of calls, as often as needed: their groups and sessions, processes with their markers, and
 * all descendants of these whose parents are alive. It remembers them, so that children of processes that end meanwhile
 * are recognised. Processes of other users, or older than the call, never belong to it, whatever marker they carry.
 */
export class MemberSearch {
  readonly #leaders: ReadonlySet<number>;
  readonly #markers: readonly string[];
  readonly #since: number;
  readonly #members = new Map<number, ProcessEntry>();
  readonly #tooOld = new Set<number>();
  /** The processes that were checked since the last member was found, which could have been their parent. */
  readonly #strangers = new Set<number>();

  readonly #isOlder: (pid: number) => boolean;

  /**
   * The `known` processes were found earlier; one that has cleared its environment since is still a member. `isOlder`
   * skips processes that are certainly older than the calls.
   */
  constructor(
    calls: readonly CallIdentity[],
    known: readonly ProcessEntry[] = [],
    isOlder: (pid: number) => boolean = () => false,
  ) {
    this.#isOlder = isOlder;
    this.#leaders = new Set(calls.flatMap(({ leader }) => leader ?? []));
    this.#markers = [...new Set(calls.map(({ marker }) => marker))];
    this.#since = Math.min(...calls.map(({ startedAt }) => startedAt));
    for (const entry of known) this.#members.set(entry.pid, entry);
  }

  /** The members that are still running. */
  living(): ProcessEntry[] {
    for (const [pid, entry] of this.#members) if (!isSameProcess(entry)) this.#members.delete(pid);
    return [...this.#members.values()];
  }

  /** Scans once. `onFound` is called with each new member as soon as it is found. */
  async look(onFound?: (entry: ProcessEntry) => void): Promise<Finding> {
    return this.#find(await readProcessTable(this.#isKnown), onFound);
  }

  lookNow(onFound?: (entry: ProcessEntry) => void): Finding {
    return this.#find(readProcessTableNow(this.#isKnown), onFound);
  }

  readonly #isKnown = (pid: number) =>
    this.#isOlder(pid) || this.#tooOld.has(pid) || this.#strangers.has(pid) || this.#members.has(pid);

  #find(table: ProcessTable, onFound: (entry: ProcessEntry) => void = () => undefined): Finding {
    if (table.isWhole) this.#forgetAllBut(table.entries);
    const found: ProcessEntry[] = [];
    const take = (entry: ProcessEntry) => {
      this.#members.set(entry.pid, entry);
      onFound(entry);
      found.push(entry);
    };
    const young = table.entries.filter((entry) => {
      if (this.#isKnown(entry.pid) || entry.pid === process.pid) return false;
      if (entry.startedAt >= this.#since) return true;
      this.#tooOld.add(entry.pid);
      return false;
    });
    const others = young.filter((entry) => {
      if (!this.#isInTree(entry)) return true;
      take(entry);
      return false;
    });
    const loading = new Set<number>();
    const unmarked = others.filter((entry) => {
      const carries = table.carries(entry, this.#markers);
      if (carries === 'yes') take(entry);
      else if (carries === 'unknown') loading.add(entry.pid);
      return carries !== 'yes';
    });
    const strangers = this.#withoutDescendants(unmarked, take);
    if (found.length > 0) this.#strangers.clear();
    for (const { pid } of strangers) if (!loading.has(pid)) this.#strangers.add(pid);
    for (const pid of table.ended) this.#strangers.add(pid);
    const hasMissed = table.hasMissed || table.ended.length > 0;
    return { entries: found, isLoading: loading.size > 0, hasMissed };
  }

  #forgetAllBut(entries: readonly ProcessEntry[]): void {
    const numbers = new Set(entries.map(({ pid }) => pid));
    for (const pid of this.#members.keys()) if (!numbers.has(pid)) this.#members.delete(pid);
  }

  #isInTree({ group, session, parent }: ProcessEntry): boolean {
    return (
      this.#leaders.has(group) || (session !== undefined && this.#leaders.has(session)) || this.#members.has(parent)
    );
  }

  #withoutDescendants(entries: readonly ProcessEntry[], take: (entry: ProcessEntry) => void): readonly ProcessEntry[] {
    const rest = entries.filter((entry) => {
      if (!this.#members.has(entry.parent)) return true;
      take(entry);
      return false;
    });
    return rest.length === entries.length ? rest : this.#withoutDescendants(rest, take);
  }
}
