import type { AccessClass } from '../../../src-preload/contract/access-class.ts';
import { hostKey } from '../../network/address-keys.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import { isMetadataHost } from '../../network/private-network.ts';
import { isDocumentation } from '../documentation-hosts.ts';
import { MAX_LINKS, MAX_LINKS_PER_DOMAIN } from '../known-addresses.ts';
import type { RuleDraft, RuleMatcher } from '../rules.ts';
import type { TouchedKind } from './access-kind.ts';
import { isLinkAllowed, mailLinkRules, mailLinkServices, reasonForMailLink } from './mail-links.ts';
import { hostOf, isConfiguredOrigin, isOnPrivateNetwork } from './request-host.ts';
import { named } from './title-words.ts';
import { allows, asks, byRule, has, isMarkedBoth, isPrivate, type JudgeInput, type Verdict } from './verdict.ts';

export type { NetworkAccess } from '../../network/network-access.ts';

export const requestKind: TouchedKind<NetworkAccess> = {
  effectiveClass,
  judge,
  isCovered,
  rules,
  leastFlag: () => 'reads',
  remembered: (access, { asksModel }, reason) => {
    if (reason.code === 'mail_link') return { services: mailLinkServices(reason) };
    const isService = reason.code === 'service_marked' && (asksModel || access.service !== undefined);
    return isService ? { services: [hostOf(access)] } : {};
  },
  // The tool says whose text a page is.
  marks: () => [],
  consequences: () => ({ consequences: [] }),
  hosts: (access) => [hostOf(access)],
  passesOnInput: (access) => !isReading(access),
  title: (requests) => named('Send a request to', requests.map(hostOf), 'address', 'addresses'),
  nameOf: ({ url }) => url,
  describe,
  shownClass: (access) => access.class,
};

/**
 * A request with a method that may change something is `send` (tool catalogue B, index): `POST https://x.example/` with
 * a file in its body would pass as reading otherwise. A private host is private whatever the tool declares: a page
 * could send the model to `http://192.168.1.1/reboot`, or to `http://169.254.169.254/` for a cloud machine's
 * credentials. The origins of configured endpoints are public. With `asksModel`, POST requests are not `send`, because
 * second opinions go to providers that the user configured.
 */
function effectiveClass(
  access: NetworkAccess,
  { asksModel, endpointOrigins }: Pick<JudgeInput, 'asksModel' | 'endpointOrigins'>,
): AccessClass {
  if (!isReading(access) && !asksModel) return 'send';
  return isOnPrivateNetwork(access, endpointOrigins) ? 'network-private' : 'network';
}

function isReading({ method }: NetworkAccess): boolean {
  return /^(?:GET|HEAD)$/i.test(method);
}

function judge(input: JudgeInput, access: NetworkAccess, effective: AccessClass): Verdict {
  if (input.allowPrivateNetwork === 'never' && isOnPrivateNetwork(access, input.endpointOrigins))
    return { kind: 'deny', reason: { code: 'private_network_off' } };
  if (effective === 'send') return asks({ code: 'send' }, 'send');
  if (effective === 'network-private')
    return byHostRule(input, access, effective) ?? asks({ code: 'private_network' }, effective, true);
  // The lookup's request was already decided; a configured origin counts as public wherever it is.
  if (access.cameUp === 'lookup') return allows('public_address');
  if (access.inBrowser === true) return judgeBrowser(input, access);
  if (input.asksModel) return judgeService(input, access, 'own_model');
  if (access.service === 'account') return allows('own_account');
  if (access.service === 'search') return judgeService(input, access, 'search_service');
  if (!isPrivate(input)) return allows('public_address');
  return judgeWhilePrivate(input, access);
}

/** A configured service gets a query written by the model, which text from outside may have influenced. */
function judgeService(input: JudgeInput, access: NetworkAccess, reason: 'own_model' | 'search_service'): Verdict {
  const host = hostOf(access);
  if (!isMarkedBoth(input) || input.namedHosts.has(hostKey(host)) || input.allowedServices.has(host))
    return allows(reason);
  return byHostRule(input, access) ?? asks({ code: 'service_marked', address: host || access.url }, 'network', true);
}

/** In the browser a link acts with the user's own sign-ins, so that it was seen somewhere says nothing for it. */
function judgeBrowser(input: JudgeInput, access: NetworkAccess): Verdict {
  if (!has(input, 'untrusted') && !isPrivate(input)) return allows('public_address');
  const host = hostOf(access);
  if (input.namedHosts.has(hostKey(host))) return allows('named_host');
  const code = isPrivate(input) ? 'address_composed' : 'browser_untrusted';
  return byHostRule(input, access) ?? asks({ code, address: host || access.url }, 'network', true);
}

/**
 * The address itself could leak what was read (`https://x.example/?note=…`, or one page of a thousand that each stand
 * for a word), unless the model did not write it or no one can read it. A redirect was chosen by the page, so it is let
 * through only behind a seen link: behind an address that the model composed, it would pass the text on.
 */
