/** Opens links of texts in the browser or the mail program. One per page; `app` connects it. */
export class ExternalLinks {
  /** The address under the pointer or the focus, shown as browsers do. */
  pointedAt: string | null = $state(null);
  private opener: (url: string) => void = () => undefined;

  connect(opener: (url: string) => void): void {
    this.opener = opener;
  }

  open(url: string): void {
    this.opener(url);
  }

  point(url: string | null): void {
    this.pointedAt = url;
  }
}

export const externalLinks = new ExternalLinks();
