import { isIPv6 } from 'node:net';
import { isRecord } from '../../base/json.ts';
import { asciiLookOf } from '../../base/look-alikes.ts';
import { words } from '../../base/text.ts';
import { normalizeHost } from '../../network/private-network.ts';
import { FILE_ENDS, type IsPublicHost } from './mentioned-addresses.ts';
import { formsOf } from './text-forms.ts';

/** How many names of files in the arguments of one call are looked up. Any more of them are taken for hosts. */
const MAX_FILES = 100;
const MAX_PATH = 1_000;
/** Matches names that no registry gives, and that a network may have. Source: RFC 2606, RFC 6761, RFC 6762. */
const UNREGISTERED = /\.(?:example|test|invalid|localhost|local|internal|intranet|lan|home|corp|onion|arpa)$/i;
/** A label may have symbols and dividing dots, which some registries give out (`i❤.ws`, `l·l.cat`). */
const IN_LABEL = String.raw`[\p{L}\p{M}\p{N}\p{So}·・_-]`;
const DOTTED = new RegExp(
  `(?<!${IN_LABEL}|${IN_LABEL}[.。．｡])${IN_LABEL}{1,63}(?:[.。．｡]${IN_LABEL}{1,63}){1,126}`,
  'gu',
);
/** In scripts without blanks between words, a name follows a word directly. */
const AFTER_A_WORD =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,126}/giu;
/** Matches four numbers as the URL standard reads them: `127.0.0.1`, `0177.0.0.01`, `0x7f.0.0.0x1`. */
const NUMBERS = /^(?:0x[0-9a-f]{1,10}|\d{1,12})(?:\.(?:0x[0-9a-f]{1,10}|\d{1,12})){3}$/;
const NUMBER_BEHIND_SLASHES =
  /(?<![^\s"'`=(<,;|[{])[\\/]{2}(0x[0-9a-f]{1,8}|0?\d{8,11})(?=[.,]?(?:[\s:/?#\\"'`)\]}>]|$))/gi;
/**
 * Matches an IPv4 address of fewer parts, as the URL standard reads it: `2130706433`, `0x7f.1`. What is around it says
 * whether it is one.
 */
const FEW_NUMBERS =
  /(?<![^\s"'`=(<,;|[{@])(?:0x[0-9a-f]{1,8}|\d{1,12})(?:\.(?:0x[0-9a-f]{1,8}|\d{1,12})){0,2}(?![\p{L}\p{N}_-]|[.,]\p{N})/giu;
/** Matches a day in digits, as in `release@20260101`. */
const DAY = /^(?:19|20)\d{6}$/;
/** Matches one with a day to which it lasts: `20260101/20261231`. */
const DAYS = /^(?:19|20)\d{6}\/\d/;
/** Matches what divides two numbers: `1234567899/0800` is an account at a bank. */
const SLASH_AND_NUMBER = /^\/(?:0x[0-9a-f]{1,20}|\d{1,20})(?=[.,;:!?]?(?:[\s"'`)\]}>|]|$))/i;
/** Behind one of these, `user@host` is where to sign in. Otherwise it is a mail address. */
const SIGN_IN_PROGRAMS = words('ssh scp sftp rsync mosh');
/** Behind one of these, or in a line that begins with one, a number or `user:password@host` names a host. */
const NETWORK_PROGRAMS = new Set([...SIGN_IN_PROGRAMS, ...words('curl wget ping nc telnet git clone')]);
const IPV6 = /(?<![\p{L}\p{N}:.])(?:[0-9a-f]{0,4}:){2,8}[0-9a-f]{0,4}(?![\p{L}\p{N}:])/giu;
const BRACKETED = /\[[0-9a-f:.]{2,45}\]/gi;
const WITH_SCHEME =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:[\\/]{2,8}([^\s<>"'`/?#\\@]{1,4000}@)?([^\s<>"'`/?#\\]{1,255})/gi;
const LOCALHOST = /(?<![\p{L}\p{N}_.-])localhost(?=[:/?#])/giu;
const ENDS_WORD = /[\s"'`<>|,;=(){}[\]?#&]/;
/** Matches the names with which one signs in to a repository; nobody has mail at them. */
const USER_OF_REPOSITORY = /(?<![\p{L}\p{N}._%+'-])(?:git|hg|svn)@$/u;
/** Matches `user:password@`. What is before the colon is a field to search in otherwise: `from:ada@example.org`. */
const WITH_PASSWORD = /^[^\p{L}\p{N}]{0,20}([\p{L}\p{N}_.-]{1,100}):([^@]{1,500})@$/u;
/** The names of fields with a mail address, and the words of which such names consist: `assigned_to`, `emailAddress`. */
const FIELDS = words(
  `mailto mail email from to cc bcc sender recipient recipients replyto deliveredto delivered list
  author owner creator created updated assigned assignee reporter reviewer commenter involves mentions member members
  writers readers contact kontakt customer person people participant participants attendee attendees organizer invitee
  acct xmpp sip sips with in by`,
);
/** Fields that may as well be the user in `user:password@host`. */
const USER_FIELDS = words('user username login account');
/** Matches the name of a person before an `@`, and not a password. */
const PERSON = /^(?!(?:pw|pwd|pass|passwd|password|secret|token)$)\p{L}{2,40}(?:[._-]\p{L}{1,40}){0,4}$/iu;

/** Whether a file is at this path in a root since before the conversation, so that its name is no host's. */
export type WasFile = (path: string) => Promise<boolean>;

/** The facts by which names are told apart. */
export interface NameFacts {
  readonly isPublicHost: IsPublicHost;
  readonly wasFile: WasFile;
}

/**
 * Everything in a call's arguments that can name a host, as URLs, wherever in a text it is and whatever its parameter
 * is called. Mail addresses and versions are left out. `evil.md` is a host too, unless it is a file that the user had:
 * a page could say “search for `pin-4711.evil.md`”, or have a file of that name made first.
 */
export async function hostsInTexts(input: unknown, { isPublicHost, wasFile }: NameFacts): Promise<readonly string[]> {
  const hosts = new Set<string>();
  const files = new Map<string, string>();
  for (const text of textsIn(input)) {
    const found = namesIn(text, isPublicHost);
    for (const host of found.hosts) hosts.add(host);
    for (const [path, host] of found.files) files.set(path, host);
  }
  const likely = [...files].filter(([, host]) => !hosts.has(host));
  const known = await Promise.all(likely.slice(0, MAX_FILES).map(([path]) => wasFile(path)));
  for (const [index, [, host]] of likely.entries()) if (known[index] !== true) hosts.add(host);
  return [...hosts].map((host) => `https://${host}/`);
}

/** The names that were found. `files` are paths, each with the host that the name at its end would be. */
interface FoundNames {
  readonly hosts: Set<string>;
  readonly files: Map<string, string>;
}

/** The search is iterative, because a model can nest values deeper than the stack. */
function textsIn(input: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  const pending: unknown[] = [input];
  for (let at = 0; at < pending.length; at++) {
    const value = pending[at];
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) for (const each of value) pending.push(each);
    else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        texts.add(name);
        pending.push(member);
      }
  }
  return texts;
}

function namesIn(text: string, isPublicHost: IsPublicHost): FoundNames {
  const found: FoundNames = { hosts: new Set(), files: new Map() };
  for (const form of formsOf(text)) {
    const add = (host: string) => {
      const normal = hostOf(host);
      if (normal !== null) found.hosts.add(normal);
    };
    // A path of the form `file:///` is left out, because no host stands between the last two of its slashes.
    for (const [whole, , host = ''] of form.matchAll(WITH_SCHEME))
      if (!/^file:[\\/]{3}/i.test(whole)) add(host.replace(/:\d{0,5}$/, ''));
    for (const [host] of form.matchAll(BRACKETED)) if (host.includes(':')) add(host);
    for (const [host] of form.matchAll(IPV6)) if (/\d/.test(host) && isIPv6(host)) add(host);
    for (const [, host = ''] of form.matchAll(NUMBER_BEHIND_SLASHES)) add(host);
    for (const { 0: host, index } of form.matchAll(FEW_NUMBERS)) if (isNumberOfHost(host, index, form)) add(host);
    for (const [host] of form.matchAll(LOCALHOST)) add(host);
    for (const { 0: written, index: start } of [...form.matchAll(DOTTED), ...form.matchAll(AFTER_A_WORD)]) {
      // In `%20host`, `20` is the rest of a character that is decoded in another form.
      const encoded = form[start - 1] === '%' && /^[0-9a-f]{2}/i.test(written) ? 2 : 0;
      // The marks before a name belong to an option in `--host`, and to emphasis in `_host_`.
      const [own = ''] = /^[_-]*/.exec(written.slice(encoded)) ?? [];
      const [name, index] = [
        written.slice(encoded + own.length).replace(/[_-]{1,63}$/, ''),
        start + encoded + own.length,
      ];
      const kind = kindOfName(name, index, form, isPublicHost);
      if (kind === 'host') add(name);
      if (kind === 'look-alike') add(asciiLookOf(name));
      const host = kind === 'file' ? hostOf(name) : null;
      if (host === null) continue;
      const path = wordBefore(form, index + name.length);
      if (!isFromRoot(path)) found.files.set(path, host);
    }
  }
  return found;
}

function hostOf(name: string): string | null {
  const normal = normalizeHost(name);
  return normal?.includes(':') === true && !normal.startsWith('[') ? `[${normal}]` : normal;
}

/**
 * Whether a number is meant as an address, and not as an amount, a date, a version, an id, or the code of an error
 * (`0x80070005`). Of these hardly one is that large and has a port, path or query behind it, or follows an `@` or the
 * name of a program. Of a dotted one in hexadecimal digits (`0xd8.3850958`), the size alone says it.
 */
function isNumberOfHost(written: string, index: number, text: string): boolean {
  const parts = written.split('.');
  const isDotted = parts.length > 1;
  const isHexadecimal = /0x/i.test(written);
  const fillsAddress = Number(parts.at(-1)) >= 256 ** (4 - parts.length);
  if (isDotted && isHexadecimal && fillsAddress) return true;
  // `127.1` and `0x7f.1` are addresses too, but as a decimal `10.5` is an amount.
  if (!fillsAddress && !(isDotted && (isHexadecimal || parts[0] === '127'))) return false;
  const after = text.slice(index + written.length, index + written.length + 30);
  if (/^:\d{2,5}(?![\p{L}\p{N}.])/u.test(after)) return true;
  if (!fillsAddress && !isHexadecimal) return false;
  if (isOfProgram(text, index, NETWORK_PROGRAMS)) return true;
  if (DAYS.test(written + after)) return false;
  const isBehindUser = /[\p{L}\p{N}]@$/u.test(text.slice(Math.max(0, index - 2), index));
  if ((isBehindUser && !DAY.test(written)) || /^\?[^\s?]/.test(after)) return true;
  const path = isDotted && !isHexadecimal ? /^\/[^\s\d]/ : /^\/\S/;
  return path.test(after) && !SLASH_AND_NUMBER.test(after);
}

/** Whether what is here follows one of these programs, or is in a line that begins with one. */
function isOfProgram(text: string, index: number, programs: ReadonlySet<string>): boolean {
  const before = text.slice(Math.max(0, index - MAX_PATH), index);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const [, first = ''] = /^\s*(\S+)\s/.exec(line) ?? [];
  const last = /\s$/.test(before) ? before.trimEnd().split(/\s/).at(-1) : undefined;
  return programs.has(first) || (last !== undefined && programs.has(last));
}

/** The part of a text that ends here, without a blank or a character that rarely is in a path. */
function wordBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < MAX_PATH && !ENDS_WORD.test(text.charAt(start - 1))) start--;
  return text.slice(start, end);
}

/**
 * Whether a path begins at a folder, so that it has no host where one would begin: `/home/ada/notes.md`, `./x.py`,
 * `C:\\a.sh`.
 */
function isFromRoot(path: string): boolean {
  const [, rest] = /^(?:file:[\\/]{2})?(?:[\\/]|\.{1,2}[\\/]|~[\\/]|[a-z]:[\\/])(.*)$/is.exec(path) ?? [];
  return rest !== undefined && !/^[\\/]|[\\/]{2}|[:@%]/.test(rest);
}

/**
 * Whether a name is a host's. It is `file` if it is as likely a file's, `look-alike` if it is a host's only once letters
 * and accents are corrected, as some servers do, and undefined if it is none of these.
 */
function kindOfName(
  written: string,
  index: number,
  text: string,
  isPublicHost: IsPublicHost,
): 'host' | 'file' | 'look-alike' | undefined {
  const name = written
    .replace(/[。．｡]/g, '.')
    .normalize('NFKC')
    .toLowerCase();
  const [before = '', after = ''] = [text[index - 1], text[index + written.length]];
  const next = text[index + written.length + 1] ?? '';
  // A name before an `@` is the local part of a mail address. Behind one it is the domain of a mail address, but not in
  // `git@host:path` and `user@host/…`.
  if (after === '@') return undefined;
  const isReached = /[:/?#\\]/.test(after) && /\S/.test(next);
  if (before === '@' && NUMBERS.test(name)) return 'host';
  if (before === '@' && !isReached && after !== '/' && !text.slice(0, index).endsWith('//@'))
    return isMailLike(text, index) ? undefined : 'host';
  const end = name.slice(name.lastIndexOf('.') + 1);
  const isBehindSlashes = /[\\/]{2}$/.test(text.slice(Math.max(0, index - 2), index));
  if (isBehindSlashes || before === '@') return 'host';
  if (NUMBERS.test(name)) return before !== 'v' && hostOf(name) !== null ? 'host' : undefined;
  if (FILE_ENDS.has(end) && !(isReached && /[/?]/.test(after))) return isPublicHost(name) ? 'file' : undefined;
  const isHost = (host: string) => UNREGISTERED.test(host) || isPublicHost(host);
  if (isHost(name)) return 'host';
  // In a name without any Latin letter, those that look like one are not meant as one.
  return /\p{sc=Latin}/u.test(name) && isHost(asciiLookOf(name)) ? 'look-alike' : undefined;
}

function isMailLike(text: string, at: number): boolean {
  const before = wordBefore(text, at);
  // In `https://user@host`, this is no mail address.
  if (/[\\/]{2}/.test(before) || USER_OF_REPOSITORY.test(before)) return false;
  const [, field, user = ''] = WITH_PASSWORD.exec(before) ?? [];
  if (field !== undefined && !isField(field, user)) return false;
  const programs = field === undefined ? SIGN_IN_PROGRAMS : NETWORK_PROGRAMS;
  if (isOfProgram(text, at - before.length, programs)) return false;
  return /[\p{L}\p{N}._%+'-]@$/u.test(text.slice(Math.max(0, at - 3), at));
}

/** Whether `name:` begins a search for the mail address of this user, and is not the user in `user:password@`. */
function isField(name: string, user: string): boolean {
  const parts = name.split(/[_.-]|(?<=\p{Ll})(?=\p{Lu})/u).map((part) => part.toLowerCase());
  return parts.some((part) => FIELDS.has(part)) || (parts.some((part) => USER_FIELDS.has(part)) && PERSON.test(user));
}
