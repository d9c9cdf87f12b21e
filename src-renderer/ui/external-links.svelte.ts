/** Opens links in the browser or the mail program. One per page; `app` connects it. */
export class ExternalLinks {
  /** The address of the hovered or focused link, shown as browsers do. */
  pointedAt: string | null = $state(null);
  #opener: (url: string) => void = () => undefined;

  connect(opener: (url: string) => void): void {
    this.#opener = opener;
  }

  open(url: string): void {
    this.#opener(url);
  }

  point(url: string | null): void {
    this.pointedAt = url;
  }
}

export const externalLinks = new ExternalLinks();
