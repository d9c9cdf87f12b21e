import { basename, join } from 'node:path';
import { compileGlob, expandBraces } from '../../../base/glob.ts';
import { isInSecretFolder, secretNameGlobs } from '../../secret-files.ts';
import { hasOption, type ParsedCall } from '../reading/reading-command.ts';
import { NotReading } from '../reading/reading-place.ts';

/**
 * A repository keeps what was once in a secret file, even if that was deleted since, and allowing access to the
 * repository does not allow that. Changes to such files are left out of what git prints; a listing of names includes
 * them.
 */

/** Each of these prints text or searches it. */
const OF_TEXT = ['p', 'u', 'U', 'S', 'G', 'W', 'patch', 'unified', 'word-diff', 'color-words', 'binary', 'check'];
/**
 * Used instead of text, which `diff` and `show` print by default. With the object ids of `--raw`, `git show` could
 * print any file.
 */
const OF_NAMES = ['s', 'no-patch', 'stat', 'shortstat', 'numstat', 'dirstat', 'summary', 'name-only', 'name-status'];

const WILDCARD = /[*?[\\]/;
/** `REVISION:PATH`; `:/words` is a commit, `:(magic)` a path. */
const OBJECT = /^(?!:[/(!^])[^:]*:/;

/** The id of any object, which may be a file. Also matches both ends of a range. */
const OBJECT_IDS = /(?<=^|^[^.]*\.{2,3})[0-9a-f]{4,64}(?=$|\.{2,3})/gi;
const PEELED = /\^\{(?!commit\}|tree\}|\/)/;

const SECRET_NAMES = secretNameGlobs.map(compileGlob);
/** Source: gitglossary(7), "pathspec". */
const LEFT_OUT = secretNameGlobs
  .flatMap(expandBraces)
  .flatMap((name) => [name, `${name}/**`].map((each) => `:(top,exclude,icase,glob)**/${each}`));

/** Words to add to the call; throws `NotReading` if its operands would reveal a secret file. */
export function pathspecsWithoutSecrets(subcommand: string, call: ParsedCall): readonly string[] {
  const { operands } = call;
  const objects = operands.filter((operand) => OBJECT.test(operand));
  if (operands.some((operand) => namesSecret(operand.slice(operand.lastIndexOf(':') + 1))))
    throw new NotReading('a secret file');
  if (operands.some((operand) => PEELED.test(operand))) throw new NotReading('an object of any type');
  // One file, or the names in one folder. Two of them are compared directly, regardless of excluded paths.
  if (objects.length > 0) {
    if (subcommand !== 'show' || objects.length < operands.length)
      throw new NotReading('objects beside something else');
    return [];
  }
  if (!tellsText(subcommand, call)) return [];
  if (!hasOption(call, 'follow')) return LEFT_OUT;
  // Accepts exactly one path.
  if (operands.some((operand) => WILDCARD.test(operand))) throw new NotReading('a pattern that is followed');
  return [];
}

/** An object id is forced to be a commit's: two ids of files would be compared, and one would be printed. */
export function commitsOnly(words: readonly string[], { operands }: ParsedCall): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, at) =>
    at < end && operands.includes(word) ? word.replace(OBJECT_IDS, '$&^{commit}') : word,
  );
}

function tellsText(subcommand: string, call: ParsedCall): boolean {
  if (subcommand === 'status') return hasOption(call, 'v', 'verbose');
  return hasOption(call, ...OF_TEXT, 'raw') || (subcommand !== 'log' && !hasOption(call, ...OF_NAMES));
}

/**
 * By name alone, because it may no longer exist. Also covers what is excluded although it is not secret
 * (`.env.example`).
 */
function namesSecret(path: string): boolean {
  const name = basename(path).toLowerCase();
  return isInSecretFolder(join('.', path)) || SECRET_NAMES.some((matches) => matches(name));
}
