import type { StoredEvent } from '../../src-preload/contract/events.ts';

/** Begins at the beginning of a word and counts labels: a long text of dots and letters is searched in linear time. */
const HOST_LIKE =
  /(?<![\p{L}\p{N}.])(https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,30}\p{L}[\p{L}\p{N}-]{1,62}|\[[0-9a-f:.]{2,45}\]|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?![\p{L}\p{N}])/giu;

/** Top-level domains that are also endings of file names: who says `README.md` does not name the host readme.md. */
const FILE_NAME_ENDING = /\.(?:am|app|bz|cab|cc|la|md|mk|ml|mm|mov|pl|pm|ps|py|rs|sc|sh|so|st|tf|vi|zip)$/i;

/**
 * Hosts that the user wrote in this conversation, in the form that URLs carry them (lower case, punycode). Only the user's
 * own words count: a host that the model, a web page or an attached file named was not named by the user, nor one in a
 * message that a page sent by itself.
 */
export function hostsNamedByUser(events: readonly StoredEvent[]): ReadonlySet<string> {
  const hosts = new Set<string>();
  for (const event of events) {
    if (event.type !== 'user_message' || event.isUnattended === true) continue;
    for (const { text } of event.content) {
      for (const [, scheme, host] of text.matchAll(HOST_LIKE)) {
        if (host === undefined || (scheme === undefined && FILE_NAME_ENDING.test(host))) continue;
        if (URL.canParse(`http://${host}`)) hosts.add(new URL(`http://${host}`).hostname);
      }
    }
  }
  return hosts;
}
