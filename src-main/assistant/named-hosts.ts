import type { StoredEvent } from '../storage/events.ts';

const HOST_LIKE =
  /(?:https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]+|\[[0-9a-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3}|localhost)/giu;

/**
 * Hosts that the user wrote in this conversation, in the form that URLs carry them (lower case, punycode). Only the user's
 * own words count: a host that the model or a web page named was not named by the user.
 */
export function hostsNamedByUser(events: readonly StoredEvent[]): ReadonlySet<string> {
  const hosts = new Set<string>();
  for (const event of events) {
    if (event.type !== 'user_message') continue;
    for (const block of event.content) {
      if (block.type !== 'text') continue;
      for (const [, host] of block.text.matchAll(HOST_LIKE)) {
        if (host !== undefined && URL.canParse(`http://${host}`)) hosts.add(new URL(`http://${host}`).hostname);
      }
    }
  }
  return hosts;
}
