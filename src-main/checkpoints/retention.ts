import { canSignal } from '../base/can-signal.ts';
import type { EntryState } from './entry-state.ts';
import type { LookPlace } from './look.ts';
import { holdingRestoreLock } from './restore/restore-lock.ts';

/** How much of what was there before is kept, and for how long. */
export interface KeptLimits {
  readonly maxBytes: number;
  readonly maxDays: number;
}

export interface KeptAmount {
  readonly bytes: number;
  /** The commands of which something is kept that could be undone or redone. */
  readonly commands: number;
}

const DAY_MS = 24 * 3_600_000;
/** What a mass deletion needs to be undone is kept for so long. */
const MASS_DELETION_DAYS = 30;
/** Whoever restores something is waited for: 3 seconds. */
const RESTORE_WAIT_MS = 3_000;

/** What is forgotten as one: a command, an undo or redo, or what was in a root when it was last looked at. */
interface Item {
  readonly of: 'command' | 'operation' | 'root';
  readonly num: number;
  /** ISO 8601. */
  readonly at: string;
  /** 1: it is under way. */
  readonly isRunning: 0 | 1;
  /** 1: a command that deleted so much that it may be a mistake. */
  readonly isMassDeletion: 0 | 1;
}

/**
 * Forgets what is older than the limit, then the oldest of the rest until the contents fit, and deletes the contents
 * that only they needed. What is needed to undo the last day, or a mass deletion, is not forgotten. Returns whether something was.
 */
export function forgetOld(place: LookPlace, { maxBytes, maxDays }: KeptLimits, now: Date): boolean {
  const { store, index, contents } = place;
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const expired = daysAgo(maxDays);
  const canGo = ({ at, isRunning, isMassDeletion }: Item) =>
    isRunning === 0 && at < daysAgo(isMassDeletion === 1 ? MASS_DELETION_DAYS : 1);
  const isDue = () => {
    const old = itemsOf(place).filter(canGo);
    return old.some(({ at }) => at < expired) || (old.length > 0 && contents.bytes > maxBytes);
  };
  if (!isDue()) return false;
  // Both at once: a look of another process commits to the store first, then says in the index what is kept.
  const hasForgottenAny = store.transaction(() =>
    index.transaction(() => {
      const needed = new NeededContents(place);
      const observed = store.statement<StatesRow>('SELECT before, after FROM observed').iterate();
      needed.add(needed.lackingIn(statesIn(observed)));
      let isFull = false;
      let hasForgotten = false;
      const newestFirst = itemsOf(place).sort((one, other) => (one.at < other.at ? 1 : -1));
      for (const item of [...newestFirst.filter((each) => !canGo(each)), ...newestFirst.filter(canGo)]) {
        const lacking = needed.lackingIn(statesOf(place, item));
        isFull ||= canGo(item) && needed.bytesWith(lacking) > maxBytes;
        if (canGo(item) && (isFull || item.at < expired)) {
          forget(place, item);
          hasForgotten = true;
        } else needed.add(lacking);
      }
      contents.keepOnly(needed.digests);
      return hasForgotten;
    }),
  );
  contents.removeUnlisted();
  return hasForgottenAny;
}

export function keptAmount({ store, contents }: LookPlace): KeptAmount {
  const row = store
    .statement<{ commands: number }>(
      'SELECT count(*) AS commands FROM commands WHERE EXISTS (SELECT 1 FROM changes WHERE command = num)',
    )
    .get();
  return { bytes: contents.bytes, commands: row?.commands ?? 0 };
}

/**
 * Deletes everything that is kept. Returns false, without deleting anything, while a command is under way or something
 * is restored, which need it.
 */
