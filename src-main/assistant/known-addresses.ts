import { followedLinksIn } from '../../src-preload/contract/decision-reason.ts';
import type { EventOf, StoredEvent } from '../../src-preload/contract/events.ts';
import { hostKey, keysOfLink, linkKey } from '../network/address-keys.ts';
import { normalizeHost } from '../network/private-network.ts';
import type { KnownAddresses, MailLinks } from '../policy/known-addresses.ts';
import { namedBy } from './named-hosts.ts';

/**
 * Addresses in a conversation that the model did not make up. The whole log counts: addresses stay named or seen when
 * the text leaves the context, and a retry, an undo or a summary does not reset the number of followed links.
 */
export class AddressBook {
  readonly #namedHosts = new Set<string>();
  readonly #links = new Set<string>();
  /** For each sender, the hosts of the links in their mails. */
  readonly #mails = new Map<string, Set<string>>();
  /** For each link, the senders of the mails that contain it. */
  readonly #mailLinks = new Map<string, Set<string>>();
  readonly #followed = new Map<string, number>();

  add(event: StoredEvent): void {
    if (event.type === 'user_message') this.#addNamed(event);
    else if (event.type === 'tool_result') this.#addFound(event);
    else if (event.type === 'decision' && event.answer === 'allow')
      for (const { domain } of followedLinksIn(event.reason)) increment(this.#followed, domain);
  }

  /** The addresses for the calls of one message, which share one count. */
  forCalls(): KnownAddresses {
    const links = this.#links;
    const followed = new Map(this.#followed);
    const linksOf = (sender: string): MailLinks => ({ sender, hosts: [...(this.#mails.get(sender) ?? [])] });
    const mails = this.#mails;
    return {
      namedHosts: this.#namedHosts,
      links: {
        has: (url) => links.has(linkKey(url) ?? ''),
        inMails: (url) => [...(this.#mailLinks.get(linkKey(url) ?? '') ?? [])].map(linksOf),
        get mails() {
          return [...mails.keys()].map(linksOf);
        },
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

  /** The links of a mail in an event of an older version, which did not record its sender, are none. */
  #addFound({ links = [], linksFrom, card }: EventOf<'tool_result'>): void {
    if (linksFrom === undefined) {
      if (card?.kind !== 'mail') this.#addLinks(links);
      return;
    }
    for (const sender of linksFrom)
      for (const url of links) {
        const host = linkKey(url) === undefined ? null : normalizeHost(new URL(url).hostname);
        if (host === null) continue;
        addTo(this.#mails, sender, host);
        for (const key of keysOfLink(url)) addTo(this.#mailLinks, key, sender);
      }
  }

  #addLinks(urls: readonly string[]): void {
    for (const url of urls) for (const key of keysOfLink(url)) this.#links.add(key);
  }
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
