import { parseEnv } from 'node:util';
import { REDACTED } from './redaction.ts';
import { isSecretValue, looksSecret } from './secret-shapes.ts';

/** Shorter values, and common ones (`postgres`, `localhost:5432`), are not looked for outside their file. */
const SHORTEST = 8;
const SURELY_ODD_LENGTH = 16;
/** Addresses without a password, paths, numbers, booleans: they occur in ordinary text. */
const ORDINARY = /^(?:[a-z][\w+.-]*:\/\/[^\s?#]*|\.{0,2}\/[^\s]*|[\d.,:_-]+|true|false)$/i;
const URL_PASSWORD = /^[a-z][\w+.-]*:\/\/[^\s/?#:@]*:([^\s/@]+)@/i;

/**
 * `NAME=value` or, as dotenv also accepts, `NAME: value`: in such a file, or in a line of it that a search shows. A
 * quoted value may span lines; text directly after it belongs to it, as in a shell.
 */
const ASSIGNMENT =
  /((?:^|[^\w.-])(?:export[ \t]+)?([A-Za-z_][\w.-]*)(?:[ \t]*=[ \t]*|:[ \t]+))((?:"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`)[^\s#]*|[^\s#"'`][^\n#]*)/gm;

/** The values of a `.env` file that are secret by name or shape, in the forms to look for in other texts. */
export function secretValuesIn(envFile: string): readonly string[] {
  const written = [...envFile.matchAll(ASSIGNMENT)].map(
    ([, , name = '', value = '']) => [name, unquoted(value)] as const,
  );
  const values = [...Object.entries(parseEnv(envFile)), ...written].flatMap(([name, value = '']) =>
    looksSecret(name) || isSecretValue(value) ? formsOf(value.trim()) : [],
  );
  return [...new Set(values)];
}

/** Text from a `.env` file, without the values that are secret by name or shape. */
export function withoutSecretAssignments(text: string): string {
  return text.replace(ASSIGNMENT, (whole, before: string, name: string, value: string) =>
    looksSecret(name) || isSecretValue(value) ? before + REDACTED + trailingBlanks(value) : whole,
  );
}

/** The value itself, each line of a multi-line value, and the password in an address. */
function formsOf(value: string): readonly string[] {
  const [, password = ''] = URL_PASSWORD.exec(value) ?? [];
  // The first and last lines are the same in every key.
  const lines = value.includes('\n') ? value.split('\n').filter((line) => !line.startsWith('-----')) : [];
  return [value, password, ...lines].map((each) => each.trim()).filter(isTelling);
}

function isTelling(value: string): boolean {
  if (value.length < SHORTEST || (ORDINARY.test(value) && !isSecretValue(value))) return false;
  if (value.length >= SURELY_ODD_LENGTH) return true;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value));
  return kinds.length > 1;
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'`])(.*)\1/s, '$2');
}

function trailingBlanks(value: string): string {
  // A regular expression would begin anew at each blank.
  return value.slice(value.trimEnd().length);
}
