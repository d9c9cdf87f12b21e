import { ownValue } from '../../base/json.ts';
import { keychainNamesIn, keychainPlaceholder, placeholderParts } from '../../settings/keychain-placeholders.ts';
import { argumentName, isSecretArgument, schemeOf } from './argument-keys.ts';
import { type StoredValues, secretNameFor } from './server-values.ts';

/** What a keychain reference in the arguments stands for; `null` keeps the stored value. */
export interface GivenKey {
  readonly name: string;
  readonly value: string | null;
}

export interface StoredArguments extends Omit<StoredValues, 'written'> {
  readonly written: readonly string[];
}

/**
 * What to store for the given arguments. A key that was typed into one goes to the keychain, like one in a variable;
 * arguments that `stored` already has stay as they are. `kept` are the texts behind `null` values.
 */
export function storedArguments(
  args: readonly string[],
  keys: readonly GivenKey[],
  {
    kept,
    stored,
    taken,
  }: { kept: Readonly<Record<string, string>>; stored: readonly string[]; taken: Iterable<string> },
): StoredArguments {
  const referred = keychainNamesIn(args);
  const secrets = new Map<string, string>();
  const fromFile = new Set<string>();
  for (const { name, value } of keys) {
    const typed = value ?? ownValue(kept, name);
    if (!referred.includes(name) || typed === undefined || typed === '') continue;
    secrets.set(name, typed);
    if (value === null) fromFile.add(name);
  }
  const names = new Set([...referred, ...taken]);
  const written = args.map((arg, index) => {
    if (placeholderParts(arg).names.length > 0 || stored.includes(arg)) return arg;
    const own = argumentName(args, index);
    if (!isSecretArgument(own, arg)) return arg;
    const before = `${own.before}${schemeOf(arg.slice(own.before.length))}`;
    const name = freeName(
      secretNameFor((own.name === '' ? 'KEY' : own.name).replaceAll('-', '_').toUpperCase()),
      names,
    );
    secrets.set(name, arg.slice(before.length));
    return `${before}${keychainPlaceholder(name)}`;
  });
  return { written, secrets, fromFile };
}

/** Two secrets of one server need two names. Takes it. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}
