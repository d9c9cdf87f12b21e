import { constantArithmetic } from './constant-arithmetic.ts';

/**
 * A shell line with a certain meaning: pipelines joined by `&&`, of simple commands joined by `|`, of words and
 * constant arithmetic. bash and a POSIX sh read it the same way, which
 * tests/integration/policy/shell-line-in-shells.test.ts verifies. Anything else is rejected, however harmless: other
 * operators and redirections, substitutions, expansions, assignments, comments, lines of several lines, invisible
 * characters.
 */
export interface ShellLine {
  readonly pipelines: readonly Pipeline[];
}

export type Pipeline = readonly SimpleCommand[];

export interface SimpleCommand {
  /** The words of the command, at least one. The first is the program. */
  readonly words: readonly ShellWord[];
  /** The redirections in their order. */
  readonly redirections: readonly Redirection[];
}

export interface ShellWord {
  readonly text: string;
  /** The position in `text` of each `*` or `?` that the shell would match against file names. */
  readonly wildcards: readonly number[];
}

/** The only redirections accepted: they change no file, as `cat a > ~/.bashrc` would. */
export type Redirection = '2>&1' | '>/dev/null' | '2>/dev/null';

const MAX_LINE_LENGTH = 20_000;

/**
 * Only ASCII is accepted, because some shells on macOS treat bytes of other letters as blanks. A `;`, `(`, `<`,
 * backtick or line end is not accepted: each begins another command, as in `ls; rm -rf x`.
 */
