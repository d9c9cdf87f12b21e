import type { NamedAddresses } from '../../src-preload/contract/events.ts';
import { linkKey } from '../network/address-keys.ts';

/** A message, split by how each part was entered. */
export interface MessageOrigin {
  /** What the user typed. */
  readonly typed: string;
  /**
   * The texts that the user pasted, dropped or attached. Someone else may have written them, and the user may not have
   * read them.
   */
  readonly pasted?: readonly string[];
  /** Whether a file or folder in the workspace has this name: `plan.org` then means the file, not a host. */
  readonly isFile?: (name: string) => boolean;
}

/** More links than anyone pastes in order to have them read. */
const MAX_PASTED_URLS = 200;
const MAX_URL_LENGTH = 8_000;

/** Ends an address in running text. */
const END = '\\s<>"`\\u201c\\u201d\\u00ab\\u00bb\\u3000-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20';
/**
 * The host ends at the first character that hosts can't contain; the path continues, but not into the next link of a
 * Markdown list.
 */
const URL_IN_TEXT = new RegExp(
  `(?<![A-Za-z0-9])https?://[^${END}'()|*,;\\\\/?#]+(?:[\\\\/?#](?:(?!\\)\\[|\\]\\()[^${END}])*)?`,
  'giu',
);

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
const WORD =
  /[^\s,;|<>()[\]{}"'\u2018\u2019\u201c\u201d\u00ab\u00bb\u2013\u2014\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+/gu;
/** Marks around a word that don't belong to the address, as in `*example.org*`, `_example.org_` or `example.org:`. */
const AROUND_A_WORD = /^[*_~]+|(?<![*_~.:!?\u2026])[*_~.:!?\u2026]+$/g;

/** Matches a label. Underscores are allowed, because DNS allows them and some sites have them. */
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}_-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
/**
 * A host, optionally with a port and a path, and nothing else in the word. A capitalised ending is a name in code:
 * `System.Net`.
 */
const HOST_WORD = new RegExp(`^((?:${LABEL}\\.){1,9}([a-z]{2,24}))(?::\\d{1,5})?(?:[/?#].*)?$`, 'su');

/** The endings, besides country codes, by which a bare name is recognised as a host. */
const GENERIC_ENDINGS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'edu', 'gov', 'io', 'dev']);
/**
 * Country codes that are also file extensions, or common in code after a dot (`user.id`): `README.md` does not name the
 * host readme.md. With `www.` or a scheme in front they are hosts.
 */
const ENDINGS_OF_FILES: ReadonlySet<string> = new Set(
  (
    'ac ad ag ai al am as bz cc cl cr do ec gd gs hm ht id in is la lc ma md me mk ml mm mo ms nc nu pg ph pl pm ps pt ' +
    'py re rs sc sh sl so sr st sv sy tc td tf tk tm to tt va vc vi ws'
  ).split(' '),
);

/**
 * The hosts and addresses that a message names. Typed text names hosts: of an address, of a `www.` name, and of a bare
 * name that can be nothing else. Pasted text names only the exact addresses in it: a pasted mail must not name its
 * sender's host.
 */
export function namedBy({ typed, pasted = [], isFile = () => false }: MessageOrigin): NamedAddresses {
  const hosts = new Set<string>();
  const urls = new Set<string>();
  for (const url of urlsIn(typed)) {
    hosts.add(new URL(url).hostname);
    urls.add(url);
  }
  for (const host of hostWordsIn(typed, isFile)) {
    hosts.add(host);
    // Naming a site means its home page.
    const bare = host.replace(/^www\./, '');
    for (const each of [bare, `www.${bare}`]) urls.add(`https://${each}/`);
  }
  for (const url of pasted.flatMap(urlsIn).slice(0, MAX_PASTED_URLS)) urls.add(url);
  return { hosts: [...hosts], urls: [...urls] };
}

/** The URLs in a text, each without its fragment. */
function urlsIn(text: string): string[] {
  return [...text.matchAll(URL_IN_TEXT)].flatMap(([written]) => {
    if (written.length > MAX_URL_LENGTH) return [];
    return linkKey(withoutSentenceEnd(written)) ?? [];
  });
}

/** Trailing punctuation belongs to the sentence; so does a closing bracket that was not opened in the address. */
function withoutSentenceEnd(written: string): string {
  for (let end = written.length; end > 0; end--) {
    const last = written.charAt(end - 1);
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    const address = written.slice(0, end);
    if (opening === undefined ? !/[.,;:!?'*_~\u2019\u2026]/.test(last) : isOpened(address, opening, last))
      return address;
  }
  return '';
}

function isOpened(address: string, opening: string, closing: string): boolean {
  return address.split(opening).length >= address.split(closing).length;
}

/** Hosts without a scheme, as whole words. Code is skipped, because `list.at` is not a site there. */
function hostWordsIn(text: string, isFile: (name: string) => boolean): string[] {
  const prose = text.replace(URL_IN_TEXT, ' ').replace(CODE, ' ');
  return [...prose.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const isCalled = /[([{]/.test(prose.charAt(index + word.length));
    const [, host, ending = ''] = HOST_WORD.exec(word.replace(AROUND_A_WORD, '')) ?? [];
    if (host === undefined || isCalled || !(isWebName(host) || (isHostName(host, ending) && !isFile(host)))) return [];
    return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : [];
  });
}

function isWebName(host: string): boolean {
  return /^www\.[^.]+\./i.test(host);
}

/** A name with an underscore and a country code is more often one in code: `order_list.at`. */
function isHostName(host: string, ending: string): boolean {
  if (GENERIC_ENDINGS.has(ending)) return true;
  return ending.length === 2 && !ENDINGS_OF_FILES.has(ending) && !host.includes('_');
}
