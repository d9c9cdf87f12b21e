/** What is known of addresses in a conversation, whatever has left the context since: what the model did not make up. */
export interface KnownAddresses {
  /** Hosts that the person named; see `hostKey`. */
  readonly namedHosts: ReadonlySet<string>;
  readonly links: SeenLinks;
}

/** Links that came from outside as such, or that the person gave, and how many of them were followed while the context was private. */
export interface SeenLinks {
  has(url: string): boolean;
  readonly followed: number;
  followedOn(registrableDomain: string): number;
  /** Counts at once, so that calls beside each other share the limits. */
  follow(registrableDomain: string): void;
}

/** Which of many links are followed is something that the model says: so few that little can be said with them. */
export const MOST_LINKS_PER_DOMAIN = 5;
export const MOST_LINKS = 30;
