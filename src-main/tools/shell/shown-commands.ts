import type { LeftRunning } from '../../../src-preload/contract/left-running.ts';
import { firstCharacters, shortened } from '../../base/text.ts';
import { REDACTED, redactSecrets } from '../../secrets/redaction.ts';
import { looksSecret } from '../../secrets/secret-shapes.ts';

/** Matches a name as in `--name`, `NAME` or `"name"`, and the separator before its value: `=`, `:`, a blank. */
const NAME = /(?<![\w.-])(-{0,2})([A-Za-z][\w.-]{0,99})(["']?[=:]\s?|\s+)/g;
const VALUE = /"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'&]+/y;
/** A secret as an option, but a folder as a variable. */
const PASSWORD_OPTION = 'pwd';
/** Matches a password as in `scheme://name:password@host`. */
const PASSWORD_IN_URL = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,200}:)[^\s/@]+(?=@)/gi;
/** Matches a password as in `mysql -psecret`. */
const MYSQL_PASSWORD = /(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^|;&]*?\s-p)\S+/g;

/**
 * Removes what looks like a secret from a process's command line, which may not be ours: values of options and
 * variables with secret names, passwords in URLs, keys of known shapes.
 */
export function withoutSecrets(commandLine: string): string {
  const known = redactSecrets(commandLine);
  return withoutNamedSecrets(known.replace(PASSWORD_IN_URL, `$1${REDACTED}`).replace(MYSQL_PASSWORD, `$1${REDACTED}`));
}

function withoutNamedSecrets(text: string): string {
  let kept = '';
  let at = 0;
  for (const match of text.matchAll(NAME)) {
    const [all, dashes = '', name = '', separator = ''] = match;
    const valueAt = match.index + all.length;
    if (match.index < at || !isSecretNamed(dashes, name, separator, text.charAt(valueAt))) continue;
    VALUE.lastIndex = valueAt;
    const value = VALUE.exec(text)?.[0] ?? '';
    if (value === '') continue;
    kept += text.slice(at, valueAt) + REDACTED;
    at = valueAt + value.length;
  }
  return kept + text.slice(at);
}

function isSecretNamed(dashes: string, name: string, separator: string, next: string): boolean {
  const isOption = dashes !== '';
  // A blank separates `--password x`, but not `password x`. If a dash follows, it begins the next option.
  if (separator.trim() === '' && (!isOption || next === '-')) return false;
  return looksSecret(name) || (isOption && name.toLowerCase() === PASSWORD_OPTION);
}

/** Matches the program. Beyond one of the excluded characters, a title that a process gave itself may hold a value. */
const PROGRAM = /^[^\s=?@&#;,'"]{1,200}/u;
/** Matches `serve`, `run-script` or `server.js`, but nothing that somebody would take for a password. */
const PLAIN_WORD = /^[a-z]{1,20}(?:[-_][a-z]{1,20}){0,3}(?:\.[a-z]{1,4})?$/;

/**
 * What of a process's command line may be shown to whoever asks: its program, and the word right after it if that is a
 * plain one, as a subcommand is. Any later word may be the value of an option.
 */
export function programAndFirstWord(commandLine: string): string {
  // A process can set its own title, with line ends that would look like further rows.
  const [first = '', second = ''] = firstCharacters(commandLine, LOOKED_THROUGH)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .split(/\s+/, 2);
  const program = PROGRAM.exec(redactSecrets(first))?.[0] ?? '?';
  return program === first && PLAIN_WORD.test(second) ? `${program} ${second}` : program;
}

const MAX_COMMAND_LENGTH = 200;
/** How much of a command line, which may be megabytes long, is searched for secrets. */
const LOOKED_THROUGH = 4_000;

/**
 * The programs as they are displayed: a command line may contain secrets, line ends, and more text than anyone reads.
 */
export function shownPrograms({ id, inBackground, programs }: LeftRunning): LeftRunning {
  return { id, inBackground, programs: programs.map(({ pid, command }) => ({ pid, command: shown(command) })) };
}

function shown(command: string): string {
  const oneLine = withoutSecrets(
    firstCharacters(command, LOOKED_THROUGH)
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  );
  return shortened(oneLine, MAX_COMMAND_LENGTH);
}
