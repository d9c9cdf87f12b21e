import { redactSecrets } from '../../secrets/redaction.ts';
import { isSecretValue, looksSecret } from '../../secrets/secret-shapes.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { placeholderParts } from '../../settings/keychain-placeholders.ts';

/** Headers that always contain a credential. */
const SECRET_HEADERS = /^(?:authorization|proxy-authorization|cookie|x-api-key)$/i;
/** An option with its value, as in `--api-key=…` or `--token …`. */
const OPTION = /^--?([\w-]+)(?:=(.*))?$/s;

type Entry = Pick<McpServerConfig, 'args' | 'env' | 'headers' | 'oauth' | 'url'>;

/** Looks up secrets and remembers them: a program may print its arguments, and those of a test are in no keychain. */
export class LookedUpSecrets {
  readonly secretOf: (name: string) => Promise<string | undefined>;
  readonly #values = new Set<string>();
  readonly #others: () => readonly string[];

  constructor(ports: Pick<LookedUpSecrets, 'secretOf'> & { readonly knownSecrets: () => readonly string[] }) {
    this.#others = ports.knownSecrets;
    this.secretOf = async (name) => {
      const value = await ports.secretOf(name);
      if (value !== undefined) this.#values.add(value);
      return value;
    };
  }

  /** The values that Steward knows anyway, and those that were looked up. */
  known(): readonly string[] {
    return [...this.#others(), ...this.#values];
  }
}

/**
 * Removes a server's secrets from a text: values of its entry, secrets Steward knows, and anything that looks like a
 * credential.
 */
export function serverRedaction(entry: () => Entry, knownSecrets: () => readonly string[]): (text: string) => string {
  let known: { readonly of: Entry; readonly secrets: readonly string[] } | undefined;
  return (text) => {
    const now = entry();
    if (known?.of !== now) known = { of: now, secrets: secretsInEntry(now) };
    return redactSecrets(text, [...knownSecrets(), ...known.secrets]);
  };
}

/** The values in a server's entry that are secret by name or by appearance. Keychain placeholders are not. */
function secretsInEntry({ args, env, headers, oauth, url }: Entry): readonly string[] {
  const fromEnvironment = Object.entries(env).filter(([name, value]) => looksSecret(name) || isSecretValue(value));
  const fromHeaders = Object.entries(headers).filter(
    ([name, value]) => SECRET_HEADERS.test(name) || looksSecret(name) || isSecretValue(value),
  );
  const query = url !== undefined && URL.canParse(url) ? [...new URL(url).searchParams] : [];
  const values = [
    ...fromEnvironment.map(([, value]) => value),
    // The scheme is not secret: `Bearer`, `Basic`.
    ...fromHeaders.map(([, value]) => value.replace(/^\w+\s+/, '')),
    ...query.filter(([name, value]) => looksSecret(name) || isSecretValue(value)).map(([, value]) => value),
    ...secretArguments(args),
    oauth?.clientSecret ?? '',
  ];
  return values.flatMap((value) => placeholderParts(value).texts).filter((value) => value !== '');
}

function secretArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((argument, index) => {
    const [, name, value] = OPTION.exec(argument) ?? [];
    if (name !== undefined && looksSecret(name)) return value ?? args[index + 1] ?? [];
    return isSecretValue(argument) ? argument : [];
  });
}
