/**
 * Splits the arguments of a command that is started without a shell. Blanks separate words; double and single quotes group,
 * also inside a word (`--x="a b"` is one word); `\"` inside double quotes is a quote, every other backslash is itself, so
 * Windows paths stay whole. Throws if a quote is not closed. Source: tool catalogue B.2, run_command.
 */
export function splitCommandWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (quote === '"' && character === '\\' && text.charAt(at + 1) === '"') {
        word += '"';
        at += 1;
      } else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/[ \t\n\r\f\v]/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined)
    throw new Error(`a ${quote === '"' ? 'double' : 'single'} quote is not closed in the arguments`);
  if (word !== undefined) words.push(word);
  return words;
}

/** ASCII only: some shells on macOS take bytes of other letters for blanks. */
const PLAIN_OUTSIDE_QUOTES = /^[A-Za-z0-9_@%+=:,./-]$/;
/** Linux takes no longer argument (MAX_ARG_STRLEN), so that no shell would get it. */
const LONGEST_LINE = 128 * 1024;
const SHOWS_AS_NOTHING = /^[\p{Default_Ignorable_Code_Point}\u2800]$/u;
const PRINTABLE_IN_QUOTES = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
/** What double quotes do not take away the meaning of; `!` and `\` stay out of all quotes, to be beyond doubt. */
const NEVER_IN_DOUBLE_QUOTES = '$`\\!';
const NEVER_IN_SINGLE_QUOTES = '\\!';
/** As the first word these are grammar or change what the rest means. https://www.gnu.org/software/bash/manual/bash.html#Reserved-Words */
const RESERVED_WORDS = new Set(
  'if then elif else fi time for in until while do done case esac coproc select function'.split(' '),
);

/**
 * The words that a shell would make of a line, or `null` unless it is one simple command whose words are beyond doubt: no
 * operators, substitutions, redirections, newlines, assignments, globs, tilde or brace expansion, backslashes, `!`, comments,
 * open quotes, or characters that a person cannot see. Quotes are fine. For cmd.exe only bare words are.
 * Source: design section 4 ("Command rules match argv words").
 */
export function plainShellWords(line: string, platform: NodeJS.Platform = process.platform): string[] | null {
  if (line.length > LONGEST_LINE) return null;
  if (platform === 'win32') return bareWords(line);
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const character of line) {
    if (SHOWS_AS_NOTHING.test(character)) return null;
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (isPlainIn(quote, character)) word += character;
      else return null;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (PLAIN_OUTSIDE_QUOTES.test(character)) word = (word ?? '') + character;
    else return null;
  }
  if (quote !== undefined) return null;
  if (word !== undefined) words.push(word);
  return isPlainProgram(words[0]) ? words : null;
}

function isPlainIn(quote: string, character: string): boolean {
  const never = quote === '"' ? NEVER_IN_DOUBLE_QUOTES : NEVER_IN_SINGLE_QUOTES;
  return (
    PRINTABLE_IN_QUOTES.test(character) && (character === ' ' || !/\s/u.test(character)) && !never.includes(character)
  );
}

/** `=` would make an assignment of it, a leading `%` a job. */
function isPlainProgram(word: string | undefined): boolean {
  return word !== undefined && word !== '' && !word.includes('=') && !word.startsWith('%') && !RESERVED_WORDS.has(word);
}

/** cmd.exe knows other quotes, separators and variables than a Unix shell: https://ss64.com/nt/syntax-esc.html */
function bareWords(line: string): string[] | null {
  if (!/^[\w./: -]+$/.test(line)) return null;
  const words = line.split(' ').filter((word) => word !== '');
  return words.length > 0 ? words : null;
}
