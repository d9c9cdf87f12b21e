import type { ShownValue } from '../../../src-preload/contract/servers.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import { isSecretValue, looksSecret } from '../../secrets/secret-shapes.ts';
import { serverKeyAsWritten } from '../../settings/spelling.ts';

/** Exactly one keychain entry, with what stands around it. */
const ONE_SECRET = /^([^$]*)\$\{keychain:([^}]+)\}([^$]*)$/;
const EVERY_SECRET = /\$\{keychain:([^}]*)\}/g;

/** A value as the form gives it; `null`: as it is kept. */
export interface GivenValue {
  readonly name: string;
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly before: string;
  readonly after: string;
}

/** By its name or its looks; what signs in to a remote server is one whatever it looks like. */
export function mayBeSecret(name: string, value: string): boolean {
  return looksSecret(name) || isSecretValue(value) || /^(?:proxy-)?authorization$/i.test(name);
}

/** How a kept value is shown: what is or may be a secret stays here. */
export function shownValue(name: string, text: string): ShownValue {
  const [, before = '', secret, after = ''] = ONE_SECRET.exec(text) ?? [];
  if (secret !== undefined) return { name, value: null, isSecret: true, before, after };
  const isDoubtful = mayBeSecret(name, text);
  return { name, value: isDoubtful ? null : text, isSecret: false, before: '', after: '' };
}

export interface StoredValues {
  /** As they are written to config.json. */
  readonly written: Readonly<Record<string, string>>;
  /** For the keychain, by name. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** What becomes of the given values. `kept`: the texts that `null` stands for. Lines without a name are left out. */
export function storedValues(given: readonly GivenValue[], kept: Readonly<Record<string, string>>): StoredValues {
  const written: Record<string, string> = {};
  const secrets = new Map<string, string>();
  for (const { name: givenName, value, isSecret, before, after } of given) {
    const name = givenName.trim();
    const text = Object.hasOwn(kept, name) ? (kept[name] ?? '') : '';
    const secretBefore = ONE_SECRET.exec(text)?.[2];
    if (name === '') continue;
    if (!isSecret || (value === null && text.includes('${keychain:'))) {
      written[name] = value ?? text;
      continue;
    }
    const secret = secretBefore ?? secretNameFor(name);
    written[name] = `${before}\${keychain:${secret}}${after}`;
    const typed = value ?? text;
    if (typed !== '') secrets.set(secret, typed);
  }
  return { written, secrets };
}

/** The texts of an entry of config.json, one with mistakes too. */
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

/** Names of the keychain entries that an entry of config.json speaks of. */
export function secretsNamedIn(entry: unknown): readonly string[] {
  const names = [...(JSON.stringify(entry) ?? '').matchAll(EVERY_SECRET)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)];
}

/** Keychain entries have plainer names than headers may. */
function secretNameFor(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 100);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 100);
}
