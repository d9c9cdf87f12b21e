import { rangesIn } from './hit-ranges.ts';

/** base.css styles it as `::highlight(search-hit)`. */
const NAME = 'search-hit';

/** Marks what a search found in one message, without changing its nodes. The page has one such mark at a time. */
export class SearchMark {
  /** The first match, or undefined if what is shown contains none. */
  first: Range | undefined;
  #observer: MutationObserver | undefined;

  /** Code that is coloured later is marked again. */
  show(element: HTMLElement, spellings: readonly string[]): void {
    this.clear();
    const mark = () => {
      const ranges = rangesIn(element, spellings);
      CSS.highlights.set(NAME, new Highlight(...ranges));
      this.first = ranges[0];
    };
    this.#observer = new MutationObserver(mark);
    this.#observer.observe(element, { childList: true, subtree: true, characterData: true });
    mark();
  }

  clear(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.first = undefined;
    CSS.highlights.delete(NAME);
  }
}
