/** Addresses in a conversation that the model did not make up, even if they have left the context. */
export interface KnownAddresses {
  /** Hosts that the user named; see `hostKey`. */
  readonly namedHosts: ReadonlySet<string>;
  readonly links: SeenLinks;
}

/** Links found as links in results or given by the user, and how many were followed while the context was private. */
export interface SeenLinks {
  has(url: string): boolean;
  readonly followed: number;
  followedOn(registrableDomain: string): number;
  /** Counted immediately, so that concurrent calls share the limits. */
  follow(registrableDomain: string): void;
}

/** The choice of links can carry information, so the number is limited. */
export const MAX_LINKS_PER_DOMAIN = 5;
export const MAX_LINKS = 30;
