import type { ResourceMatches } from '../../../src-preload/contract/server-content.ts';

const NOTHING: ResourceMatches = { rows: [], more: 0, silent: [] };
const DEBOUNCE_MS = 120;

/** What MCP servers have for the `@` that is being written. */
export class ResourcePicker {
  matches: ResourceMatches = $state.raw(NOTHING);
  chosen = $state(0);
  readonly #search: (query: string) => Promise<ResourceMatches | undefined>;
  #query: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(search: (query: string) => Promise<ResourceMatches | undefined>) {
    this.#search = search;
  }

  /** `query` is null if there is no `@` any more. */
  asked(query: string | null): void {
    if (query === this.#query) return;
    const isFirst = this.#query === null;
    this.#query = query;
    this.chosen = 0;
    clearTimeout(this.#timer);
    if (query === null) {
      this.matches = NOTHING;
      return;
    }
    this.#timer = setTimeout(() => void this.#find(query), isFirst ? 0 : DEBOUNCE_MS);
  }

  moved(by: 1 | -1): void {
    const count = this.matches.rows.length;
    if (count > 0) this.chosen = (this.chosen + by + count) % count;
  }

  async #find(query: string): Promise<void> {
    const found = await this.#search(query);
    // What was typed since has its own answer.
    if (this.#query !== query) return;
    this.matches = found ?? NOTHING;
  }
}
