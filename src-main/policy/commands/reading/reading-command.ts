/**
 * Declares, as data, how a command is read-only. Anything not listed is not known to be harmless, and the line is then
 * not treated as read-only. Options count only by their full name, since GNU programs accept any unambiguous prefix.
 */
export interface ReadingCommand {
  /** Options in POSIX, in getopts notation: `n:` takes a value. On systems other than Linux these are the only ones. */
  readonly posix: string;
  /** Additional GNU options; `x::` may take a value, in the same word. */
  readonly gnu?: string;
  /** Long GNU options: `name`, `name:` takes a value, `name?` may take one, in the same word. */
  readonly long?: string;
  /** `-5` */
  readonly takesNumber?: true;
  /** The same program everywhere, with GNU-style options. */
  readonly isSameEverywhere?: true;
  /** A value is a separate word: anything in the same word as its option would be more options. */
  readonly hasDetachedValues?: true;
  /** Those of the options above whose value is a file to be read. */
  readonly fileOptions?: readonly string[];
  /**
   * Kind of the operands. `files`: all are files or folders to be read. `text`: all are plain text. A function returns
   * the files among them, or `null` if it does not recognise them.
   */
  readonly operands: 'files' | 'text' | 'none' | ((call: ParsedCall) => readonly string[] | null);
  /** `names`: reveals only what a listing of their folder does. */
  readonly reads: 'contents' | 'names';
  /** Whether it goes into folders. */
  readonly walks?: (call: ParsedCall) => Walk | null;
  /** Words to run it with in addition, before the others. */
  readonly addedWords?: (call: ParsedCall) => readonly string[];
}

/** What is read below a folder that a command recurses into. */
export interface Walk {
  /** Symlinks are followed. */
  readonly followsLinks: boolean;
  /** Names of excluded folders. */
  readonly leftOut: readonly string[];
  /** A name must match one of these patterns to be read; none: all are. */
  readonly only: readonly string[];
}

export interface ParsedCall {
  readonly options: readonly ParsedOption[];
  /** The words that the options were read from, in their order. */
  readonly optionWords: readonly string[];
  readonly operands: readonly string[];
  /** Those of the operands behind `--`. */
  readonly behindDashes: readonly string[];
}

export interface ParsedOption {
  /** `n`, or `lines` */
  readonly name: string;
  readonly value?: string;
}

export function hasOption({ options }: ParsedCall, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

export function valuesOf({ options }: ParsedCall, ...names: readonly string[]): readonly string[] {
  return options.flatMap(({ name, value }) => (value !== undefined && names.includes(name) ? [value] : []));
}

type Arity = 'none' | 'required' | 'optional';

/** Whether the system's programs are known to have GNU's options. */
export const hasGnuPrograms = (platform: NodeJS.Platform) => platform === 'linux';

/** The words after the program's name, or `null` if one of them is not known. Source: getopt(3), getopt_long(3). */
export function parseCall(
  command: ReadingCommand,
  words: readonly string[],
  platform: NodeJS.Platform,
): ParsedCall | null {
  const isGnu = command.isSameEverywhere === true || hasGnuPrograms(platform);
  const short = shortOptions(isGnu ? command.posix + (command.gnu ?? '') : command.posix);
  const long = isGnu ? longOptions(command.long ?? '') : new Map<string, Arity>();
  const options: ParsedOption[] = [];
  const optionWords: string[] = [];
  const operands: string[] = [];
  let behindDashes: readonly string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      behindDashes = words.slice(at + 1);
      operands.push(...behindDashes);
      break;
    }
    if (command.takesNumber && /^-\d+$/.test(word)) {
      options.push({ name: word.slice(1) });
      optionWords.push(word);
      continue;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      // Outside GNU, options end at the first operand, and the rest are operands.
      if (!isGnu) {
        operands.push(...words.slice(at + 1));
        break;
      }
      continue;
    }
    const read = word.startsWith('--') ? readLong(word, words[at + 1], long) : readShort(word, words[at + 1], short);
    if (read === null || (command.hasDetachedValues && hasAttachedValue(read))) return null;
    options.push(...read.options);
    const length = read.tookNext ? 2 : 1;
    optionWords.push(...words.slice(at, at + length));
    at += length - 1;
  }
  return { options, optionWords, operands, behindDashes };
}

interface ReadOption {
  readonly options: readonly ParsedOption[];
  readonly tookNext: boolean;
}

function readLong(word: string, next: string | undefined, long: ReadonlyMap<string, Arity>): ReadOption | null {
  const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  const arity = long.get(name);
  if (arity === undefined || (arity === 'none' && value !== undefined)) return null;
  if (value !== undefined) return { options: [{ name, value }], tookNext: false };
  if (arity !== 'required') return { options: [{ name }], tookNext: false };
  return isValue(next) ? { options: [{ name, value: next }], tookNext: true } : null;
}

function hasAttachedValue({ options, tookNext }: ReadOption): boolean {
  return !tookNext && options.some(({ value }) => value !== undefined);
}

/** `-la`, `-n5`, `-n 5`, `-rnk2`. */
function readShort(word: string, next: string | undefined, short: ReadonlyMap<string, Arity>): ReadOption | null {
  const options: ParsedOption[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = word.charAt(at);
    const arity = short.get(name);
    if (arity === undefined) return null;
    if (arity === 'none') {
      options.push({ name });
      continue;
    }
    const attached = word.slice(at + 1);
    if (attached !== '') return { options: [...options, { name, value: attached }], tookNext: false };
    if (arity === 'optional') return { options: [...options, { name }], tookNext: false };
    return isValue(next) ? { options: [...options, { name, value: next }], tookNext: true } : null;
  }
  return { options, tookNext: false };
}

/** A word that looks like an option is never accepted as a value, in case a program treats it as an option. */
function isValue(word: string | undefined): word is string {
  return word !== undefined && (!word.startsWith('-') || /^-\d*$/.test(word));
}

function shortOptions(text: string): ReadonlyMap<string, Arity> {
  const found = [...text.matchAll(/([^:])(:{0,2})/g)];
  return new Map(found.map(([, name = '', colons = '']) => [name, arityOf(colons)]));
}

function longOptions(text: string): ReadonlyMap<string, Arity> {
  const names = text.split(' ').filter((name) => name !== '');
  return new Map(names.map((name) => [name.replace(/[:?]$/, ''), arityOf(name.slice(-1))]));
}

function arityOf(mark: string): Arity {
  if (mark === ':') return 'required';
  return mark === '::' || mark === '?' ? 'optional' : 'none';
}
