import type { ConversationSummary } from '../../src-preload/contract/conversations.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';
import { toasts } from '../ui/toasts.svelte.ts';
import { type DateGroup, groupByDate } from './date-groups.ts';

/** This many rows are rendered at first, and added when the end scrolls into view. */
const ROWS_AT_ONCE = 120;

/** The conversations of the profile, as main lists them. */
export class ConversationList {
  all: readonly ConversationSummary[] = $state.raw([]);
  isLoaded = $state(false);
  /** Id of the conversation that is being renamed. */
  renaming: string | null = $state(null);
  #rowCount = $state(ROWS_AT_ONCE);
  readonly groups: readonly DateGroup<ConversationSummary>[] = $derived(
    groupByDate(this.all, new Date()).reduce<{ left: number; groups: DateGroup<ConversationSummary>[] }>(
      ({ left, groups }, group) => {
        if (left > 0) groups.push({ title: group.title, items: group.items.slice(0, left) });
        return { left: left - group.items.length, groups };
      },
      { left: this.#rowCount, groups: [] },
    ).groups,
  );
  readonly hasMore: boolean = $derived(this.all.length > this.#rowCount);
  readonly #bridge: Bridge;
  #isReading = false;
  #isStale = false;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Changes come in bursts; while one load is running, one more is enough. */
  async read(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isStale) {
      this.#isStale = false;
      const all = await reported(this.#bridge.request('conversations.list', {}));
      if (all !== undefined) this.all = all;
      this.isLoaded = true;
    }
    this.#isReading = false;
  }

  showMore(): void {
    if (this.hasMore) this.#rowCount += ROWS_AT_ONCE;
  }

  find(id: string): ConversationSummary | undefined {
    return this.all.find((conversation) => conversation.id === id);
  }

  async rename(id: string, title: string): Promise<void> {
    this.renaming = null;
    const wanted = title.trim();
    if (wanted === '' || wanted === this.find(id)?.title) return;
    const renamed = await reported(this.#bridge.request('conversations.rename', { id, title: wanted.slice(0, 200) }));
    if (renamed !== undefined)
      this.all = this.all.map((conversation) => (conversation.id === id ? renamed : conversation));
  }

  /** Moves a conversation to the trash, and resolves with whether it is there. The toast offers to undo it. */
  async remove(id: string, onrestored: () => void): Promise<boolean> {
    const title = this.find(id)?.title ?? 'The conversation';
    const removed = await reported(this.#bridge.request('conversations.remove', { id }));
    if (removed === undefined) return false;
    this.all = this.all.filter((conversation) => conversation.id !== id);
    toasts.show(`“${title}” was moved to the trash.`, { label: 'Undo', run: () => void this.#restore(id, onrestored) });
    return true;
  }

  /** Permanently, after main has asked. Resolves with whether it was deleted. */
  async erase(id: string): Promise<boolean> {
    const erased = await reported(this.#bridge.request('conversations.erase', { id }));
    if (erased?.isErased !== true) return false;
    this.all = this.all.filter((conversation) => conversation.id !== id);
    return true;
  }

  async #restore(id: string, onrestored: () => void): Promise<void> {
    const restored = await reported(this.#bridge.request('conversations.restore', { id }));
    if (restored === undefined) return;
    await this.read();
    onrestored();
  }
}