export function clearKept({ store, index, contents, lock }: LookPlace & { readonly lock: string }): boolean {
  const isCleared = holdingRestoreLock(lock, RESTORE_WAIT_MS, () =>
    store.transaction(() =>
      index.transaction(() => {
        const running = store.statement<{ pid: number }>('SELECT pid FROM commands WHERE through IS NULL').all();
        if (running.some(({ pid }) => canSignal(pid))) return false;
        store.database.exec('DELETE FROM commands; DELETE FROM operations; DELETE FROM observed; DELETE FROM looks');
        index.database.exec('DELETE FROM entries; DELETE FROM roots');
        contents.keepOnly(new Set());
        return true;
      }),
    ),
  );
  if (isCleared !== true) return false;
  contents.removeUnlisted();
  for (const database of [store, index]) {
    // What is deleted would otherwise stay in free pages and in the log, and take up the disk.
    database.database.exec('VACUUM');
    database.emptyLog();
  }
  return true;
}

function itemsOf({ store, index }: LookPlace): Item[] {
  return [
    ...store
      .statement<Item>(
        `SELECT 'command' AS of, num, started_at AS at, through IS NULL AS isRunning,
           EXISTS (SELECT 1 FROM mass_deletions WHERE command = num) AS isMassDeletion FROM commands
         UNION ALL SELECT 'operation', num, at, state = 'running', 0 FROM operations`,
      )
      .iterate(),
    ...index
      .statement<Item>(`SELECT 'root' AS of, num, looked_at AS at, 0 AS isRunning, 0 AS isMassDeletion FROM roots`)
      .iterate(),
  ];
}

interface StatesRow {
  readonly before: string;
  readonly after: string;
}

function statesOf({ store, index }: LookPlace, { of, num }: Item): Iterable<string> {
  switch (of) {
    case 'command':
      return statesIn(store.statement<StatesRow>('SELECT before, after FROM changes WHERE command = ?').iterate(num));
    case 'operation':
      return statesIn(store.statement<StatesRow>('SELECT before, after FROM steps WHERE operation = ?').iterate(num));
    case 'root':
      return stateColumn(index.statement<{ state: string }>('SELECT state FROM entries WHERE root = ?').iterate(num));
  }
}

function* statesIn(rows: Iterable<StatesRow>): Iterable<string> {
  for (const { before, after } of rows) yield* [before, after];
}

function* stateColumn(rows: Iterable<{ state: string }>): Iterable<string> {
  for (const { state } of rows) yield state;
}

function forget({ store, index }: LookPlace, { of, num }: Item): void {
  switch (of) {
    case 'command':
      store.statement('DELETE FROM commands WHERE num = ?').run(num);
      return;
    case 'operation':
      store.statement('DELETE FROM operations WHERE num = ?').run(num);
      return;
    case 'root':
      // The next look at it is a first one.
      index.statement('DELETE FROM entries WHERE root = ?').run(num);
      index.statement('DELETE FROM roots WHERE num = ?').run(num);
  }
}

/** The contents that stay. */
class NeededContents {
  readonly digests = new Set<string>();
  readonly #sizes: ReadonlyMap<string, number>;
  #bytes = 0;

  constructor({ store }: LookPlace) {
    const rows = store.statement<{ digest: string; size: number }>('SELECT digest, size FROM contents').iterate();
    this.#sizes = new Map([...rows].map(({ digest, size }) => [digest, size]));
  }

  /** The digests in these states that are not yet needed. */
  lackingIn(states: Iterable<string>): Set<string> {
    const lacking = new Set<string>();
    for (const state of states) {
      const entry = JSON.parse(state) as EntryState;
      if (entry.kind === 'file' && entry.digest !== null && !this.digests.has(entry.digest)) lacking.add(entry.digest);
    }
    return lacking;
  }

  bytesWith(digests: ReadonlySet<string>): number {
    return [...digests].reduce((bytes, digest) => bytes + (this.#sizes.get(digest) ?? 0), this.#bytes);
  }

  add(digests: ReadonlySet<string>): void {
    this.#bytes = this.bytesWith(digests);
    for (const digest of digests) this.digests.add(digest);
  }
}
