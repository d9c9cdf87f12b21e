import type { Blank, ServerRemark, UnreadEntry } from '../../../src-preload/contract/pasted-text.ts';
import type { ServerPart, ShownRegistration, ShownServer, ShownValue } from '../../../src-preload/contract/servers.ts';
import { isRecord } from '../../base/json.ts';
import { looksSecret } from '../../secrets/secret-shapes.ts';
import { keychainPlaceholder } from '../../settings/keychain-placeholders.ts';
import { type ArgumentName, argumentName, isSecretArgument, isSecretOption, schemeOf } from './argument-keys.ts';
import { withContainerVariables } from './container-run.ts';
import { otherProgramIn } from './other-commands.ts';
import { type Input, placeholderIn, type TextPlace } from './placeholders.ts';
import { nameFromUrl, nameFromVariables, nameFromWords } from './server-names.ts';
import { pathRemarks, spellingRemarks } from './server-remarks.ts';
import { mayBeSecret, secretNameFor } from './server-values.ts';
import {
  type AskedValue,
  askedText,
  type NamedText,
  type WrittenRegistration,
  type WrittenServer,
  type WrittenText,
  writtenServer,
} from './written-server.ts';

/** A server from another program's configuration or from pasted text, with complete values. */
export interface FoundServer extends Omit<ShownServer, 'foundId'> {
  readonly env: readonly FoundValue[];
  readonly headers: readonly FoundValue[];
  readonly parts: readonly FoundPart[];
}

export interface FoundValue extends ShownValue {
  readonly value: string;
}

export interface FoundPart extends ServerPart {
  readonly value: string;
}

/** What is asked for elsewhere in the same text. */
export type Inputs = ReadonlyMap<string, Input>;

const NO_INPUTS: Inputs = new Map();

/** An entry of another program's configuration. Nothing is run or looked up. */
export function foundServer(name: string, given: unknown, inputs = NO_INPUTS): FoundServer | UnreadEntry {
  if (!isRecord(given)) return { name, code: 'not_an_object', text: '' };
  return finished({ ...writtenServer(given), name }, inputs);
}

export function isUnread(found: FoundServer | UnreadEntry): found is UnreadEntry {
  return !('transport' in found);
}

/** More than any server has, and no more than the form takes. */
const MAX_VALUES = 500;

