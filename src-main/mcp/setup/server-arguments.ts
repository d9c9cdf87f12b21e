import { isSecretValue } from '../../secrets/secret-shapes.ts';
import { keychainNamesIn, keychainPlaceholder, placeholderParts } from '../../settings/keychain-placeholders.ts';
import { argumentName, isSecretArgument, isSecretOption, schemeOf } from './argument-keys.ts';
import { onePlaceholder, type StoredValues, secretNameFor } from './server-values.ts';

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
 * arguments that `stored` already has stay as they are. `kept`: the texts behind `null` values.
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
  for (const { name, value } of keys) {
    const typed = value ?? (Object.hasOwn(kept, name) ? kept[name] : undefined);
    if (referred.includes(name) && typed !== undefined && typed !== '') secrets.set(name, typed);
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
  return { written, secrets };
}

/** Two secrets of one server need two names. Takes it. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}

/** Addresses that package runners take for a program. */
const PACKAGE_ADDRESS = /^(?:git|https?|ssh|file|npm|github)\b/i;

/**
 * Whether a name or the value's shape says that what this reference stands for is a key, in every argument that has it.
 */
export function isKeyInArguments(args: readonly string[], name: string, value: string): boolean {
  if (isSecretValue(value) && !PACKAGE_ADDRESS.test(value)) return true;
  return args.every((arg, index) => {
    if (!placeholderParts(arg).names.includes(name)) return true;
    const before = onePlaceholder(arg)?.before ?? '';
    const own = argumentName([args[index - 1] ?? '', `${before}key`], 1);
    return isSecretOption(own.name) || /^(?:proxy-)?authorization$/i.test(own.name);
  });
}
