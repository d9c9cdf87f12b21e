import { linkKey } from '../../network/address-keys.ts';

/** More would let the choice of links say too much. */
const MAX_LINKS = 50;
/** Words that people write in addresses are shorter, or have no digits. */
const MAX_WORD_LENGTH = 15;
const MAX_LETTERS_LENGTH = 32;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
/** What such addresses are called whose opening does something for the user who received them. */
const ACTS =
  /confirm|verif|unsub|opt-?(?:in|out)|reset|activat|accept|approv|decline|reject|rsvp|respond|token|passw|magic|log-?in|log-?on|sign-?in|auth|invit|redeem|claim|cancel|delete|remove|subscri|pay|transfer|vote|track|click|redirect|code|[^a-z]key[^a-z]|[^a-z]otp[^a-z]/i;

/**
 * Those links of a mail that may be followed without a question, like the links of a page that a search led to. Not
 * those that do something for whoever opens them (confirm, reset, sign in, unsubscribe), or that say who it is: by
 * their words, or by a part that looks like a token. Other mails in the mailbox could be looked for to open just that
 * link.
 */
export function plainLinks(links: readonly string[]): readonly string[] {
  return links.filter(isPlain).slice(0, MAX_LINKS);
}

function isPlain(link: string): boolean {
  const key = linkKey(link);
  if (key === undefined) return false;
  const { hostname, pathname, search } = new URL(key);
  // A host may say it all: unsubscribe.example.com/ada.
  const written = decoded(`//${hostname}${pathname}${search}`);
  if (written === undefined || ACTS.test(`${written} `) || UUID.test(written) || /[@]|https?:/i.test(written))
    return false;
  return written.split(/[^\p{L}\p{N}]+/u).every((word) => !looksLikeToken(word));
}

function looksLikeToken(word: string): boolean {
  return (
    word.length > MAX_LETTERS_LENGTH ||
    (word.length > MAX_WORD_LENGTH && /\d/.test(word)) ||
    /\d[a-z]+\d[a-z]+\d/i.test(word)
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not text that someone wrote.
    return undefined;
  }
}
