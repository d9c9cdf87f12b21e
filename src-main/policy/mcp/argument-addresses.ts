import { isIPv6 } from 'node:net';
import { isRecord, ownValue, parsedJson } from '../../base/json.ts';
import { normalizeHost } from '../../network/private-network.ts';

/** Matches names that mark a value as an address: `url`, `imageUrls`, `base_uri`, `hostname`, `linkTarget`. */
const ADDRESS_WORD = /(?:ur[il]|iri|link|host(?:name)?|domain(?:name)?|website)s?$/;
/** Schemes for which the URL standard accepts any number of slashes before the host. */
const SPECIAL_SCHEME = /^(?:https?|wss?|ftp):/i;
const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]+:[\\/]{2}/i;
/** Of an address inside another one, only its scheme and host matter. */
const INNER_ADDRESS = /(?:[a-z][a-z0-9+.-]{1,30}:[\\/]{2}|https?:[\\/])[^\s<>"'`/?#\\]+/gi;
/** What a lenient parser strips before an address, visible or not. */
const WRAPPING = /^[\s\p{C}\p{Default_Ignorable_Code_Point}<("'`[{]+/u;
/** These characters at the end of a text are never part of an address. */
const CLOSING = /(?<![<>"'`])[<>"'`]+$/;
const FOUR_NUMBERS = /^(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){3}(?=[:/]|$)/i;
const NUMBER = /^(?:0x[0-9a-f]+|\d+)$/i;
/** Matches `host.example`, `user@host.example:path`, and what may follow a host. */
const NAMED_HOST = /^(?:[^\s@/:?#]*@)?((?:[\p{L}\p{M}\p{N}_-]+[.。．｡])+[\p{L}\p{M}\p{N}_-]+)[.]?(?=[:/?#\\]|$)/u;
const LOCALHOST = /^(?:[a-z0-9-]+\.)*localhost(?=[:/?#\\]|$)/i;
const BARE_NAME = /^[\p{L}\p{N}_-]+(?::\d+)?(?:\/.*)?$/u;
const MAIL_ADDRESS = /^[^\s@/:?#]+@[^\s@/:?#]+$/;
/** The first number whose first octet as an IPv4 address is not zero: smaller ones are counts and ids. */
const SMALLEST_NUMBER = 2 ** 24;
const MAX_DECODINGS = 3;
const MAX_WITHIN_EACH_OTHER = 4;

/**
 * The addresses in a call's arguments, as URLs, each host and text once: a request to one could leak text. They are
 * values with a scheme or beginning with `www.`, IP addresses, `localhost`, and any host where the parameter's name or
 * `format` marks it as one. They are found at any depth, in lists, in member names, in JSON written as text, and inside
 * other addresses. Mail addresses and file names are never among them. Source: design section 4 ("MCP calls").
 */
export function addressesIn(input: unknown, schema?: unknown): readonly string[] {
  const search = new AddressSearch(schema);
  search.look(input);
  return [...search.found];
}

/** What is known about a value's position. */
interface Place {
  readonly name: string;
  /** The value's name, an enclosing name, or its format marks it as an address. */
  readonly isAddress: boolean;
  /** The tool's schemas for the value. */
  readonly schemas: readonly unknown[];
  /** The number of enclosing addresses. */
  readonly depth: number;
}

/** The search is iterative, because a model can nest values deeper than the stack. */
class AddressSearch {
  readonly found = new Set<string>();
  readonly #root: unknown;
  readonly #pending: { readonly value: unknown; readonly place: Place }[] = [];

  constructor(root: unknown) {
    this.#root = root;
  }

  look(input: unknown): void {
    this.#pending.push({ value: input, place: { ...NOWHERE, schemas: [this.#root] } });
    for (let at = 0; at < this.#pending.length; at++) {
      const next = this.#pending[at];
      if (next !== undefined) this.#lookAt(next.value, next.place);
    }
  }

  #lookAt(value: unknown, place: Place): void {
    const schemas = this.#branches(place.schemas);
    const here = { ...place, isAddress: place.isAddress || schemas.some(hasAddressFormat) };
    if (typeof value === 'string') this.#lookAtText(value, here);
    else if (typeof value === 'number') this.#lookAtWord(String(value), here);
    else if (Array.isArray(value)) {
      const inList = { ...here, schemas: itemSchemas(schemas) };
      for (const each of value) this.#pending.push({ value: each, place: inList });
    } else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        this.#lookAtText(name, NOWHERE);
        const isAddress = here.isAddress || saysAddress(name);
        this.#pending.push({
          value: member,
          place: { ...here, name, isAddress, schemas: memberSchemas(schemas, name) },
        });
      }
    }
  }

  #lookAtText(text: string, place: Place): void {
    const bare = text.replace(WRAPPING, '').trimEnd();
    if (bare === '' || MAIL_ADDRESS.test(bare)) return;
    const words = bare.split(/\s+/);
    const [first = ''] = words;
    // A text that merely mentions an address is not one; one that begins with an address may be a list.
    const areAddresses = place.isAddress || addressOf(first.replace(CLOSING, ''), place) !== undefined;
    if (areAddresses) for (const word of words) this.#lookAtWord(word, place);
    // The URL standard ignores line breaks and tabs within an address.
    else if (words.length > 1) this.#lookAtWord(bare.replace(/[\t\r\n]/g, ''), place);
    if (/^\s*[[{]/.test(text)) this.#lookAtJson(text, place);
  }

  #lookAtWord(word: string, place: Place): void {
    const url = addressOf(word.replace(WRAPPING, '').replace(CLOSING, ''), place);
    if (url === undefined || this.found.has(url)) return;
    this.found.add(url);
    if (place.depth < MAX_WITHIN_EACH_OTHER) this.#lookInside(new URL(url), place.depth + 1);
  }

  /**
   * Looks for further addresses inside one, because a server that requests it may follow another one contained in it.
   */
  #lookInside({ href, searchParams }: URL, depth: number): void {
    for (const [name, value] of searchParams)
      this.#pending.push({ value, place: { name, isAddress: saysAddress(name), schemas: [], depth } });
    let rest = href.slice(href.indexOf(':') + 1);
    for (let decodings = 0; decodings <= MAX_DECODINGS; decodings++) {
      for (const [inner] of rest.matchAll(INNER_ADDRESS))
        this.#lookAtWord(inner, { ...NOWHERE, depth: MAX_WITHIN_EACH_OTHER });
      const decoded = decodedOnce(rest);
      if (decoded === rest) return;
      rest = decoded;
    }
  }

  #lookAtJson(text: string, place: Place): void {
    const value = parsedJson(text);
    if (value !== undefined) this.#pending.push({ value, place });
  }

  /** The schemas, with `$ref`s and combinations resolved. */
  #branches(schemas: readonly unknown[]): readonly Record<string, unknown>[] {
    const seen = new Set<Record<string, unknown>>();
    const add = (schema: unknown): void => {
      if (!isRecord(schema) || seen.has(schema)) return;
      seen.add(schema);
      if (typeof schema.$ref === 'string') add(this.#referred(schema.$ref));
      for (const key of ['anyOf', 'oneOf', 'allOf']) for (const branch of listOf(schema[key])) add(branch);
    };
    for (const schema of schemas) add(schema);
    return [...seen];
  }

  #referred(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    return reference
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, part) => (isRecord(at) ? ownValue(at, part) : undefined), this.#root);
  }
}

const NOWHERE: Place = { name: '', isAddress: false, schemas: [], depth: 0 };

/** A URL with a host for a word that is an address; otherwise undefined. */
function addressOf(word: string, { name, isAddress }: Pick<Place, 'name' | 'isAddress'>): string | undefined {
  if (SPECIAL_SCHEME.test(word) || SCHEME_AND_HOST.test(word)) return urlOf(word);
  if (/^www\./i.test(word)) return urlOf(`https://${word}`);
  if (FOUR_NUMBERS.test(word) || LOCALHOST.test(word)) return urlOf(`http://${word}`);
  const unbracketed = word.replace(/\].*/s, '').replace(/%.*/s, '');
  if (isIPv6(unbracketed)) return urlOf(`http://[${unbracketed}]/`);
  return isAddress ? hostWhereOneIsMeant(word, name) : undefined;
}

