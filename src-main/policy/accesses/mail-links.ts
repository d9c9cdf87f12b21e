import type { DecisionReason } from '../../../src-preload/contract/decision-reason.ts';
import type { MailLinks, SeenLinks } from '../known-addresses.ts';
import type { RuleDraft } from '../rules.ts';
import type { JudgeInput } from './verdict.ts';

/** A question has to fit half a screen. What isn't shown isn't covered by its answer. */
const MAX_HOSTS = 5;
const MAX_SENDERS = 8;

interface UrlOnHost {
  readonly url: string;
  readonly host: string;
}

interface LinkOfSender {
  readonly sender: string;
  readonly host: string;
}

/** Whether the link is allowed by an answer about this sender, or about all mails that were read. */
export function isLinkAllowed({ allowedServices, rules }: JudgeInput, { sender, host }: LinkOfSender): boolean {
  return (
    allowedServices.has(serviceOfLink({ sender, host })) ||
    rules.some(
      ({ matcher }) =>
        matcher.kind === 'mail-links' &&
        matcher.mails.some((mail) => mail.sender === sender && mail.hosts.includes(host)),
    )
  );
}

/** Asks about the sender whose mail was read last, because that is most likely what the model follows. */
export function reasonForMailLink(mails: readonly MailLinks[], host: string): DecisionReason {
  const { sender = '', hosts = [] } = mails.at(-1) ?? {};
  return { code: 'mail_link', sender, hosts: shownHosts(hosts, host) };
}

export function mailLinkServices({ sender, hosts }: MailLinks): readonly string[] {
  return hosts.map((host) => serviceOfLink({ sender, host }));
}

/**
 * Offers a rule for all mails that were read if there is more than one sender, since an inbox would ask about each of
 * them.
 */
export function mailLinkRules(links: SeenLinks, { url, host }: UrlOnHost): readonly RuleDraft[] {
  const [own] = links.inMails(url).slice(-1);
  if (own === undefined || links.mails.length < 2) return [];
  const others = links.mails.filter(({ sender }) => sender !== own.sender).slice(-(MAX_SENDERS - 1));
  const mails = [own, ...others].map(({ sender, hosts }) => ({
    sender,
    hosts: shownHosts(hosts, sender === own.sender ? host : undefined),
  }));
  const named = mails.map(({ sender, hosts }) => `${sender} (to ${hosts.join(', ')})`);
  const label = `follow links in mails from ${named.join('; ')}`;
  return [{ label, tool: null, matcher: { kind: 'mail-links', mails } }];
}

/** The key of the link among the allowed services. It can't be mistaken for a host. */
function serviceOfLink({ sender, host }: LinkOfSender): string {
  return `mail links ${JSON.stringify([sender, host])}`;
}

/**
 * The hosts in the order of the mails, so that the links of a sender have the same question. `own` is shown in any
 * case.
 */
function shownHosts(hosts: readonly string[], own?: string): readonly string[] {
  const shown = hosts.slice(0, MAX_HOSTS);
  return own === undefined || shown.includes(own) ? shown : [own, ...shown.slice(0, MAX_HOSTS - 1)];
}
