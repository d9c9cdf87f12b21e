import type { SearchHit } from '../../src-preload/contract/conversations.ts';
import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';

/** A word is usually finished after this pause. */
const PAUSE_MS = 140;

/** Search through all conversations while the user types. Only the answer to the newest question is shown. */
export class MessageSearch {
  query = $state('');
  hits: readonly SearchHit[] = $state.raw([]);
  /** The words that `hits` answers. */
  answered = $state('');
  readonly isActive: boolean = $derived(this.query.trim() !== '');
  readonly isSearching: boolean = $derived(this.isActive && this.answered !== this.query.trim());
  readonly #bridge: Bridge;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  typed(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    if (this.isActive) this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
    else this.clear();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.query = '';
    this.answered = '';
    this.hits = [];
  }

  async #ask(): Promise<void> {
    const query = this.query.trim();
    const hits = await reported(this.#bridge.request('conversations.search', { query: query.slice(0, 500) }));
    if (query !== this.query.trim()) return;
    this.hits = hits ?? [];
    this.answered = query;
  }
}
