import { isSecretValue, looksSecret } from '../../secrets/secret-shapes.ts';

/** What an argument is for, by the option before it or at its own start. */
export interface ArgumentName {
  /** The name of the option as it is written, without dashes. It may be empty. */
  readonly name: string;
  /** The text before the value, as in `--api-key=` and `Authorization: `. */
  readonly before: string;
}

export function argumentName(args: readonly string[], index: number): ArgumentName {
  const text = args[index] ?? '';
  const own =
    /^(?:(--?[A-Za-z][\w.-]{0,80}|[A-Za-z_][\w.-]{0,80})=|(?:--header=)?([A-Za-z][\w-]{0,80}):\s*(?!\/\/))/.exec(text);
  if (own !== null && !/^[A-Za-z]:/.test(text))
    return { name: (own[1] ?? own[2] ?? '').replace(/^-+/, ''), before: own[0] };
  const option = args[index - 1] ?? '';
  return { name: /^--?[A-Za-z][\w.-]*$/.test(option) ? option.replace(/^-+/, '') : '', before: '' };
}

/** Options that only look as if they took a secret. */
const NO_SECRET =
  /^(?:max|min|num|n|total|context|count|use|no|enable|disable)[-_]|[-_](?:file|path|dir|name|id|type|mode|limit|count|url|uri|endpoint|method|header|prefix|budget)$/i;

export function isSecretOption(name: string): boolean {
  return looksSecret(name) && !NO_SECRET.test(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '-'));
}

/** Whether the argument has a real secret after `before`. */
export function isSecretArgument({ name, before }: ArgumentName, text: string): boolean {
  const value = text.slice(before.length);
  if (isSecretValue(value)) return true;
  if (!isSecretOption(name) && !/^(?:proxy-)?authorization$/i.test(name)) return false;
  return (
    value.length >= 6 &&
    !/\$\{|^\$\w+$/.test(value) &&
    !/^-|^(?:true|false|none|null|auto|\d{1,6})$|^[a-z]{1,12}$|[\\/]|^https?:/i.test(
      value.replace(/^(?:Bearer|Basic)\s/i, ''),
    )
  );
}

const BEFORE_VALUE = /^(?:Bearer|Basic|Token|ApiKey|Api-Key|DPoP)\s+/i;

/** The scheme in a text, after which the secret begins. */
export function schemeOf(text: string): string {
  return BEFORE_VALUE.exec(text)?.[0] ?? '';
}
