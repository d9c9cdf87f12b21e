import { basename, join } from 'node:path';
import { compileGlob, expandBraces } from '../../../base/glob.ts';
import { hasSecretName, isInSecretFolder, secretNameGlobs } from '../../secret-file-names.ts';
import { hasOption, type ParsedCall } from '../reading/reading-command.ts';
import { NotReading } from '../reading/reading-place.ts';

/**
 * A repository keeps what was once in a secret file, even if that was deleted since, and allowing access to the
 * repository does not allow that. Changes to such files are left out of what git prints; a listing of names includes
 * them.
 */

/** Each of these options prints text or searches it. */
const OF_TEXT = ['p', 'u', 'U', 'S', 'G', 'W', 'patch', 'unified', 'word-diff', 'color-words', 'binary', 'check'];
/**
 * These options are used instead of text, which `diff` and `show` print by default. With the object ids of `--raw`,
 * `git show` could print any file.
 */
const OF_NAMES = ['s', 'no-patch', 'stat', 'shortstat', 'numstat', 'dirstat', 'summary', 'name-only', 'name-status'];

/** Matches an object written as `REVISION:PATH`. `:/words` is a commit, and `:(magic)` a path. */
const OBJECT = /^(?!:[/(!^])[^:]*:/;

export function isObject(operand: string): boolean {
  return OBJECT.test(operand);
}

const SECRET_NAMES = secretNameGlobs.map(compileGlob);
/** Source: gitglossary(7), "pathspec". */
const LEFT_OUT = secretNameGlobs
  .flatMap(expandBraces)
  .flatMap((name) => [name, `${name}/**`].map((each) => `:(top,exclude,icase,glob)**/${each}`));

/** Words to add to the call; throws `NotReading` if its operands would reveal a secret file. */
export function pathspecsWithoutSecrets(subcommand: string, call: ParsedCall): readonly string[] {
  const { operands, behindDashes } = call;
  const objects = operands.slice(0, operands.length - behindDashes.length).filter(isObject);
  if (operands.some((operand) => namesSecret(operand.slice(operand.lastIndexOf(':') + 1))))
    throw new NotReading('a secret file');
  // An object is one file, or the names in one folder. Two of them are compared directly, regardless of excluded paths.
  if (objects.length > 0) {
    if (subcommand !== 'show' || objects.length < operands.length)
      throw new NotReading('objects beside something else');
    return [];
  }
  if (!tellsText(subcommand, call)) return [];
  // With `--follow`, git would show a secret file by what it was called once: `settings.txt` was `.env`.
  if (hasOption(call, 'follow')) throw new NotReading('contents of what a file was called before');
  return LEFT_OUT;
}

function tellsText(subcommand: string, call: ParsedCall): boolean {
  if (subcommand === 'status') return hasOption(call, 'v', 'verbose');
  return hasOption(call, ...OF_TEXT, 'raw') || (subcommand !== 'log' && !hasOption(call, ...OF_NAMES));
}

/**
 * Whether the path is one of a secret file, judged by its name alone, because the file may no longer exist. This also
 * covers what is excluded although it is not secret (`.env.example`).
 */
function namesSecret(path: string): boolean {
  const name = basename(path).toLowerCase();
  return isInSecretFolder(join('.', path)) || hasSecretName(name) || SECRET_NAMES.some((matches) => matches(name));
}