function hostWhereOneIsMeant(word: string, name: string): string | undefined {
  const afterSlashes = word.replace(/^[\\/]{2}/, '');
  // A name like `link_id` does not make a number an address, `host` does.
  if (NUMBER.test(afterSlashes))
    return Number(afterSlashes) >= SMALLEST_NUMBER && ADDRESS_WORD.test(name.toLowerCase())
      ? urlOf(`http://${afterSlashes}`)
      : undefined;
  const host = NAMED_HOST.exec(afterSlashes)?.[1];
  if (host !== undefined && !MAIL_ADDRESS.test(afterSlashes))
    return urlOf(
      `https://${host}${afterSlashes.slice(afterSlashes.indexOf(host) + host.length).replace(/^:(?!\d)/, '/')}`,
    );
  const meansHost = /host(?:name)?$/i.test(name) || /:\d+/.test(afterSlashes);
  return meansHost && BARE_NAME.test(afterSlashes) ? urlOf(`http://${afterSlashes}`) : undefined;
}

function urlOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return normalizeHost(url.hostname) === null ? undefined : url.href;
}

function saysAddress(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.split(/[^a-z]+/).some((word) => ADDRESS_WORD.test(word));
}

function hasAddressFormat({ format }: Readonly<Record<string, unknown>>): boolean {
  return typeof format === 'string' && (saysAddress(format) || /^ipv[46]$/i.test(format));
}

function memberSchemas(schemas: readonly Readonly<Record<string, unknown>>[], name: string): readonly unknown[] {
  return schemas.flatMap(({ properties, additionalProperties }) => [
    isRecord(properties) ? ownValue(properties, name) : undefined,
    additionalProperties,
  ]);
}

function itemSchemas(schemas: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  return schemas.flatMap(({ items, prefixItems }) => [...listOf(items), items, ...listOf(prefixItems)]);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function decodedOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
