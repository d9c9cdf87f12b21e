import type { ShownValue } from '../../../src-preload/contract/servers.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import { isSecretValue, looksSecret } from '../../secrets/secret-shapes.ts';
import { keychainPlaceholder, placeholderParts } from '../../settings/keychain-placeholders.ts';
import { serverKeyAsWritten } from '../../settings/spelling.ts';

/** A value from the form; `null` keeps the stored one. */
export interface GivenValue {
  readonly name: string;
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly before: string;
  readonly after: string;
}

/** Secret by its name or appearance; a remote server's credentials always are. */
export function mayBeSecret(name: string, value: string): boolean {
  return looksSecret(name) || isSecretValue(value) || /^(?:proxy-)?authorization$/i.test(name);
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
  /** As written to config.json. */
  readonly written: Readonly<Record<string, string>>;
  /** For the keychain, by name. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** What to store for the given values. `kept`: the texts behind `null` values. Lines without a name are left out. */
export function storedValues(given: readonly GivenValue[], kept: Readonly<Record<string, string>>): StoredValues {
  const written: Record<string, string> = {};
  const secrets = new Map<string, string>();
  for (const { name: givenName, value, isSecret, before, after } of given) {
    const name = givenName.trim();
    const text = Object.hasOwn(kept, name) ? (kept[name] ?? '') : '';
    if (name === '') continue;
    if (!isSecret || (value === null && placeholderParts(text).names.length > 0)) {
      written[name] = value ?? text;
      continue;
    }
    const secret = onePlaceholder(text)?.secret ?? secretNameFor(name);
    written[name] = `${before}${keychainPlaceholder(secret)}${after}`;
    const typed = value ?? text;
    if (typed !== '') secrets.set(secret, typed);
  }
  return { written, secrets };
}

/** The texts of an entry in config.json, even an invalid one. */
export function keptValues(entry: unknown): { readonly env: Texts; readonly headers: Texts } {
  return { env: textsIn(entry, 'env'), headers: textsIn(entry, 'headers') };
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
function onePlaceholder(text: string): OnePlaceholder | undefined {
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
