/** Addresses in a conversation that the model did not make up, even if they have left the context. */
export interface KnownAddresses {
  /** Hosts that the user named; see `hostKey`. */
  readonly namedHosts: ReadonlySet<string>;
  readonly links: SeenLinks;
}

/** The links of a sender's mails that were read in the conversation. */
export interface MailLinks {
  /** The address of the sender, as the mail states it. Untrusted. */
  readonly sender: string;
  /** As in URLs, in their order. */
  readonly hosts: readonly string[];
}

/** Links found as links in results or given by the user, and how many were followed while the context was private. */
export interface SeenLinks {
  has(url: string): boolean;
  /** The senders in whose mails this link stood when they were read, exactly as it is. */
  inMails(url: string): readonly MailLinks[];
  /** Of all mails that were read, in their order. */
  readonly mails: readonly MailLinks[];
  readonly followed: number;
  followedOn(registrableDomain: string): number;
  /** Counted immediately, so that concurrent calls share the limits. */
  follow(registrableDomain: string): void;
}

/** The choice of links can carry information, so the number is limited. */
export const MAX_LINKS_PER_DOMAIN = 5;
export const MAX_LINKS = 30;
