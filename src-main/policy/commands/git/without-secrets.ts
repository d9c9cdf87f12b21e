import { basename, join } from 'node:path';
import { compileGlob, expandBraces } from '../../../base/glob.ts';
import { isInSecretFolder, secretNameGlobs } from '../../secret-files.ts';
import { hasOption, type ParsedCall } from '../reading/reading-command.ts';
import { NotReading } from '../reading/reading-place.ts';

/**
 * A repository keeps what was in a secret file once, whatever has become of it: whoever allows a look into the repository did
 * not allow that. Its changes are left out of what git prints; a listing of names holds them.
 */

/** By each of these, text is printed or looked through. */
const OF_TEXT = ['p', 'u', 'U', 'S', 'G', 'W', 'patch', 'unified', 'word-diff', 'color-words', 'binary', 'check'];
/** Instead of text, which `diff` and `show` print otherwise. With the object ids of `--raw`, `git show` prints any file. */
const OF_NAMES = ['s', 'no-patch', 'stat', 'shortstat', 'numstat', 'dirstat', 'summary', 'name-only', 'name-status'];

const WILDCARD = /[*?[\\]/;
/** `REVISION:PATH`; `:/words` is a commit, `:(magic)` a path. */
const OBJECT = /^(?!:[/(!^])[^:]*:/;

/** Of any object: a file, too. Also both ends of a range. */
const OBJECT_IDS = /(?<=^|^[^.]*\.{2,3})[0-9a-f]{4,64}(?=$|\.{2,3})/gi;
const PEELED = /\^\{(?!commit\}|tree\}|\/)/;

const SECRET_NAMES = secretNameGlobs.map(compileGlob);
/** Source: gitglossary(7), "pathspec". */
const LEFT_OUT = secretNameGlobs
  .flatMap(expandBraces)
  .flatMap((name) => [name, `${name}/**`].map((each) => `:(top,exclude,icase,glob)**/${each}`));

/** What to add to the words of a call; throws `NotReading` where its operands would have it tell of a secret file. */
export function pathspecsWithoutSecrets(subcommand: string, call: ParsedCall): readonly string[] {
  const { operands } = call;
  const objects = operands.filter((operand) => OBJECT.test(operand));
  if (operands.some((operand) => namesSecret(operand.slice(operand.lastIndexOf(':') + 1))))
    throw new NotReading('a secret file');
  if (operands.some((operand) => PEELED.test(operand))) throw new NotReading('an object of any type');
  // One file, or the names in one folder. Two of them are compared as they are, whatever paths are left out.
  if (objects.length > 0) {
    if (subcommand !== 'show' || objects.length < operands.length)
      throw new NotReading('objects beside something else');
    return [];
  }
  if (!tellsText(subcommand, call)) return [];
  if (!hasOption(call, 'follow')) return LEFT_OUT;
  // That takes one path and no other.
  if (operands.some((operand) => WILDCARD.test(operand))) throw new NotReading('a pattern that is followed');
  return [];
}

/** An object id for a commit's, which it then has to be: two of files would be compared, and one be printed. */
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

/** By its name alone: it need not be there any more. Also what is left out though it is none (`.env.example`). */
function namesSecret(path: string): boolean {
  const name = basename(path).toLowerCase();
  return isInSecretFolder(join('.', path)) || SECRET_NAMES.some((matches) => matches(name));
}
