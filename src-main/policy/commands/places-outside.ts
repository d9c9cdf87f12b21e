import { existsSync } from 'node:fs';
import { isAbsolute, join, parse, resolve, sep } from 'node:path';
import type { GivenCommand } from './command-line.ts';
import { allSteps, exactWord, firstSteps, type LooseStep, type LooseWord, readLooseLine } from './loose-line.ts';
import type { EffectsPlace } from './touched-paths.ts';

/** Lines that people write don't name this many paths. */
const MAX_PATHS = 2_000;
/** The longest path that systems accept. */
const MAX_PATH_LENGTH = 4_096;
/** The most letters of options that are taken to precede any value in the same word: `-sLoout/x`. */
const MAX_OPTION_LETTERS = 32;
/** A value that leads outside, and is one behind any number of letters: `-kkkkC/tmp`. */
const LEADS_AWAY = /^(?:\/|~|\.\.)/;

/** Nearly every line writes to or reads from one of these, which has no consequences. */
const NO_PLACE = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;
/** Matches an address with nothing after it, because `sh -c 'https://x; cat /etc/x'` is code. */
const ADDRESS = /^(?!file:)[a-z][a-z0-9+.-]*:\/\/[^\s'"`;|<>()]*$/i;
/** A path may begin behind any other character: `+/x`, `user@h:/x`. Patterns like `src/?/x` are paths too. */
const SEPARATORS = /[^\p{L}\p{M}\p{N}/\\._~$*?-]+/u;
/** A path that begins in the home folder. */
export const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

const GOES_UP = /\/\.\.(?:\/|$)/;
/** The home of another user, which a shell also puts in behind `NAME=` and `:`. */
const HOME_OF_ANOTHER = /^~[a-z_][a-z0-9_.-]*(?=\/)/;

export interface PlacesOutside {
  /** The words that lead outside, as they stand in the line. */
  readonly words: readonly string[];
  /** Whether all of the command was looked at. */
  readonly isWhole: boolean;
}

/**
 * Parts of a command that lead outside the roots, whatever the program does with them: `sort -oOUT`, `cp -t OUT`,
 * `python -c "open('/x')"` and `curl -sLo/tmp/x` each name one. When in doubt it finds too many, not too few.
 */
export function placesOutside(command: GivenCommand, directory: string, place: EffectsPlace): PlacesOutside {
  const outside = new Set<string>();
  let left = MAX_PATHS;
  for (const path of pathsNamed(command, place.variables)) {
    if (left === 0) return { words: [...outside], isWhole: false };
    left -= 1;
    if (leadsOutside(path, directory, place)) outside.add(path.text);
  }
  return { words: [...outside], isWhole: true };
}

/** What may be a path in a command, as it is written. */
export interface WrittenPath {
  readonly text: string;
  /** A leading `~` stands for the home folder. */
  readonly isHome: boolean;
  /** The text is only part of a word, so it may be something other than a path, such as an expression. */
  readonly isPart: boolean;
  /** It begins with the value of a variable, and may lead anywhere. */
  readonly isUnknown?: boolean;
}

/** Every part of a command that may be a path. */
export function* pathsNamed(command: GivenCommand, variables: Variables = {}): Generator<WrittenPath> {
  for (const word of wordsOf(command, variables)) yield* pathsIn(word);
}

type Variables = Readonly<NodeJS.ProcessEnv>;

function wordsOf(command: GivenCommand, variables: Variables): readonly LooseWord[] {
  if (command.kind === 'argv') return command.argv.map(exactWord);
  const { steps } = readLooseLine(command.line);
  // `read USER <list; cp a $USER`: what ran before may have set it.
  const first = new Set(firstSteps(steps));
  return allSteps(steps).flatMap((step) => {
    const words = wordsOfStep(step);
    return first.has(step) ? words.map((word) => filledIn(word, variables)) : words;
  });
}

function wordsOfStep({ words, redirections }: LooseStep): readonly LooseWord[] {
  return [...words, ...redirections.map(({ target }) => target)];
}

const PLAIN_VARIABLE = /\$(?:([A-Za-z]\w{0,100})|\{([A-Za-z]\w{0,100})\})/g;
/** Only such a value leads nowhere by itself, and stays one word. */
const PLAIN_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,255}$/u;

/** The word with the values of its variables, if all of them are known and plain: `$USER:$USER`. */
function filledIn(word: LooseWord, variables: Variables): LooseWord {
  if (word.unknownPath === undefined) return word;
  const text = word.unknownPath.replaceAll(PLAIN_VARIABLE, (written, name = '', inBraces = '') => {
    const value = variables[name || inBraces] ?? '';
    return PLAIN_NAME.test(value) ? value : written;
  });
  return /[$`\\]/.test(text) ? word : { ...word, text: text.replaceAll(/["']/g, ''), unknownPath: undefined };
}

function pathsIn({ text, isHome, isQuoted, isExact, unknownPath }: LooseWord): readonly WrittenPath[] {
  const unknown: readonly WrittenPath[] =
    unknownPath === undefined ? [] : [{ text: unknownPath, isHome: false, isPart: true, isUnknown: true }];
  if (ADDRESS.test(text)) return unknown;
  const whole: WrittenPath = { text, isHome: isHome || (!isQuoted && text.startsWith('~')), isPart: !isExact };
  const parts = text.length > MAX_PATH_LENGTH ? [] : [...optionValues(text), ...text.split(SEPARATORS)];
  // Code may write `\/usr` for `/usr`.
  const plain = parts.filter((part) => part.includes('\\')).map((part) => part.replaceAll('\\', ''));
  const others = [...new Set([...parts, ...plain])].filter((part) => part !== text);
  return [...unknown, whole, ...others.map((part) => partOf(part))];
}

function partOf(text: string): WrittenPath {
  return { text, isHome: HOME.test(text) || HOME_OF_ANOTHER.test(text), isPart: true };
}

/**
 * The values that may follow the letters of a word like `-sLoVALUE`. Which of the letters takes a value isn't known.
 */
function optionValues(text: string): readonly string[] {
  if (!/^-[^-]/.test(text)) return [];
  const beginnings = Array.from({ length: text.length - 2 }, (_, letters) => letters + 2);
  return beginnings
    .filter((at) => at < MAX_OPTION_LETTERS + 2 || LEADS_AWAY.test(text.slice(at, at + 2)))
    .map((at) => text.slice(at));
}

function leadsOutside(
  { text, isHome, isPart, isUnknown = false }: WrittenPath,
  directory: string,
  place: EffectsPlace,
): boolean {
  if (isUnknown) return true;
  if (text === '' || text.length > MAX_PATH_LENGTH || NO_PLACE.test(text)) return false;
  if (isHome) return !HOME.test(text) || !isInside(join(place.home, text.replace(HOME, '')), place);
  const path = resolve(directory, text);
  // A part like `/^a/d` is an expression.
  if (isPart && isAbsolute(text) && !GOES_UP.test(text) && !existsSync(topOf(path))) return false;
  return !isInside(path, place);
}

/** The file or folder directly below the root directory that a path leads through. */
function topOf(path: string): string {
  const { root } = parse(path);
  return join(root, path.slice(root.length).split(sep)[0] ?? '');
}

function isInside(path: string, { realPath, isInsideRoots }: EffectsPlace): boolean {
  return isInsideRoots(realPath(path));
}
