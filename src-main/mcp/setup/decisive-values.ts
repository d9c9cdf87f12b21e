import { decidesWhatRuns } from '../../../src-preload/contract/program-variables.ts';
import { isKnownKey, isOneWord } from '../../secrets/secret-shapes.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { placeholderParts } from '../../settings/keychain-placeholders.ts';
import { argumentName, isSecretOption } from './argument-keys.ts';
import { onePlaceholder } from './server-values.ts';

/** The values of keychain entries, by name. */
type Values = ReadonlyMap<string, string>;

/**
 * The keychain entries whose values the question shows whole: a file, a snippet, or whoever took over the page, must
 * not hide a program or an option behind dots. What the user entered as a secret is hidden, except in a variable that
 * may decide what runs. What a file brought is hidden only if it is a key by its exact shape: the name of a
 * module is one word, too (`TOKEN_PROVIDER=evil-module`). `fromFile` are the entries that the user did not enter.
 */
export function decisiveNames(
  { args, env }: Pick<McpServerConfig, 'args' | 'env'>,
  values: Values,
  fromFile: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const inEnvironment = Object.entries(env).flatMap(([variable, text]) =>
    placeholderParts(text).names.filter(
      (name) => decidesWhatRuns(variable) || (fromFile.has(name) && !isKnownKey(values.get(name) ?? '')),
    ),
  );
  const inArguments = [...values].flatMap(([name, value]) =>
    isKeyInArguments(args, { name, value, isFromFile: fromFile.has(name) }) ? [] : [name],
  );
  return new Set([...inEnvironment, ...inArguments]);
}

/** Package runners take these addresses for a program. */
const PACKAGE_ADDRESS = /^(?:git|https?|ssh|file|npm|github)\b/i;

/** What a reference stands for. */
interface Referred {
  readonly name: string;
  readonly value: string;
  readonly isFromFile: boolean;
}

/**
 * Whether the value's exact shape, or an option's name if the user entered the value, says that what this reference
 * stands for is a key, in every argument that has it. Any other argument may name a program, or be code.
 */
function isKeyInArguments(args: readonly string[], { name, value, isFromFile }: Referred): boolean {
  if (isKnownKey(value) && !PACKAGE_ADDRESS.test(value)) return true;
  return args.every((arg, index) => {
    if (!placeholderParts(arg).names.includes(name)) return true;
    if (isFromFile) return false;
    const before = onePlaceholder(arg)?.before ?? '';
    const own = argumentName([args[index - 1] ?? '', `${before}key`], 1);
    const isNamed = isSecretOption(own.name) || /^(?:proxy-)?authorization$/i.test(own.name);
    return isNamed && !decidesWhatRuns(own.name) && isOneWord(value);
  });
}
