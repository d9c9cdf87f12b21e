import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import type { Bridge } from '../../ui/bridge.ts';
import { BridgeStore } from '../../ui/bridge-store.svelte.ts';
import { type LogKind, matchingEntries } from './log-entries.ts';

/** Main keeps more lines than a page should hold. */
const MAX_ENTRIES = 20_000;

/** One server's log, live while it is shown. */
export class LogStore extends BridgeStore {
  readonly server: string;
  entries = $state.raw<readonly ServerLogEntry[] | null>(null);
  kind: LogKind = $state('all');
  query = $state('');
  /** The number of the entry shown in full. */
  chosen = $state<number | null>(null);
  readonly shown: readonly ServerLogEntry[] = $derived(matchingEntries(this.entries ?? [], this.kind, this.query));

  constructor(bridge: Bridge, server: string, kind: LogKind = 'all') {
    super(bridge);
    this.server = server;
    this.kind = kind;
  }

  start(): () => void {
    void this.load();
    const end = this.bridge.on('serverLog', ({ server, entries, isNew }) => {
      if (server !== this.server || this.entries === null) return;
      if (isNew) this.chosen = null;
      const last = isNew ? 0 : (this.entries.at(-1)?.number ?? 0);
      // Entries from the first response may be repeated.
      const more = entries.filter(({ number }) => number > last);
      this.entries = [...(isNew ? [] : this.entries), ...more].slice(-MAX_ENTRIES);
    });
    return () => {
      end();
      // The page is closing, so a failure can't be shown.
      this.bridge.request('serverDiagnostics.unfollowLog', {}).catch(() => undefined);
    };
  }

  async load(): Promise<void> {
    await this.attempted(async () => {
      const { entries } = await this.bridge.request('serverDiagnostics.followLog', { server: this.server });
      this.entries = entries.slice(-MAX_ENTRIES);
    });
  }
}