const PLAIN_OUTSIDE_QUOTES = /^[A-Za-z0-9_@%+=:,./^-]$/;
const SHOWS_AS_NOTHING = /^[\p{Default_Ignorable_Code_Point}\u2800]$/u;
const PRINTABLE_IN_QUOTES = /^(?! )[\p{L}\p{M}\p{N}\p{P}\p{S}]$|^ $/u;
/** A backslash before anything else inside double quotes is a backslash. */
const ESCAPED_IN_DOUBLE_QUOTES = '$`"\\';
/** A `$` inside double quotes is literal before these, as in `"\.ts$"`. */
const AFTER_LONE_DOLLAR = /^["| )\\]/;
/**
 * A tilde after a letter or digit is literal, as in `HEAD~2`. At the start of a word, or after `=` and `:`, it is a
 * home folder.
 */
const BEFORE_PLAIN_TILDE = /[A-Za-z0-9^]$/;
/** Braces without a comma or two dots are literal: `stash@{0}`, `{}`. */
const PLAIN_BRACES = /^\{[A-Za-z0-9_/-]*\}/;

/**
 * These are reserved as the first word, where they change what follows: `time rm x` runs `rm`.
 * https://www.gnu.org/software/bash/manual/bash.html#Reserved-Words
 */
const RESERVED_WORDS = new Set(
  '! { } [[ ]] if then elif else fi time for in until while do done case esac coproc select function'.split(' '),
);

/**
 * Parses a line; returns null if its meaning is uncertain. It is never used for cmd.exe, which parses lines
 * differently.
 */
export function parseShellLine(line: string): ShellLine | null {
  if (line.length > MAX_LINE_LENGTH) return null;
  return new LineReader(line).read();
}

/** Parses a line from its start; anything unknown ends with `null`. */
class LineReader {
  readonly #line: string;
  #at = 0;
  readonly #pipelines: SimpleCommand[][] = [[]];
  #words: ShellWord[] = [];
  #redirections: Redirection[] = [];
  #text: string | undefined;
  #wildcards: number[] = [];
  /** Part of the word was quoted or escaped, so it is not a number before a `>`. */
  #isQuoted = false;

  constructor(line: string) {
    this.#line = line;
  }

  read(): ShellLine | null {
    while (this.#at < this.#line.length) if (!this.#step()) return null;
    return this.#endCommand() ? { pipelines: this.#pipelines } : null;
  }

  #step(): boolean {
    const character = String.fromCodePoint(this.#line.codePointAt(this.#at) ?? 0);
    switch (character) {
      case ' ':
        this.#endWord();
        return this.#skip(1);
      case "'":
        return this.#singleQuoted();
      case '"':
        return this.#doubleQuoted();
      case '\\':
        return this.#escaped();
      case '*':
      case '?':
        this.#wildcards.push(this.#text?.length ?? 0);
        return this.#take(character);
      case '|':
      case '&':
        return this.#operator(character);
      case '>':
        return this.#redirection();
      case '~':
        return BEFORE_PLAIN_TILDE.test(this.#text ?? '') && !/[:=]/.test(this.#text ?? '') && this.#take(character);
      case '{':
        return this.#braces();
      case '$':
        return this.#arithmetic();
      case '#':
        return this.#text !== undefined && this.#take(character);
      case '!':
        return this.#take(character);
      default:
        return PLAIN_OUTSIDE_QUOTES.test(character) && this.#take(character);
    }
  }

  #rest(from = this.#at): string {
    return this.#line.slice(from);
  }

  #skip(count: number): true {
    this.#at += count;
    return true;
  }

  #take(text: string, length = text.length): true {
    this.#text = (this.#text ?? '') + text;
    return this.#skip(length);
  }

  #endWord(): void {
    if (this.#text !== undefined) this.#words.push({ text: this.#text, wildcards: this.#wildcards });
    this.#text = undefined;
    this.#wildcards = [];
    this.#isQuoted = false;
  }

  #endCommand(): boolean {
    this.#endWord();
    if (!isPlainProgram(this.#words[0])) return false;
    this.#pipelines.at(-1)?.push({ words: this.#words, redirections: this.#redirections });
    this.#words = [];
    this.#redirections = [];
    return true;
  }

  #singleQuoted(): boolean {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end === -1) return false;
    const quoted = this.#line.slice(this.#at + 1, end);
    if (![...quoted].every(isPrintable)) return false;
    this.#isQuoted = true;
    return this.#take(quoted, quoted.length + 2);
  }

  #doubleQuoted(): boolean {
    this.#isQuoted = true;
    this.#take('', 1);
    while (this.#at < this.#line.length) {
      const character = String.fromCodePoint(this.#line.codePointAt(this.#at) ?? 0);
      const next = this.#line.charAt(this.#at + 1);
      if (character === '"') return this.#skip(1);
      if (character === '`' || !isPrintable(character)) return false;
      if (character === '$' && !AFTER_LONE_DOLLAR.test(next)) return false;
      if (character === '\\' && next !== '' && ESCAPED_IN_DOUBLE_QUOTES.includes(next)) this.#take(next, 2);
      else this.#take(character);
    }
    return false;
  }

  /** A backslash makes any one character literal, except a line end. */
  #escaped(): boolean {
    const next = this.#line.charAt(this.#at + 1);
    if (!/^[!-~ ]$/.test(next)) return false;
    this.#isQuoted = true;
    return this.#take(next, 2);
  }

  #braces(): boolean {
    const braces = PLAIN_BRACES.exec(this.#rest())?.[0];
    return braces !== undefined && this.#take(braces);
  }

  #arithmetic(): boolean {
    const found = constantArithmetic(this.#rest());
    return found !== undefined && this.#take(found.value, found.source.length);
  }

  #operator(character: '|' | '&'): boolean {
    const operator = character === '&' ? '&&' : '|';
    const after = this.#line.charAt(this.#at + operator.length);
    if (!this.#rest().startsWith(operator) || after === '&' || after === '|') return false;
    if (!this.#endCommand()) return false;
    if (operator === '&&') this.#pipelines.push([]);
    return this.#skip(operator.length);
  }

  #redirection(): boolean {
    const stream = this.#text ?? '1';
    if (this.#isQuoted || this.#wildcards.length > 0 || (stream !== '1' && stream !== '2')) return false;
    if (this.#words.length === 0) return false;
    const toNothing = /^> *\/dev\/null(?=[ |&]|$)/.exec(this.#rest())?.[0];
    const toOutput = /^>&1(?=[ |&]|$)/.exec(this.#rest())?.[0];
    const redirection = toNothing ?? (stream === '2' ? toOutput : undefined);
    if (redirection === undefined) return false;
    if (toNothing === undefined) this.#redirections.push('2>&1');
    else this.#redirections.push(stream === '2' ? '2>/dev/null' : '>/dev/null');
    this.#text = undefined;
    return this.#skip(redirection.length);
  }
}

function isPrintable(character: string): boolean {
  return PRINTABLE_IN_QUOTES.test(character) && !SHOWS_AS_NOTHING.test(character);
}

/** An `=` would make the word an assignment, a leading `%` a job, and a wildcard could match any program. */
function isPlainProgram(word: ShellWord | undefined): boolean {
  if (word === undefined || word.text === '' || word.wildcards.length > 0) return false;
  return !word.text.includes('=') && !word.text.startsWith('%') && !RESERVED_WORDS.has(word.text);
}

/**
 * The bare words of one plain command, otherwise null. cmd.exe has different quotes, separators and variables, so
 * nothing else is accepted. https://ss64.com/nt/syntax-esc.html
 */
export function bareWindowsWords(line: string): readonly string[] | null {
  const words = line.split(' ').filter((word) => word !== '');
  const [program] = words;
  // The name of a built-in command may end without a blank, at `/`, `.`, `:` and others: `del/q x`.
  if (program === undefined || !/^[\w-]+(?:\.(?:exe|cmd|bat|com))?$/i.test(program)) return null;
  return words.every((word) => /^[\w./:-]+$/.test(word)) ? words : null;
}
