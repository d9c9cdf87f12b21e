/**
 * How a command is said to only read: as data. What is not named here is not known to be harmless, and then the line is no
 * reading line. An option counts by its full name only, since GNU programs take any beginning of one that is unambiguous.
 */
export interface ReadingCommand {
  /** Options that POSIX names, as getopts has them: `n:` takes a value. On other systems than Linux there are only these. */
  readonly posix: string;
  /** Further ones of GNU; `x::` may take a value, in the same word. */
  readonly gnu?: string;
  /** Long ones of GNU: `name`, `name:` takes a value, `name?` may take one, in the same word. */
  readonly long?: string;
  /** `-5` */
  readonly takesNumber?: true;
  /** One program everywhere, whose options are those of GNU in form. */
  readonly isSameEverywhere?: true;
  /** A value is a word of its own: what stands in the same word as its option would be more options. */
  readonly hasDetachedValues?: true;
  /** Options of the above whose value is a file that is read. */
  readonly fileOptions?: readonly string[];
  /**
   * What operands are. `files`: all of them files or folders that are read. `text`: all of them mere text. A function takes the
   * files out of them, or says `null` where they are none that it knows.
   */
  readonly operands: 'files' | 'text' | 'none' | ((call: ParsedCall) => readonly string[] | null);
  /** `names`: of files only what a listing of their folder says. */
  readonly reads: 'contents' | 'names';
  /** Whether it goes into folders. */
  readonly walks?: (call: ParsedCall) => Walk | null;
}

/** What is met below a folder that a command goes into. */
export interface Walk {
  /** Its symlinks are followed. */
  readonly followsLinks: boolean;
  /** Names of folders that are left out. */
  readonly leftOut: readonly string[];
  /** Patterns of which a name must match one to be read; none: all are. */
  readonly only: readonly string[];
}

export interface ParsedCall {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly string[];
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

/** Whether the options of GNU are known to be those of the system's programs. */
export const hasGnuPrograms = (platform: NodeJS.Platform) => platform === 'linux';

/** The words behind the program's name, or `null` where one of them is not known. Source: getopt(3), getopt_long(3). */
export function parseCall(
  command: ReadingCommand,
  words: readonly string[],
  platform: NodeJS.Platform,
): ParsedCall | null {
  const isGnu = command.isSameEverywhere === true || hasGnuPrograms(platform);
  const short = shortOptions(isGnu ? command.posix + (command.gnu ?? '') : command.posix);
  const long = isGnu ? longOptions(command.long ?? '') : new Map<string, Arity>();
  const options: ParsedOption[] = [];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (command.takesNumber && /^-\d+$/.test(word)) {
      options.push({ name: word.slice(1) });
      continue;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      // Elsewhere options end with the first operand, and all that follows is one.
      if (!isGnu) {
        operands.push(...words.slice(at + 1));
        break;
      }
      continue;
    }
    const read = word.startsWith('--') ? readLong(word, words[at + 1], long) : readShort(word, words[at + 1], short);
    if (read === null || (command.hasDetachedValues && hasAttachedValue(read))) return null;
    options.push(...read.options);
    if (read.tookNext) at += 1;
  }
  return { options, operands };
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

/** What looks like an option is none to be taken for a value: should a program think otherwise, it would be one. */
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
