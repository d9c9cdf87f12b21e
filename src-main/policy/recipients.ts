import { loadRegistrableDomain, type RegistrableDomain } from '../network/address-keys.ts';
import { normalizeHost } from '../network/private-network.ts';

/**
 * The mail addresses among these that belong to someone outside the user's organisation, because their registrable
 * domain is not that of the user's own address. At a public mail service everyone but the user is outside:
 * `boss@gmail.com` is no colleague of `ada@gmail.com`. If the user's address is unknown, everyone is outside. Addresses
 * are bare (`ada@example.com`) and are returned as given.
 */
export async function externalAmong(addresses: readonly string[], own: string | undefined): Promise<readonly string[]> {
  const domainOf = await loadRegistrableDomain();
  const user = own === undefined ? undefined : mailboxOf(own);
  return addresses.filter((address) => isOutside(mailboxOf(address), user, domainOf));
}

interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

function isOutside(mailbox: Mailbox | undefined, user: Mailbox | undefined, domainOf: RegistrableDomain): boolean {
  if (mailbox === undefined || user === undefined) return true;
  if (mailbox.local === user.local && mailbox.domain === user.domain) return false;
  const domain = domainOf(user.domain);
  return PUBLIC_MAIL.has(domain) || domainOf(mailbox.domain) !== domain;
}

/** The parts of an address, or undefined if mail could not reach it. */
function mailboxOf(address: string): Mailbox | undefined {
  const at = address.lastIndexOf('@');
  const domain = normalizeHost(address.slice(at + 1).trim());
  const local = address.slice(0, at).trim().toLowerCase();
  if (at < 1 || local === '' || domain === null) return undefined;
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return { local, domain };
  // Gmail ignores dots and what follows a plus: https://support.google.com/mail/answer/7436150
  return { local: local.replace(/\+.*/s, '').replaceAll('.', ''), domain: 'gmail.com' };
}

/**
 * The registrable domains at which anyone can have an address, so that a common one does not make two people
 * colleagues.
 */
const PUBLIC_MAIL: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com outlook.com hotmail.com live.com msn.com passport.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it
  hotmail.es live.co.uk live.fr live.nl outlook.de outlook.fr outlook.es outlook.it outlook.jp outlook.co.uk windowslive.com
  yahoo.com ymail.com rocketmail.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.jp yahoo.co.in yahoo.com.br yahoo.ca
  aol.com aim.com icloud.com me.com mac.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io
  gmx.net gmx.de gmx.at gmx.ch gmx.com web.de mail.de posteo.de posteo.net mailbox.org t-online.de freenet.de arcor.de aon.at
  bluewin.ch hushmail.com fastmail.com fastmail.fm zoho.com zohomail.com mail.com email.com usa.com inbox.com hey.com duck.com
  disroot.org orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it alice.it btinternet.com sky.com
  virginmedia.com ntlworld.com talktalk.net ziggo.nl kpnmail.nl telenet.be comcast.net verizon.net att.net sbcglobal.net
  bellsouth.net cox.net charter.net earthlink.net rogers.com shaw.ca sympatico.ca bigpond.com optusnet.com.au xtra.co.nz
  uol.com.br bol.com.br terra.com.br mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net wp.pl o2.pl
  onet.pl interia.pl seznam.cz email.cz centrum.cz abv.bg freemail.hu qq.com foxmail.com 163.com 126.com yeah.net sina.com
  sohu.com aliyun.com naver.com daum.net hanmail.net docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com rediffmail.com walla.co.il
  `.split(/\s+/),
);