/** A server with its placeholders and keys told apart. */
export function finished(given: WrittenServer, inputs = NO_INPUTS): FoundServer | UnreadEntry {
  const counts = [given.args.length, given.env.length, given.headers.length];
  if (counts.some((count) => count > MAX_VALUES))
    return { name: given.name, code: 'too_many', text: String(Math.max(...counts)) };
  const server = withContainerVariables(given);
  const { command, remarks, url } = server;
  const unread = (code: UnreadEntry['code'], text = ''): UnreadEntry => ({ name: server.name, code, text });
  if (command === '' && url.text === '' && url.asked === undefined) return unread('no_reach');
  const words = [command, ...server.args.map(({ text }) => text)];
  const isLocal = command !== '' && server.transport !== 'sse' && server.transport !== 'http';
  const other = isLocal ? otherProgramIn(words) : undefined;
  if (other !== undefined) return unread('other_program', other);
  const reader = new Reader(server, inputs);
  const address = isLocal ? undefined : reader.part(withScheme(url), 'url', 0, ADDRESS, { name: '', before: '' });
  if (!isLocal && !isHttp(address, url.text)) return unread('bad_url', url.text);
  const env = server.env.map((each) => reader.value(each, 'env'));
  const headers = server.headers.map((each) => reader.value(each, 'header'));
  const args = isLocal ? reader.arguments() : words.slice(1);
  const program = isLocal ? reader.part({ text: command }, 'command', 0, PROGRAM, { name: '', before: '' }) : undefined;
  const isOld = !isLocal && server.transport === undefined && /\/sse\/?(?:[?#]|$)/i.test(url.text);
  return {
    name: server.name || (isLocal ? nameFromWords(words) || nameFromVariables(env) : nameFromUrl(url.text)),
    transport: isLocal ? 'stdio' : server.transport === 'sse' || isOld ? 'sse' : 'http',
    command: program === undefined ? command : `${program.before}${program.after}`,
    args,
    env,
    headers,
    parts: reader.parts,
    ...(isLocal || server.registration === undefined ? {} : { registration: reader.registration(server.registration) }),
    url: address === undefined ? url.text : `${address.before}${address.after}`,
    start: server.start,
    timeoutSeconds: server.timeoutSeconds,
    remarks: [
      ...remarks,
      ...(isOld ? [{ code: 'old_transport' } as const] : []),
      ...reader.remarks,
      ...(isLocal && server.registration !== undefined ? [{ code: 'left_out', key: 'oauth' } as const] : []),
      ...(isLocal ? pathRemarks(command, args) : []),
      ...spellingRemarks(server),
    ],
  };
}

const PROGRAM: TextPlace = { kind: 'argument', name: '', isSecret: false };
const ADDRESS: TextPlace = { kind: 'address', name: '', isSecret: false };

/** The text `http(s)://…` does not say which scheme it is, so the user has to enter all of it. */
function withScheme(url: WrittenText): WrittenText {
  return /^http\(s\):/i.test(url.text) ? askedText({ hint: url.text }) : url;
}

/** Whether the address is one of http. If something stands for its blanks, it must be an address. */
function isHttp(part: FoundPart | undefined, text: string): boolean {
  if (part === undefined) return /^https?:\/\//i.test(text) && URL.canParse(text);
  if (part.before === '' && !/^https?:/i.test(text)) return !/^[a-z][\w+.-]*:\/\//i.test(part.after);
  return [`x`, `1`].some(
    (value) => /^https?:\/\//i.test(part.before + value + part.after) && URL.canParse(part.before + value + part.after),
  );
}

/** Finds placeholders and keys in the texts of one server. */
class Reader {
  readonly parts: FoundPart[] = [];
  readonly remarks: ServerRemark[] = [];
  readonly #inputs: Inputs;
  readonly #server: WrittenServer;
  readonly #known: ReadonlySet<string>;
  readonly #secretNames = new Set<string>();

  constructor(server: WrittenServer, inputs: Inputs) {
    this.#server = server;
    this.#inputs = inputs;
    this.#known = new Set(server.env.map(({ name }) => name));
    for (const { name } of [...server.env, ...server.headers]) this.#secretNames.add(secretNameFor(name));
  }

  value({ name, ...written }: NamedText, kind: 'env' | 'header'): FoundValue {
    const { text } = written;
    const isSecret = mayBeSecret(name, text) && !isSetting(name, text);
    const asked = this.#asked(written, { kind, name, isSecret: mayBeSecret(name, '') }, new Set());
    if (asked !== undefined)
      return { name, ...filledIn(asked, isSecret || (!/[\\/]/.test(asked.hint) && looksSecret(asked.hint))) };
    if (text === '' && isSecret) return { name, ...filledIn({ ...NOTHING, isOptional: true }, true) };
    return { name, value: text, isSecret, before: '', after: '' };
  }

  /** Leaves out what only stands for a value, because the form has fields for it. */
  registration({ clientId, clientSecret, callbackPort }: WrittenRegistration): ShownRegistration {
    const own = (text: string, place: TextPlace) => (this.#asked({ text }, place, new Set()) === undefined ? text : '');
    return {
      clientId: own(clientId, { kind: 'env', name: 'CLIENT_ID', isSecret: false }),
      clientSecret: own(clientSecret, { kind: 'env', name: 'CLIENT_SECRET', isSecret: true }),
      callbackPort,
    };
  }

  arguments(): readonly string[] {
    const texts = this.#server.args.map(({ text }) => text);
    // A shell replaces these itself.
    const isShell = /(?:^|[\\/])(?:ba|z|da|k)?sh$/i.test(this.#server.command);
    const known = isShell ? new Set([...this.#known, ...variablesSetIn(texts)]) : this.#known;
    return this.#server.args.map((written, index) => {
      const own = argumentName(texts, index);
      const place: TextPlace = { kind: 'argument', name: own.name, isSecret: isSecretOption(own.name) };
      const part = this.part(written, 'args', index, place, own, known);
      if (part === undefined) return written.text;
      return `${part.before}${part.isSecret ? keychainPlaceholder(part.name) : ''}${part.after}`;
    });
  }

  part(
    written: WrittenText,
    place: FoundPart['place'],
    index: number,
    at: TextPlace,
    own: ArgumentName,
    known = this.#known,
  ): FoundPart | undefined {
    const { text } = written;
    if (written.isFixed === true) return undefined;
    const value = text.slice(own.before.length);
    const asked = this.#asked({ ...written, text: written.asked === undefined ? value : text }, at, known);
    const before = written.asked === undefined ? own.before : '';
    const isKey = place === 'args' ? isSecretArgument(own, text) : hasKey(text);
    if (asked === undefined && !(isKey && place === 'args')) {
      if (isKey && place === 'url') this.remarks.push({ code: 'key_in_address', name: 'url' });
      return undefined;
    }
    const scheme = schemeOf(value);
    const given = asked ?? { ...NOTHING, before: scheme, value: value.slice(scheme.length) };
    const isNamedSecret = !/[\\/]/.test(given.hint) && looksSecret(given.hint.replace(/^\W+|(?<!\W)\W+$/g, ''));
    const isAskedSecret =
      isKey || at.isSecret || isNamedSecret || looksSecret(own.name) || mayBeSecret(lastName(given.before), '');
    const filled = filledIn({ ...given, before: before + given.before }, isAskedSecret);
    const isSecret = filled.isSecret && place === 'args';
    const name = isSecret ? this.#secretName(own.name, given) : own.name;
    if (isSecret) this.remarks.push({ code: 'key_in_argument', name });
    else if (filled.isSecret && place === 'url') this.remarks.push({ code: 'key_in_address', name: given.hint });
    const { blank, ...rest } = filled;
    const part = { ...rest, place, index, name, isSecret, ...(asked === undefined ? {} : { blank }) };
    this.parts.push(part);
    return part;
  }

  #asked(written: WrittenText, at: TextPlace, known: ReadonlySet<string>): AskedValue | undefined {
    return written.asked ?? placeholderIn(written.text, at, { inputs: this.#inputs, known });
  }

  /** Each value gets one keychain entry. */
  #secretName(option: string, { hint, before }: AskedValue): string {
    const fromHint = hint
      .replace(/^\W+|(?<!\W)\W+$/g, '')
      .replace(/^(?:env|input|secrets)[:.]\s*|^(?:your|my)[-_](?=[a-z])/gi, '');
    const said = [option, lastName(before), fromHint].find(
      (each) => /^[A-Za-z][\w-]{1,40}$/.test(each) && !/^e(?:nv)?$|^header$/i.test(each),
    );
    const plain = secretNameFor(
      (said ?? (hint.includes('://') ? 'CONNECTION_STRING' : 'KEY'))
        .replace(/(?<=[a-z\d])(?=[A-Z])|-/g, '_')
        .toUpperCase(),
    );
    let name = plain;
    for (let count = 2; this.#secretNames.has(name); count += 1) name = `${plain}_${count}`;
    this.#secretNames.add(name);
    return name;
  }
}

/** `OAUTH=true` and `SESSION_TIMEOUT=3600` are settings, whatever their names have in common with secrets. */
function isSetting(name: string, text: string): boolean {
  return (
    /^(?:true|false|yes|no|on|off)$/i.test(text) ||
    (/^\d{1,6}$/.test(text) && /TIME|SECONDS|LIMIT|MAX|MIN|PORT|SIZE|COUNT|TTL/i.test(name))
  );
}

const NOTHING: AskedValue = {
  hint: '',
  before: '',
  after: '',
  value: '',
  description: null,
  isSecret: undefined,
  isOptional: false,
  choices: [],
};

type Filled = Pick<FoundValue, 'value' | 'isSecret' | 'before' | 'after'> & { readonly blank: Blank };

function filledIn(asked: AskedValue, isSecretByName: boolean): Filled {
  const { value, before, after, hint, description, isOptional, choices } = asked;
  const isSecret = asked.isSecret ?? isSecretByName;
  return { value, isSecret, before, after, blank: { hint, description, isOptional, choices } };
}

/** The last word of `…?api_key=`, `{"token": "`, `Authorization: Bearer `. */
function lastName(before: string): string {
  const [, name = ''] =
    /([A-Za-z][\w-]{0,60})["']?\s*[=:]\s*["']?(?:(?:Bearer|Basic|Token)\s+)?$/i.exec(before.slice(-120)) ?? [];
  return name;
}

function hasKey(url: string): boolean {
  const [, name = '', value = ''] = /[?&]([\w-]*(?:key|token|secret|auth)[\w-]*)=([^&#]+)/i.exec(url) ?? [];
  return name !== '' && value.length >= 6;
}

function variablesSetIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    [...text.slice(0, 10_000).matchAll(/(?:^|[\s;&])([A-Za-z_]\w{0,100})=/g)].map(([, name = '']) => name),
  );
}
