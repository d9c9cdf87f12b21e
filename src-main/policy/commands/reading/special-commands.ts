import { onlyPrints } from './awk-program.ts';
import { hasGnuPrograms, parseCall, type ReadingCommand, valuesOf, type Walk } from './reading-command.ts';

/** What a command reads: the given files and folders, and how. */
export interface Reads {
  readonly paths: readonly string[];
  readonly kind: 'contents' | 'names';
  readonly walk: Walk | null;
  /** The words to run the command with instead of the original ones. */
  readonly safeWords?: readonly string[];
}

/** Returns null if the command may not be read-only. */
export type SpecialCommand = (words: readonly string[], platform: NodeJS.Platform) => Reads | null;

const NAMES_BELOW: Walk = { followsLinks: false, leftOut: [], only: [] };

/**
 * Commands whose words are more than options and operands. Sources: the manuals of findutils 4.9, GNU sed 4.9 and jq
 * 1.6, POSIX.1-2017 for awk.
 */
export const SPECIAL_COMMANDS: Readonly<Record<string, SpecialCommand>> = {
  find: findReads,
  sed: sedReads,
  jq: jqReads,
  awk: awkReads,
};

/** The tests of find without a value, with one, and with a file as value. Actions that only print are included. */
const FIND_ALONE = new Set(
  (
    '-empty -nouser -nogroup -readable -writable -executable -depth -d -mount -xdev -prune -print -print0 -ls -true -false -not ' +
    '-a -and -o -or ! ( ) , -quit -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -nowarn -warn'
  ).split(' '),
);
const FIND_WITH_VALUE = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size -mtime -atime -ctime -mmin -amin -cmin ' +
    '-perm -user -group -uid -gid -links -inum -maxdepth -mindepth -printf -lname -ilname -fstype -used'
  ).split(' '),
);
const FIND_WITH_FILE = new Set('-newer -anewer -cnewer -samefile'.split(' '));
/** A value of this form would be a test if another version of find expected no value here. */
const LOOKS_LIKE_ACTION = /^-[a-z]{2}/;

/**
 * The paths come first; from the first word of an expression on, each word must be known. Links are not followed
 * (`-P`).
 */
function findReads(words: readonly string[]): Reads | null {
  const start = words.findIndex((word) => /^[-(!),]/.test(word));
  const folders = start === -1 ? words : words.slice(0, start);
  const files: string[] = [];
  for (let at = folders.length; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (FIND_ALONE.has(word)) continue;
    const value = words[at + 1];
    if (value === undefined || LOOKS_LIKE_ACTION.test(value)) return null;
    if (FIND_WITH_FILE.has(word)) files.push(value);
    else if (!FIND_WITH_VALUE.has(word)) return null;
    at += 1;
  }
  const paths = [...(folders.length === 0 ? ['.'] : folders), ...files];
  return { paths, kind: 'names', walk: NAMES_BELOW };
}

const SED: ReadingCommand = {
  posix: 'ne:',
  gnu: 'Ersuzl:',
  long: 'quiet silent expression: regexp-extended separate unbuffered null-data line-length: posix debug sandbox',
  operands: 'files',
  reads: 'contents',
};

/** Brackets are not accepted: inside them, some versions of sed end a part at the delimiter and others don't. */
const part = (delimiter: string) => String.raw`(?:[^\\\n[${delimiter}]|\\[^\n])*`;
const substitution = (delimiter: string) =>
  `s[${delimiter}]${part(delimiter)}[${delimiter}]${part(delimiter)}[${delimiter}][gpI\\d]*`;
const ADDRESS = String.raw`(?:\d+|\$|/${part('/')}/)`;
const SED_COMMAND = `(?:${ADDRESS}(?:,${ADDRESS})?!?)?(?:[pdq=]|${['/', '|', '#'].map(substitution).join('|')})`;
/**
 * Matches scripts that select lines and replace text in them: `10,20p`, `/from/,/to/p`, `s/a/b/g; 5q`. There are many
 * more read-only scripts, and many that are not (`w`, `r`, `e`, and flags of `s`).
 */
const READING_SCRIPT = new RegExp(`^${SED_COMMAND}(?:; ?${SED_COMMAND})*$`);

/** GNU sed is also told to reject every script that is not read-only. */
function sedReads(words: readonly string[], platform: NodeJS.Platform): Reads | null {
  const call = parseCall(SED, words, platform);
  if (call === null) return null;
  const given = valuesOf(call, 'e', 'expression');
  const [first, ...rest] = call.operands;
  if (given.length === 0 && first === undefined) return null;
  const scripts = given.length > 0 ? given : [first ?? ''];
  if (!scripts.every((script) => READING_SCRIPT.test(script))) return null;
  const paths = given.length > 0 ? call.operands : rest;
  const safeWords = hasGnuPrograms(platform) ? { safeWords: ['--sandbox', ...words] } : {};
  return { paths, kind: 'contents', walk: null, ...safeWords };
}

const JQ_FLAGS = new Set(
  (
    '--raw-output --compact-output --null-input --exit-status --slurp --sort-keys --raw-input --join-output --ascii-output ' +
    '--monochrome-output --color-output --tab --unbuffered --stream --seq'
  ).split(' '),
);
/** `import`, `include` and `modulemeta` read files and folders named by the program. */
const JQ_READS_FILES = /\b(?:import|include|modulemeta|input_filename)\b/;

/** The words are options, the program and files, in this order. `--arg NAME VALUE` binds a string. */
function jqReads(words: readonly string[]): Reads | null {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--arg' || word === '--argjson') at += 2;
    else if (word === '--indent') at += 1;
    else if (JQ_FLAGS.has(word) || /^-[rcnesSRjaMC]+$/.test(word)) continue;
    else if (word.startsWith('-')) return null;
    else operands.push(word);
  }
  const [program, ...paths] = operands;
  if (program === undefined || JQ_READS_FILES.test(program)) return null;
  return { paths, kind: 'contents', walk: null };
}

const AWK: ReadingCommand = { posix: 'F:v:', operands: 'files', reads: 'contents' };
const AWK_ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * The words are options, the program and files, in this order. A word after the program that looks like an assignment
 * is one; on every system options end there.
 */
function awkReads(words: readonly string[]): Reads | null {
  const call = parseCall(AWK, words, 'darwin');
  const [program, ...operands] = call?.operands ?? [];
  if (program === undefined || operands.some((operand) => operand.startsWith('-')) || !onlyPrints(program)) return null;
  return { paths: operands.filter((operand) => !AWK_ASSIGNMENT.test(operand)), kind: 'contents', walk: null };
}