function judgeWhilePrivate(input: JudgeInput, access: NetworkAccess): Verdict {
  const asked = addressAsked(input, access);
  const host = hostOf(asked);
  if (input.namedHosts.has(hostKey(host))) return allows('named_host');
  const rule = byHostRule(input, access);
  if (rule !== undefined) return rule;
  if (isDocumentation(asked)) return allows('documentation');
  if (access.cameUp === 'redirect' && input.isOfSeenLink) return allows('public_address');
  if (access.cameUp === 'redirect' && input.linkedBy.some((sender) => isLinkAllowed(input, { sender, host })))
    return allows('public_address');
  if (access.cameUp === undefined && input.links.has(asked.url))
    return judgeSeenLink(input, asked, host) ?? seenLink(input, asked.url, host);
  if (access.cameUp === undefined && access.isArgument !== true && input.links.inMails(asked.url).length > 0)
    return judgeSeenLink(input, asked, host) ?? judgeMailLink(input, asked.url, host);
  return asks({ code: 'address_composed', address: host || asked.url }, 'network', true);
}

/**
 * A link of a page tells its host only that it was followed. What else it could carry is asked about: headers that the
 * model writes (`X-Note: …`), and which of many links it chooses. A page with a link for each letter could have a
 * password spelled out to it, so there is a limit for each domain, and none is followed once a secret was read.
 */
function judgeSeenLink(input: JudgeInput, { method, carries }: NetworkAccess, host: string): Verdict | undefined {
  const domain = input.registrableDomain(host);
  const { links } = input;
  if (method !== 'GET' || carries !== undefined)
    return asks({ code: 'link_carries', carries: carries ?? 'headers', address: host }, 'network', true);
  if (has(input, 'secret')) return asks({ code: 'link_while_secret', address: host }, 'network', true);
  if (links.followed >= MAX_LINKS) return asks({ code: 'links_followed', count: MAX_LINKS }, 'network', true);
  if (links.followedOn(domain) >= MAX_LINKS_PER_DOMAIN)
    return asks({ code: 'links_followed', count: MAX_LINKS_PER_DOMAIN, domain }, 'network', true);
  return undefined;
}

function seenLink(input: JudgeInput, url: string, host: string): Verdict {
  return { kind: 'allow', reason: { code: 'seen_link', url, domain: input.registrableDomain(host) } };
}

/**
 * What a link of a mail does for whoever opens it can't be told from its look: a one-time token may be a few digits or
 * words, and a mail could make the assistant look for just that link in another mail.
 */
function judgeMailLink(input: JudgeInput, url: string, host: string): Verdict {
  const mails = input.links.inMails(url);
  const allowed = mails.find(({ sender }) => isLinkAllowed(input, { sender, host }));
  if (allowed === undefined) return asks(reasonForMailLink(mails, host), 'network', true);
  const domain = input.registrableDomain(host);
  return { kind: 'allow', reason: { code: 'mail_link_allowed', url, domain, sender: allowed.sender } };
}

/** Another address may be used instead only for an origin that the user confirmed. */
function addressAsked({ endpointOrigins }: JudgeInput, access: NetworkAccess): NetworkAccess {
  const { standsFor } = access;
  if (standsFor === undefined || !isConfiguredOrigin(access, endpointOrigins)) return access;
  return { ...access, url: standsFor };
}

function byHostRule(
  input: JudgeInput,
  access: NetworkAccess,
  effective: 'network' | 'network-private' = 'network',
): Verdict | undefined {
  return byRule(input, (matcher) => isCovered(matcher, access, effective));
}

/**
 * The class has to be the same: a rule for `intranet.example`, made when its address was public, does not apply once
 * the name resolves to `127.0.0.1`. No rule opens a cloud machine's metadata, by whatever name it is reached.
 */
function isCovered(matcher: RuleMatcher, access: NetworkAccess, effective: AccessClass): boolean {
  return (
    matcher.kind === 'host' &&
    access.isMetadata !== true &&
    effective === matcher.class &&
    isSameHost(access, matcher.host)
  );
}

function isSameHost(access: NetworkAccess, host: string): boolean {
  const asked = hostKey(hostOf(access));
  return asked !== '' && asked === hostKey(host);
}

function rules(access: NetworkAccess, effective: AccessClass, { links }: Pick<JudgeInput, 'links'>): RuleDraft[] {
  const own =
    effective === 'network' && access.cameUp === undefined
      ? mailLinkRules(links, { url: access.url, host: hostOf(access) })
      : [];
  return [...own, ...hostRules(access, effective)];
}

function hostRules(access: NetworkAccess, effective: AccessClass): RuleDraft[] {
  if (effective !== 'network' && effective !== 'network-private') return [];
  const host = hostOf(access);
  if (host === '' || access.isMetadata === true || isMetadataHost(host)) return [];
  const label =
    effective === 'network' ? `read from ${host}` : `read from ${host} on your own machine or network, any port`;
  return [{ label, tool: null, matcher: { kind: 'host', class: effective, host } }];
}

function describe(access: NetworkAccess): string {
  const where = access.class === 'network-private' ? 'your own machine or network: ' : '';
  const secrets = access.isMetadata === true ? ', which gives out a cloud machine’s credentials' : '';
  if (access.isArgument === true)
    return `pass on the address ${access.url}\nwhich leads to ${where}${access.host}${secrets}`;
  return `${access.method} ${access.url}\n${isReading(access) ? 'from' : 'to'} ${where}${access.host}${secrets}`;
}
