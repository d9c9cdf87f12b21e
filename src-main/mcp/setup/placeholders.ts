import type { AskedValue } from './written-server.ts';

/** The surroundings of a text, which decide what is a placeholder in it. */
export interface TextPlace {
  readonly kind: 'env' | 'header' | 'argument' | 'address';
  /** The name of the variable, header or option; may be empty. */
  readonly name: string;
  /** The name is one of a secret. */
  readonly isSecret: boolean;
}

/** What VS Code asks for. */
export interface Input {
  readonly description: string | null;
  readonly value: string;
  readonly isPassword: boolean | undefined;
  readonly choices: readonly string[];
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** Initial value, and what is known of it. */
  readonly value?: string;
  readonly hint?: string;
  readonly input?: Input | undefined;
  readonly isSecret?: boolean;
}

/** Longer texts are no placeholders, but may have some; what follows is taken as it is. */
const MAX_LENGTH = 4_000;

/** Only another program, or a shell, resolves these. */
const REFERENCES: readonly RegExp[] = [
  /\$\{\{[^{}]{1,100}\}\}/g,
  /\$\{[^{}]{1,200}\}/g,
  /\$\([^()]{1,200}\)/g,
  /\$env:[A-Za-z_]\w{0,100}/gi,
  /\$[A-Za-z_]\w{0,100}/g,
  /%[A-Za-z_][\w()]{0,60}%/g,
  /\{\{[^{}]{1,100}\}\}/g,
  /\{(?:env|file):[^{}]{1,200}\}/g,
];
const BRACKETED: readonly RegExp[] = [
  /<[^<>\s="'][^<>="']{0,100}>/g,
  /(?<!\$)\{[A-Za-z_][\w ./-]{0,60}\}/g,
  /\[(?:your|my|insert|enter|path|the|api|add|put|paste)\b[^[\]"]{0,80}\]/gi,
  /\[[A-Z][A-Z0-9]*(?:[_ -][A-Z0-9]+)+\]/g,
];

/** Part of a path, a URL, JSON or a list: what is between its separators. */
const WORD = /[^\s"'`,;:=/\\?&@|()[\]{}<>]{1,300}/g;
const WORD_OF_ADDRESS = /[^\s"'`,;:=/\\?&@|()[\]{}<>.]{1,300}/g;
const MASK = /\.{3}|…|\*{3,}|•{3,}|x{4,}|X{3,}|(?:^|[-_])x{3,}$|#{4,}|\?{3,}|_{5,}/;
const YOURS = /(?:^|[^A-Za-z])[Yy]our|[a-z]Your(?=[A-Z]|$)|YOUR/;
const MINE =
  /^my(?:[-_ ]?(?:api|access|secret|super|personal|private|auth|client|app|long|strong|test)?)[-_ ]?(?:api)?[-_ ]?(?:keys?|tokens?|secrets?|pass|password|passwd|pwd|pat|username|user)\w*$/i;
const INSTRUCTION =
  /^(?:insert|enter|paste|replace|put|add|fill|provide|change|redacted|placeholder|todo|tbd|dummy|fake|example|sample)(?:$|[-_ ])|changeme|change[-_ ]me|replace[-_ ]?(?:me|with|this)|placeholder|[-_ ](?:goes[-_ ])?here$|^redacted$/i;
const PATH_TO =
  /(?:^|[\\/:=" ~])(?:(?:the|absolute|abs|full|complete|actual|real|local|some|your|correct)[-_\\/ ]+)*path(?:[-_\\/ ]+to)(?:[-_\\/ ]|$)|(?:^|[\\/=])(?:absolute|abs|full|complete|actual|real|some|your|any)[-_\\/]+(?:path|paths|dir|directory|folder|project|repo|workspace|file)s?(?:[-_\\/.]|$)/i;
const SOMEONES_FOLDER =
  /[\\/](?:Users|home)[\\/]+(?:you|me|user|users?[-_ ]?name|name|yourname|your[-_ ]?\w*|my[-_ ]?\w*|someone|john(?:[-_.]?doe)?|jane(?:[-_.]?doe)?|foo|xxx+|admin_?user|\.\.\.|…|<[^<>]{1,60}>|\$\{?USER\}?|%USERNAME%)(?=[\\/]|$)/i;
const EXAMPLE_LOGIN =
  /:\/\/(?:user(?:name)?|user\d?|your\w*|my_?user\w*|admin|root|postgres|login|db_?user|name|usr|neo4j|default|sa|[A-Z_]+):(?:pass(?:word|wd)?\d*|pwd|pw|your\w*|my_?pass\w*|secret|postgres|root|example|[A-Z_]+)@/;
const EXAMPLE_HOST = /(?:^|[@/.])(?:example|mycompany|acme)\.(?:com|org|net|io|atlassian\.net)(?![\w-])/i;
const COUNTED =
  /(?<![0-9a-z])[A-Za-z]{0,4}[-_]?0?12345(?:6\w{0,40})?(?![0-9])|0{8}-0{4}-|^(?:token|secret|key|pass|password|api[-_]?key)[-_]?123\d{0,5}$|(?:^|[-_])abc(?:def\w{0,40}|123\w{0,40})(?:$|[-_.])|123abc|deadbeef/i;
/** A secret described in words, such as `My Pro API Key`. */
const SECRET_IN_WORDS = /^(?=.*\b(?:key|token|secret|password)\b)[A-Za-z]+(?: [A-Za-z]+){1,7}$/i;
/** Names that stand where a value belongs. */
const GENERIC =
  /^(?:(?:the|a|an|some|api|app|auth|access|secret|private|personal|client|bearer|bot|user|account|service|oauth|actual|real|valid|new|long|db|database)[-_ ]?)*(?:key|token|secret|password|passwd|pass|pat|credentials?|username|user|id|hash|string|value|jwt|cookie|email)$/i;
/** Words such as `sentry-user-token`. Keys are never made of such words alone. */
const NAMED_IN_WORDS = /^[a-z]+(?:[-_ ][a-z]+){1,6}$/;
const SHOUTED_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/**
 * The part of a text that is to be replaced before it means something: a placeholder of instructions, or a reference
 * that only another program resolves. From the first to the last if there are several; `known` are names of variables
 * that the server itself is given.
 */
export function placeholderIn(
  text: string,
  place: TextPlace,
  { inputs, known }: { readonly inputs: ReadonlyMap<string, Input>; readonly known: ReadonlySet<string> },
): AskedValue | undefined {
  const examined = text.slice(0, MAX_LENGTH);
  const spans = [
    ...references(examined, inputs, known),
    ...matches(examined, BRACKETED).filter(({ from, to }) => isBracketed(examined, from, to, place)),
  ];
  const found = spans.length > 0 ? spans : wordy(examined, place);
  const [first] = found;
  if (first === undefined) return undefined;
  const from = Math.min(...found.map((span) => span.from));
  const to = Math.max(...found.map((span) => span.to));
  const { value = '', input, hint } = found.length === 1 ? first : {};
  const isPassword = input === undefined ? first.isSecret : input.isPassword;
  return {
    hint: hint ?? text.slice(from, to),
    before: text.slice(0, from),
    after: text.slice(to),
    value,
    description: input?.description ?? null,
    isSecret: isPassword,
    isOptional: false,
    choices: input?.choices ?? [],
  };
}

function references(text: string, inputs: ReadonlyMap<string, Input>, known: ReadonlySet<string>): readonly Span[] {
  const found: Span[] = [];
  for (const { from, to } of matches(text, REFERENCES)) {
    if (found.some((other) => from < other.to && to > other.from)) continue;
    const written = text.slice(from, to);
    if (/^\$\{keychain:/.test(written)) continue;
    // A price or a regular expression is no reference: `$5`, `^a$`.
    const inside = written.replace(/^\$?(?:env:)?[{(%]*\$?\s*|(?<![})%\s])[})%\s]+$/gi, '');
    if (known.has(inside.replace(/^(?:env:|secrets\.)/i, '').trim())) continue;
    const input = /^input:(.+)$/.exec(inside)?.[1];
    const [, fallback] = /^[A-Za-z_]\w*:?[-=](.*)$/.exec(inside) ?? [];
    const asked = input === undefined ? undefined : (inputs.get(input) ?? UNDECLARED);
    found.push({
      from,
      to,
      input: asked,
      ...(input === undefined ? {} : { hint: input }),
      ...(asked === undefined ? { value: fallback ?? '' } : { value: asked.value }),
    });
  }
  return found;
}

const UNDECLARED: Input = { description: null, value: '', isPassword: undefined, choices: [] };

function matches(text: string, patterns: readonly RegExp[]): readonly Span[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ from: index, to: index + length })),
  );
}

/** Braces are also JSON's and those of templates that the server reads. */
function isBracketed(text: string, from: number, to: number, { kind }: TextPlace): boolean {
  const [open, inside] = [text[from], text.slice(from + 1, to - 1)];
  if (open === '<') return !/^[/!]/.test(inside) && /[\p{L}\d.]/u.test(inside);
  if (open === '{') return kind !== 'argument' || /[_A-Z-]|your|path|key|token/.test(inside) || from === 0;
  return true;
}

function wordy(text: string, place: TextPlace): readonly Span[] {
  const whole = text.trim();
  if (whole === '') return [];
  const path = pathSpan(text);
  if (path !== undefined) return [path];
  if (EXAMPLE_LOGIN.test(text)) return [{ ...urlSpan(text), isSecret: true }];
  const scheme = /^(?:bearer|basic|token|apikey|api-key|key)\s+(?=\S)/i.exec(text)?.[0].length ?? 0;
  const value = text.slice(scheme);
  const isPlain = !/[/\\@:={}[\]?&"]/.test(value);
  if (isPlain && isPlaceholderWord(value.trim(), { ...place, isSecret: place.isSecret || scheme > 0 }))
    return [{ from: scheme, to: text.length, ...(scheme > 0 ? { isSecret: true } : {}) }];
  if (place.kind !== 'address' && place.kind !== 'header' && EXAMPLE_HOST.test(value)) return [urlSpan(text)];
  const words = [...text.matchAll(place.kind === 'address' ? WORD_OF_ADDRESS : WORD)];
  return words.flatMap(({ index, 0: word }) => {
    const isToken = /(?:bearer|basic|token|key|secret|password)["']?\s*[:= ]\s*["']?$/i.test(
      text.slice(Math.max(0, index - 30), index),
    );
    const inside = { ...place, isSecret: isToken, name: '' };
    // `{ key: key }` is a program's own language.
    if (!isPlaceholderWord(word, inside) || (GENERIC.test(word) && !SHOUTED_NAME.test(word))) return [];
    return [{ from: index, to: index + word.length, ...(isToken ? { isSecret: true } : {}) }];
  });
}

function isPlaceholderWord(word: string, { kind, name, isSecret }: TextPlace): boolean {
  if (/^\.{3}$/.test(word) && kind === 'argument' && name === '') return false;
  if (MASK.test(word) || YOURS.test(word)) return true;
  if (MINE.test(word) || SOMEONES_FOLDER.test(word)) return true;
  if (kind === 'argument' && name === '' && !isSecret) return /^(?:replace|insert|paste|enter)[-_]/i.test(word);
  if (kind === 'address' && !isSecret)
    return SHOUTED_NAME.test(word) || /^(?:insert|replace)[-_]|[-_]here$/i.test(word);
  if (INSTRUCTION.test(word)) return true;
  if (sameWords(word, name)) return true;
  if (isSecret && (GENERIC.test(word) || SHOUTED_NAME.test(word) || SECRET_IN_WORDS.test(word))) return true;
  if (isSecret && NAMED_IN_WORDS.test(word) && /[-_ ](?:key|token|secret|password|pat)$/.test(word)) return true;
  if (
    kind !== 'address' &&
    COUNTED.test(word) &&
    (isSecret || /id|key|account|project|team|channel|org|number|phone/i.test(name))
  )
    return true;
  return SHOUTED_NAME.test(word) && /(?:KEY|TOKEN|SECRET|PASSWORD|_ID|_URL|_HERE|USERNAME|_NAME|_PATH)$/.test(word);
}

/** Matches `DB_USER: user` and `PROJECT_ID: project-id`, but not `MODE: mode_a`. */
function sameWords(word: string, name: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|(?<!_)_+$/g, '');
  const [given, own] = [plain(word), plain(name)];
  if (given.length < 2 || own === '') return false;
  return (
    given === own ||
    (own.endsWith(`_${given}`) &&
      /^(?:user|username|password|host|hostname|database|db_?name|name|email|domain|url|id|\w[^\W_]*_\w+)$/.test(given))
  );
}

/** A path stays whole: who fills it in knows it as one. */
function pathSpan(text: string): Span | undefined {
  if (!PATH_TO.test(text) && !SOMEONES_FOLDER.test(text)) return undefined;
  const hit = SOMEONES_FOLDER.exec(text) ?? PATH_TO.exec(text);
  if (hit === null) return undefined;
  const start = text.slice(0, hit.index + 1);
  const from = Math.max(...['=', '"', "'", ','].map((mark) => start.lastIndexOf(mark) + 1), listStart(start));
  const rest = text.slice(from).search(/["',;]|(?<=[^\\]):(?=[\\/])(?<!^.:)/);
  return { from, to: rest < 1 ? text.length : from + rest };
}

/** In `file:/path/to/x`, `src:dst` and similar the path begins after the colon; `C:\` is part of it. */
function listStart(start: string): number {
  const scheme = /[A-Za-z][\w+.-]{1,100}:\/{0,2}(?=[^:]*$)/.exec(start);
  return scheme === null ? 0 : scheme.index + scheme[0].length - (scheme[0].endsWith('/') ? 1 : 0);
}

function urlSpan(text: string): Span {
  const url = /[A-Za-z][\w+.-]{0,100}:\/\/[^\s"',]+|[\w.+-]{1,100}@[\w.-]+/.exec(text);
  return url === null ? { from: 0, to: text.length } : { from: url.index, to: url.index + url[0].length };
}
