/** Addresses in a conversation that the model did not make up, even if they have left the context. */
export interface KnownAddresses {
  /** The hosts that the user named; see `hostKey`. */
  readonly namedHosts: ReadonlySet<string>;
  readonly links: SeenLinks;
}

/** The links of a sender's mails that were read in the conversation. */
export interface MailLinks {
  /** The address of the sender, as the mail states it. Untrusted. */
  readonly sender: string;
  /** The hosts as written in URLs, in the order of the mail. */
  readonly hosts: readonly string[];
}

/**
 * Links found as links in results or given by the user. It counts how many were followed while the context was private.
 */
export interface SeenLinks {
  has(url: string): boolean;
  /** The senders in whose mails exactly this link stood when they were read. */
  inMails(url: string): readonly MailLinks[];
  /** The links of all mails that were read, in the order in which they were read. */
  readonly mails: readonly MailLinks[];
  readonly followed: number;
  followedOn(registrableDomain: string): number;
  /** Counts a link as followed. This happens before the request, so that concurrent calls share the limit. */
  follow(registrableDomain: string): void;
}

/**
 * Each choice of a link can carry information, so their number is limited: a page with 256 links to one host lets the
 * model spell out a byte with each that it opens.
 */
export const MAX_LINKS_PER_DOMAIN = 5;
export const MAX_LINKS = 30;
