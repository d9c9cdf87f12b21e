import { domainToASCII } from 'node:url';
import { visible } from '../../base/text.ts';

/**
 * A recipient. What counts is the address. It is ASCII, with the domain in its DNS form (`xn--…`) and in lower case.
 */
export interface MailAddress {
  /** The display name; empty if there is none. */
  readonly name: string;
  readonly address: string;
}

/** Says why the recipients can't be accepted; `message` names the entry. */
export class MailAddressError extends Error {
  override readonly name = 'MailAddressError';
}

/** Nobody reads more recipients than that in a question. */
const MAX_RECIPIENTS = 100;
const MAX_NAME_LENGTH = 100;
/** Source: RFC 5321, section 4.5.3.1. */
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_ADDRESS_LENGTH = 254;
/** A `dot-atom` of RFC 5322. Quoted local parts are not accepted, because they could contain a second `@`. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?=[a-z\d-]*[a-z])[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
/**
 * A name consists of letters of any script and the punctuation of names. Nothing that has a meaning in a header is
 * allowed, and no address.
 */
const NAME = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} .,'’&+/_-]*[\p{L}\p{M}\p{N}.’'])?$/u;

/**
 * Reads comma-separated recipients. It is stricter than RFC 5322, so that the user sees exactly the addresses that mail
 * servers see: no groups, routes, comments, quoted local parts, encoded words or invisible characters. Rejects with
 * `MailAddressError`. Source: tool catalogue B.5.
 */
export async function parseMailAddresses(text: string): Promise<readonly MailAddress[]> {
  if (visible(text) !== text) throw new MailAddressError('to contains invisible or control characters');
  if (/[()\\]/.test(text)) throw new MailAddressError('comments and escapes are not allowed in to');
  const { default: parse } = await import('nodemailer/lib/addressparser');
  const entries = parse(text);
  if (entries.length === 0) throw new MailAddressError('to contains no address');
  if (entries.length > MAX_RECIPIENTS) throw new MailAddressError(`to has more than ${MAX_RECIPIENTS} addresses`);
  const addresses = entries.map((entry) => {
    if (entry.group !== undefined) throw new MailAddressError('groups are not allowed in to');
    return { name: checkedName(entry.name), address: checkedAddress(entry.address, entry.name) };
  });
  // The parser repairs what it can't read. Whatever it left out must not look like a recipient.
  const count = (character: string) => text.split(character).length - 1;
  if (count('@') !== addresses.length || count('<') !== count('>') || count('<') > addresses.length)
    throw new MailAddressError('to must be addresses separated by commas, each one alone or in <> after a name');
  return [...new Map(addresses.map((each) => [each.address, each])).values()];
}

/** Writes `Ada Lovelace <ada@example.org>`, or the address alone. A name that could be taken for two is quoted. */
export function mailAddressText({ name, address }: MailAddress): string {
  if (name === '') return address;
  return `${name.includes(',') ? `"${name}"` : name} <${address}>`;
}

function checkedName(name: string): string {
  if (name === '') return '';
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name))
    throw new MailAddressError(`the name ${JSON.stringify(name)} of a recipient is not allowed; use the address alone`);
  return name;
}

/**
 * Reads one address as mail servers see it: ASCII, the domain in its DNS form (`xn--…`). `shownAs` is named in the
 * error if the address is empty. Throws `MailAddressError`, also for invisible characters.
 */
export function checkedAddress(address: string, shownAs = address): string {
  if (visible(address) !== address)
    throw new MailAddressError(`${JSON.stringify(visible(address))} contains invisible or control characters`);
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(0, at));
  const domain = domainToASCII(address.slice(at + 1)).toLowerCase();
  const checked = `${local}@${domain}`;
  const isValid =
    LOCAL_PART.test(local) &&
    local.length <= MAX_LOCAL_PART_LENGTH &&
    DOMAIN.test(domain) &&
    checked.length <= MAX_ADDRESS_LENGTH;
  if (!isValid) throw new MailAddressError(`${JSON.stringify(address || shownAs)} is not an email address`);
  return checked;
}
