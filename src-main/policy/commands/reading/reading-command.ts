/**
 * Declares, as data, how a command is read-only. A command or option that is not listed is not known to be harmless,
 * and the line is then not treated as read-only. Options count only by their full name, since GNU programs accept any
 * unambiguous prefix.
 */
export interface ReadingCommand {
  /**
   * The options in POSIX, in getopts notation: `n:` takes a value. On systems other than Linux these are the only ones.
   */
  readonly posix: string;
  /** The additional GNU options; `x::` may take a value, in the same word. */
  readonly gnu?: string;
  /** The long GNU options: `name:` takes a value, `name?` may take one in the same word, and `name` takes none. */
  readonly long?: string;
  /** A number may be an option: `-5`. */
  readonly takesNumber?: true;
  /** The program is the same everywhere, with GNU-style options. */
  readonly isSameEverywhere?: true;
  /** A value is a separate word: anything in the same word as its option would be more options. */
  readonly hasDetachedValues?: true;
  /** The options among those above whose value is a file to be read. */
  readonly fileOptions?: readonly string[];
  /**
   * The kind of the operands. With `files`, all are files or folders to be read; with `text`, all are plain text. A
   * function returns the files among them, or null if it does not recognise them.
   */
  readonly operands: 'files' | 'text' | 'none' | ((call: ParsedCall) => readonly string[] | null);
  /** A command that reads `names` reveals only what a listing of their folder does. */
  readonly reads: 'contents' | 'names';
  /** The folders that the command goes into, or null if it goes into none. */
  readonly walks?: (call: ParsedCall) => Walk | null;
  /** The words to run the command with in addition, before the others. */
  readonly addedWords?: (call: ParsedCall) => readonly string[];
}

/** What is read below a folder that a command recurses into. */
export interface Walk {
  /** The command follows symlinks. */
  readonly followsLinks: boolean;
  /** The names of excluded folders. */
  readonly leftOut: readonly string[];
  /** A name must match one of these patterns to be read. If there are none, all names are read. */
  readonly only: readonly string[];
}

export interface ParsedCall {
  readonly options: readonly ParsedOption[];
  /** The words that the options were read from, in their order. */
  readonly optionWords: readonly string[];
  readonly operands: readonly string[];
  /** The operands that stand behind `--`. */
  readonly behindDashes: readonly string[];
}

export interface ParsedOption {
  /** The name without dashes: `n`, or `lines`. */
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
      // Outside GNU, options end at the first operand, and all words from there on are operands.
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

/** Reads a word of short options: `-la`, `-n5`, `-n 5`, `-rnk2`. */
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

/**
 * Whether a word is accepted as a value. One that looks like an option never is, in case a program treats it as an
 * option.
 */
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
