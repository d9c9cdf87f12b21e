import { decidesWhatRuns } from '../../../src-preload/contract/program-variables.ts';
import { isKnownKey, isOneWord, looksSecret } from '../../secrets/secret-shapes.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { placeholderParts } from '../../settings/keychain-placeholders.ts';
import { argumentName, isSecretOption } from './argument-keys.ts';
import { onePlaceholder } from './server-values.ts';

/** The values of keychain entries, by name. */
type Values = ReadonlyMap<string, string>;

/**
 * The keychain entries whose values the question shows whole: a file, a snippet, or whoever took over the page, must
 * not hide a program or an option behind dots. What the user entered as a secret is hidden, except in a variable that
 * may decide what runs. What a file brought is hidden only if it is a key by its exact shape, or one word under the
 * name of a secret. `fromFile` are the entries that the user did not enter.
 */
export function decisiveNames(
  { args, env }: Pick<McpServerConfig, 'args' | 'env'>,
  values: Values,
  fromFile: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const inEnvironment = Object.entries(env).flatMap(([variable, text]) =>
    placeholderParts(text).names.filter(
      (name) => decidesWhatRuns(variable) || (fromFile.has(name) && !isHarmless(variable, values.get(name))),
    ),
  );
  const inArguments = [...values].flatMap(([name, value]) => (isKeyInArguments(args, name, value) ? [] : [name]));
  return new Set([...inEnvironment, ...inArguments]);
}

function isHarmless(variable: string, value = ''): boolean {
  return isKnownKey(value) || (looksSecret(variable) && isOneWord(value));
}

/** Package runners take these addresses for a program. */
const PACKAGE_ADDRESS = /^(?:git|https?|ssh|file|npm|github)\b/i;

/**
 * Whether the value's exact shape or an option's name says that what this reference stands for is a key, in every
 * argument that has it. Any other argument may name a program, or be code.
 */
function isKeyInArguments(args: readonly string[], name: string, value: string): boolean {
  if (isKnownKey(value) && !PACKAGE_ADDRESS.test(value)) return true;
  return args.every((arg, index) => {
    if (!placeholderParts(arg).names.includes(name)) return true;
    const before = onePlaceholder(arg)?.before ?? '';
    const own = argumentName([args[index - 1] ?? '', `${before}key`], 1);
    const isNamed = isSecretOption(own.name) || /^(?:proxy-)?authorization$/i.test(own.name);
    return isNamed && !decidesWhatRuns(own.name) && isOneWord(value);
  });
}
