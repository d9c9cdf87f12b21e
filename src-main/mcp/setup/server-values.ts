import { decidesWhatRuns } from '../../../src-preload/contract/program-variables.ts';
import type { ShownValue } from '../../../src-preload/contract/servers.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import { isSecretValue, looksSecret } from '../../secrets/secret-shapes.ts';
import { keychainPlaceholder, placeholderParts } from '../../settings/keychain-placeholders.ts';
import { serverKeyAsWritten } from '../../settings/spelling.ts';
import { schemeOf } from './argument-keys.ts';

/** A value from the form; `null` keeps the stored one. */
export interface GivenValue {
  readonly name: string;
  readonly value: string | null;
  readonly isSecret: boolean;
  /** The user chose that. */
  readonly isChosen?: boolean | undefined;
  readonly before: string;
  readonly after: string;
}

/** `GOOGLE_OAUTH_PATH` says where a secret is, which is none. */
const NAMES_PLACE = /(?:^|_)(?:PATH|FILE|FILENAME|DIR|DIRECTORY|FOLDER)$/i;
const IS_PLACE = /^(?:[\\/~.]|[A-Za-z]:[\\/]|%\w+%)|^[\w.-]+\.(?:json|pem|key|txt|ya?ml|env|p12|pfx|crt)$/;

/** Secret by its name or appearance; a remote server's credentials always are. */
export function mayBeSecret(name: string, value: string): boolean {
  if (isSecretValue(value)) return true;
  if (NAMES_PLACE.test(name) && (value === '' || IS_PLACE.test(value))) return false;
  return looksSecret(name) || /^(?:proxy-)?authorization$/i.test(name);
}

/** Shows a variable in the same way. One that may decide what runs is always shown. */
export function shownVariable(name: string, text: string): ShownValue {
  const shown = shownValue(name, text);
  return shown.value === null && !shown.isSecret && decidesWhatRuns(name) ? { ...shown, value: text } : shown;
}

/** How a stored value is shown: a possible secret does not leave the main process. */
export function shownValue(name: string, text: string): ShownValue {
  const placeholder = onePlaceholder(text);
  if (placeholder !== undefined)
    return { name, value: null, isSecret: true, before: placeholder.before, after: placeholder.after };
  const isDoubtful = mayBeSecret(name, text);
  return { name, value: isDoubtful ? null : text, isSecret: false, before: '', after: '' };
}

export interface StoredValues {
  /** What is written to config.json. */
  readonly written: Readonly<Record<string, string>>;
  /** What goes to the keychain, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The values that the user did not enter, but that come from config.json or another program's file. */
  readonly fromFile: ReadonlySet<string>;
}

/**
 * What to store for the given values. `kept` are the texts behind `null` values. A value that was typed goes to the
 * keychain if it is a secret, unless the user chose otherwise, because nobody can know before whether it is one. Lines
 * without a name are left out.
 */
export function storedValues(given: readonly GivenValue[], kept: Readonly<Record<string, string>>): StoredValues {
  const written = new Map<string, string>();
  const secrets = new Map<string, string>();
  const fromFile = new Set<string>();
  for (const line of given) {
    const { value, before, after } = line;
    const name = line.name.trim();
    const text = ownValue(kept, name) ?? '';
    if (name === '') continue;
    const isUnchanged = value === null ? placeholderParts(text).names.length > 0 : false;
    if (isUnchanged || (!line.isSecret && (value === null || (text !== '' && value === text)))) {
      written.set(name, text);
      continue;
    }
    if (!isStoredSecret(line)) {
      written.set(name, `${before}${value ?? ''}${after}`);
      continue;
    }
    const secret = onePlaceholder(text)?.secret ?? secretNameFor(name);
    const entered = value ?? text;
    // Only the key is secret: `Bearer` stays in the file, once.
    const scheme = schemeOf(entered);
    const isRepeated = before.toLowerCase().endsWith(scheme.toLowerCase());
    written.set(name, `${before}${isRepeated ? '' : scheme}${keychainPlaceholder(secret)}${after}`);
    const key = entered.slice(scheme.length);
    if (key === '') continue;
    secrets.set(secret, key);
    if (value === null) fromFile.add(secret);
    else fromFile.delete(secret);
  }
  return { written: Object.fromEntries(written), secrets, fromFile };
}

/** A value with a reference to the keychain is how config.json has it, not a key. */
function isStoredSecret({ name, value, isSecret, isChosen, before, after }: GivenValue): boolean {
  if (isSecret || isChosen === true || value === null || value === '') return isSecret;
  return placeholderParts(value).names.length === 0 && mayBeSecret(name, `${before}${value}${after}`);
}

/**
 * The texts of an entry in config.json, even an invalid one. Keys of its arguments stay where they are, in the
 * keychain.
 */
export function keptValues(entry: unknown): KeptTexts {
  const { clientSecret } = textsIn(entry, 'oauth');
  return { env: textsIn(entry, 'env'), headers: textsIn(entry, 'headers'), keys: {}, clientSecret };
}

interface KeptTexts {
  readonly env: Texts;
  readonly headers: Texts;
  readonly keys: Texts;
  readonly clientSecret: string | undefined;
}

type Texts = Readonly<Record<string, string>>;

function textsIn(entry: unknown, key: string): Texts {
  const given = isRecord(entry) ? ownValue(entry, serverKeyAsWritten(entry, key)) : undefined;
  if (!isRecord(given)) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, text]): [string, string][] =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  );
}

interface OnePlaceholder {
  readonly secret: string;
  readonly before: string;
  readonly after: string;
}

/** Exactly one keychain placeholder and the text around it, which refers to nothing else. */
export function onePlaceholder(text: string): OnePlaceholder | undefined {
  const { texts, names } = placeholderParts(text);
  const [[before = '', after = ''], [secret = '']] = [texts, names];
  const isOne = names.length === 1 && secret !== '' && !`${before}${after}`.includes('$');
  return isOne ? { secret, before, after } : undefined;
}

/** Keychain names allow fewer characters than headers. */
export function secretNameFor(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 100);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 100);
}
