import { seenLinksIn } from '../../src-preload/contract/decision-reason.ts';
import type { EventOf, StoredEvent } from '../../src-preload/contract/events.ts';
import { hostKey, keysOfLink, linkKey } from '../network/address-keys.ts';
import type { KnownAddresses } from '../policy/known-addresses.ts';
import { namedBy } from './named-hosts.ts';

/**
 * Addresses in a conversation that the model did not make up. The whole log counts: addresses stay named or seen when
 * the text leaves the context, and a retry, an undo or a summary does not reset the number of followed links.
 */
export class AddressBook {
  readonly #namedHosts = new Set<string>();
  readonly #links = new Set<string>();
  readonly #followed = new Map<string, number>();

  add(event: StoredEvent): void {
    if (event.type === 'user_message') this.#addNamed(event);
    else if (event.type === 'tool_result') this.#addLinks(event.links ?? []);
    else if (event.type === 'decision' && event.answer === 'allow')
      for (const { domain } of seenLinksIn(event.reason)) increment(this.#followed, domain);
  }

  /** For the calls of one message, which share one count. */
  forCalls(): KnownAddresses {
    const links = this.#links;
    const followed = new Map(this.#followed);
    return {
      namedHosts: this.#namedHosts,
      links: {
        has: (url) => links.has(linkKey(url) ?? ''),
        get followed() {
          return [...followed.values()].reduce((sum, count) => sum + count, 0);
        },
        followedOn: (domain) => followed.get(domain) ?? 0,
        follow: (domain) => increment(followed, domain),
      },
    };
  }

  /**
   * A message that a page sent without the user names nothing. Messages of older versions, which did not record this,
   * count as typed.
   */
  #addNamed({ content, isUnattended, named }: EventOf<'user_message'>): void {
    if (isUnattended === true) return;
    const { hosts, urls } = named ?? namedBy({ typed: content.map(({ text }) => text).join('\n') });
    for (const host of hosts) this.#namedHosts.add(hostKey(host));
    this.#addLinks(urls);
  }

  #addLinks(urls: readonly string[]): void {
    for (const url of urls) for (const key of keysOfLink(url)) this.#links.add(key);
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
