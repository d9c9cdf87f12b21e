import type { EntryState } from './entry-state.ts';
import type { LookPlace } from './look.ts';

/** What commands changed is kept for so long: 30 days. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Forgets commands and undos of more than 30 days ago, and the contents that only they needed. What is in a root now
 * stays kept: the next command may change it.
 */
export function forgetOld({ store, index, contents }: LookPlace, now: Date): void {
  const before = new Date(now.getTime() - KEPT_MS).toISOString();
  const isOld = store
    .statement('SELECT 1 FROM commands WHERE started_at < ?1 UNION ALL SELECT 1 FROM operations WHERE at < ?1 LIMIT 1')
    .get(before);
  if (isOld === undefined) return;
  store.transaction(() => {
    store.statement('DELETE FROM commands WHERE started_at < ?').run(before);
    store.statement("DELETE FROM operations WHERE at < ? AND state <> 'running'").run(before);
  });
  const needed = new Set<string>();
  const add = (state: string) => {
    const entry = JSON.parse(state) as EntryState;
    if (entry.kind === 'file' && entry.digest !== null) needed.add(entry.digest);
  };
  for (const { state } of index.statement<{ state: string }>('SELECT state FROM entries').iterate()) add(state);
  for (const table of ['changes', 'steps', 'observed'] as const)
    for (const row of store
      .statement<{ before: string; after: string }>(`SELECT before, after FROM ${table}`)
      .iterate()) {
      add(row.before);
      add(row.after);
    }
  contents.keepOnly(needed);
}
