/** A page with more of them is a list to choose from, and each choice says something. */
const MOST_LINKS = 200;
/** More is no address that somebody would put into a page by hand; it would be kept with every result. */
const LONGEST_LINK = 2_000;

/** The links of a page that may be followed from it. */
export class FirstLinks {
  readonly #targets = new Set<string>();

  add(target: string): void {
    if (this.#targets.size >= MOST_LINKS || target.length > LONGEST_LINK || !URL.canParse(target)) return;
    const url = new URL(target);
    url.hash = '';
    if (/^https?:$/.test(url.protocol)) this.#targets.add(url.href);
  }

  get targets(): readonly string[] {
    return [...this.#targets];
  }
}
