import { hostKey } from '../../network/address-keys.ts';
import type { NetworkAccess } from '../../network/network-access.ts';
import { isDocumentation } from '../documentation-hosts.ts';
import { hostOf, isConfiguredOrigin } from '../effective-access.ts';
import { MOST_LINKS, MOST_LINKS_PER_DOMAIN } from '../known-addresses.ts';
import { allows, asks, byRule, has, isMarkedBoth, isPrivate, type PolicyInput, type Verdict } from './verdict.ts';

export function judgeNetwork(
  input: PolicyInput,
  access: NetworkAccess,
  effective: 'network' | 'network-private',
): Verdict {
  if (effective === 'network-private')
    return byRule(input, access, effective) ?? asks({ code: 'private_network' }, effective, true);
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
function judgeService(input: PolicyInput, access: NetworkAccess, reason: 'own_model' | 'search_service'): Verdict {
  const host = hostOf(access);
  if (!isMarkedBoth(input) || input.namedHosts.has(hostKey(host)) || input.allowedServices.has(host))
    return allows(reason);
  return (
    byRule(input, access, 'network') ?? asks({ code: 'service_marked', address: host || access.url }, 'network', true)
  );
}

/** There a link acts with the person's own sign-ins, so that it was seen somewhere says nothing for it. */
function judgeBrowser(input: PolicyInput, access: NetworkAccess): Verdict {
  if (!has(input, 'untrusted') && !isPrivate(input)) return allows('public_address');
  const host = hostOf(access);
  if (input.namedHosts.has(hostKey(host))) return allows('named_host');
  const code = isPrivate(input) ? 'address_composed' : 'browser_untrusted';
  return byRule(input, access, 'network') ?? asks({ code, address: host || access.url }, 'network', true);
}

/** The address itself could leak what was read, unless the model did not write it or no one can read it. */
function judgeWhilePrivate(input: PolicyInput, access: NetworkAccess): Verdict {
  const asked = addressAsked(input, access);
  const host = hostOf(asked);
  if (input.namedHosts.has(hostKey(host))) return allows('named_host');
  const rule = byRule(input, access, 'network');
  if (rule !== undefined) return rule;
  if (isDocumentation(asked)) return allows('documentation');
  if (access.cameUp === 'redirect' && input.isOfSeenLink) return allows('public_address');
  if (access.cameUp === undefined && input.links.has(asked.url)) return judgeSeenLink(input, asked, host);
  return asks({ code: 'address_composed', address: host || asked.url }, 'network', true);
}

function judgeSeenLink(input: PolicyInput, { url, method, carries }: NetworkAccess, host: string): Verdict {
  const domain = input.registrableDomain(host);
  const { links } = input;
  if (method !== 'GET' || carries !== undefined)
    return asks({ code: 'link_carries', carries: carries ?? 'headers', address: host }, 'network', true);
  if (has(input, 'secret')) return asks({ code: 'link_while_secret', address: host }, 'network', true);
  if (links.followed >= MOST_LINKS) return asks({ code: 'links_followed', count: MOST_LINKS }, 'network', true);
  if (links.followedOn(domain) >= MOST_LINKS_PER_DOMAIN)
    return asks({ code: 'links_followed', count: MOST_LINKS_PER_DOMAIN, domain }, 'network', true);
  return { kind: 'allow', reason: { code: 'seen_link', url, domain } };
}

/** Only for an origin that the person confirmed may another address be used instead. */
function addressAsked({ endpointOrigins }: PolicyInput, access: NetworkAccess): NetworkAccess {
  const { standsFor } = access;
  if (standsFor === undefined || !isConfiguredOrigin(access, endpointOrigins)) return access;
  return { ...access, url: standsFor };
}
