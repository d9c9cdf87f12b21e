/**
 * A best-effort parse of a shell line: every command in it, anywhere (after `;`, in a subshell, in `$(…)`). It is for
 * warnings and display only. It understands more than `shell-line.ts`, with less certainty, so it never allows
 * anything. When in doubt it finds one command too many.
 */
export interface LooseLine {
  readonly steps: readonly LooseStep[];
  /**
   * Whether the line was read to its end. It was not if a quote or bracket is unclosed or a here-document follows
   * (`<<`), and there may be more in it.
   */
  readonly isWhole: boolean;
  /** A command in it, anywhere, is started in the background (`&`). */
  readonly hasBackground: boolean;
}

export interface LooseStep {
  /**
   * The position of the step in UTF-16 units, including the operator before it. The outer steps cover the whole line.
   */
  readonly start: number;
  readonly end: number;
  /** The operator before the step: `|` passes it the previous step's output. */
  readonly operator: string;
  readonly words: readonly LooseWord[];
  readonly redirections: readonly LooseRedirection[];
}

export interface LooseWord {
  /** The text without quotes. If the word is not exact, this is the known part. */
  readonly text: string;
  /**
   * The word contains no variable, substitution or braces. The command gets it as it is, or the names that its pattern
   * matches.
   */
  readonly isExact: boolean;
  /** Part of the word was quoted. */
  readonly isQuoted: boolean;
  /** The word begins with a `~` that stands for the home folder. */
  readonly isHome: boolean;
  /** Commands whose output becomes the word (`$(…)`) or a file named by it (`<(…)`). */
  readonly inner: readonly LooseStep[];
  /** The word as it is written, if a path may begin in it with the value of a variable that the line doesn’t set. */
  readonly unknownPath: string | undefined;
}

/** A word of a command that is run without a shell. */
export function exactWord(text: string): LooseWord {
  return { text, isExact: true, isQuoted: true, isHome: false, inner: [], unknownPath: undefined };
}

export interface LooseRedirection {
  readonly operator: string;
  readonly target: LooseWord;
}

const OPERATOR = /^(?:&&|\|\||\|&|;;&?|;&|[|;&\n()])/;
const REDIRECTION = /^(?:\d*(?:&>>|&>|>>|>\||>&|<>|<<<|<<-?|<&|>|<))/;
/** Matches the home folder given by its variable, followed only by a path. */
const HOME = /^\$(?:HOME(?![A-Za-z0-9_])|\{HOME\})/;
const VARIABLE = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/;
/** Matches what begins a path if it stands before a variable: nothing, the letters of an option, or a separator. */
const BEFORE_PATH = /^-[A-Za-z]{0,32}$|(?:^|[^\p{L}\p{M}\p{N}_./\\-])$/u;
const PLAIN_BRACES = /^#?(?:[A-Za-z_][A-Za-z0-9_]{0,100}|[0-9@*#?$!-])[:#%/^,+=?}-]/;
/** Parameters that are numbers, or that only the line itself sets. */
const NO_PATH = /^[0-9@*#?$!-]/;
const MAX_LINE_LENGTH = 100_000;
const MAX_DEPTH = 20;

/** Reads a line as bash does. If it is too long, the result only says that it is incomplete. */
export function readLooseLine(line: string): LooseLine {
  if (line.length > MAX_LINE_LENGTH) {
    const step = { start: 0, end: line.length, operator: '', words: [], redirections: [] };
    return { steps: [step], isWhole: false, hasBackground: line.includes('&') };
  }
  const reader = new Reader(line);
  const steps = reader.steps(undefined);
  return { steps, isWhole: reader.isWhole, hasBackground: reader.hasBackground };
}

/** The steps before which nothing of the line has run in the same shell, so that its variables are as they were. */
export function firstSteps(steps: readonly LooseStep[]): readonly LooseStep[] {
  const next = steps.findIndex(({ operator }) => !['', '|', '|&'].includes(operator));
  const first = next === -1 ? steps : steps.slice(0, next);
  return first.flatMap((step) => [step, ...firstSteps(innerOf(step))]);
}

/** The steps of a line and of everything within its words. */
export function allSteps(steps: readonly LooseStep[]): readonly LooseStep[] {
  return steps.flatMap((step) => [step, ...allSteps(innerOf(step))]);
}

function innerOf({ words, redirections }: LooseStep): readonly LooseStep[] {
  return [...words, ...redirections.map(({ target }) => target)].flatMap(({ inner }) => inner);
}

class Reader {
  isWhole = true;
  hasBackground = false;
  readonly #line: string;
  #at = 0;
  #depth = 0;
  /** The variables that the line sets somewhere: what they get stands in it as well. */
  readonly #isSet: ReadonlySet<string>;

  constructor(line: string) {
    this.#line = line;
    const set = line.matchAll(/(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]{0,100})(?:\+?=|[ \t]{1,20}in[ \t\n])/g);
    this.#isSet = new Set([...set].map(([, name = '']) => name));
  }

  /** Reads the steps up to and including the closing bracket, or to the end. */
  steps(closing: ')' | '`' | undefined): LooseStep[] {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) return this.#giveUp();
    const steps: LooseStep[] = [];
    let start = this.#at;
    let operator = '';
    let openSubshells = 0;
    for (;;) {
      const { words, redirections } = this.#command(closing);
      const next = this.#operator();
      const isClosed =
        closing === '`' ? this.#rest().startsWith('`') : next === ')' && openSubshells === 0 && closing === ')';
      const isEmpty = words.length === 0 && redirections.length === 0;
      const end = this.#at;
      if (!isEmpty || (end > start && steps.length === 0 && next === undefined)) {
        steps.push({ start, end, operator, words, redirections });
        start = end;
        operator = '';
      }
      if (isClosed) {
        this.#at += 1;
        break;
      }
      if (next === undefined) {
        if (closing !== undefined) this.isWhole = false;
        break;
      }
      if (next === '&') this.hasBackground = true;
      if (next === '(') openSubshells += 1;
      if (next === ')') openSubshells = Math.max(0, openSubshells - 1);
      this.#at += next.length;
      // After `) |`, what is piped is the output of the subshell.
      operator = next === '(' || next === ')' ? operator : next;
    }
    this.#depth -= 1;
    return withAllOf(steps, this.#at);
  }

  #giveUp(): LooseStep[] {
    this.isWhole = false;
    this.#at = this.#line.length;
    return [];
  }

  #rest(): string {
    return this.#line.slice(this.#at, this.#at + 64);
  }

  #operator(): string | undefined {
    return OPERATOR.exec(this.#rest())?.[0];
  }

  /** Reads words and redirections up to an operator, or to the end of what is being read. */
  #command(closing: ')' | '`' | undefined): Pick<LooseStep, 'words' | 'redirections'> {
    const words: LooseWord[] = [];
    const redirections: LooseRedirection[] = [];
    while (this.#at < this.#line.length) {
      const character = this.#line.charAt(this.#at);
      if (closing === '`' && character === '`') break;
      if (character === ' ' || character === '\t' || character === '\r') this.#at += 1;
      else if (this.#rest().startsWith('\\\n')) this.#at += 2;
      else if (character === '#') this.#skipComment();
      else if (this.#redirects(redirections, closing)) continue;
      else if (this.#operator() !== undefined) break;
      else words.push(this.#word(closing));
    }
    return { words, redirections };
  }

  #skipComment(): void {
    const end = this.#line.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#line.length : end;
  }

  #redirects(redirections: LooseRedirection[], closing: ')' | '`' | undefined): boolean {
    const rest = this.#rest();
    if (/^[<>]\(/.test(rest)) return false;
    const operator = REDIRECTION.exec(rest)?.[0] ?? /^&>>?/.exec(rest)?.[0];
    if (operator === undefined) return false;
    this.#at += operator.length;
    while (/[ \t]/.test(this.#line.charAt(this.#at))) this.#at += 1;
    if (/^<<-?$/.test(operator)) this.isWhole = false;
    redirections.push({ operator: operator.replace(/^\d+/, ''), target: this.#word(closing) });
    return true;
  }

  #word(closing: ')' | '`' | undefined): LooseWord {
    let text = '';
    let isExact = true;
    let isQuoted = false;
    const isHome =
      /^~(?:[/\s;&|)]|$)/.test(this.#rest()) ||
      HOME.test(this.#rest()) ||
      /^"\$(?:HOME["/]|\{HOME\})/.test(this.#rest());
    const inner: LooseStep[] = [];
    const begin = this.#at;
    let isUnknownPath = false;
    const expands = () => {
      const from = this.#at;
      const { isHomeVariable, steps } = this.#expansion();
      if (!isHomeVariable || text !== '') isExact = false;
      if (isHomeVariable) text += text === '' ? '~' : '$HOME';
      inner.push(...steps);
      const [, name] = /^\$\{?!?(\w+|[@*#?$!-])/.exec(this.#line.slice(from, Math.min(this.#at, from + 120))) ?? [];
      if (isHomeVariable || name === undefined || NO_PATH.test(name)) return;
      const isPlain = !this.#line.startsWith('${', from) || this.#line.slice(from, this.#at) === `\${${name}}`;
      if (name === 'PWD' && isPlain) text += text === '' ? '.' : '';
      else if ((!isPlain || !this.#isSet.has(name)) && BEFORE_PATH.test(text)) isUnknownPath = true;
    };
    while (this.#at < this.#line.length) {
      const character = this.#line.charAt(this.#at);
      if (character === '`' && closing === '`') break;
      if (/[\s;&|)]/.test(character)) break;
      if ((character === '<' || character === '>') && !/^[<>]\(/.test(this.#rest())) break;
      if (character === '(' && this.#at > begin && !/[<>=?*+@!]/.test(this.#line.charAt(this.#at - 1))) break;
      if (character === '\\') {
        if (this.#line.charAt(this.#at + 1) !== '\n') text += this.#line.charAt(this.#at + 1);
        isQuoted = true;
        this.#at += 2;
      } else if (character === "'") {
        isQuoted = true;
        text += this.#singleQuoted();
      } else if (character === '"') {
        isQuoted = true;
        this.#at += 1;
        while (this.#at < this.#line.length && this.#line.charAt(this.#at) !== '"') {
          const quoted = this.#line.charAt(this.#at);
          if (quoted === '\\') {
            text += /["\\$`]/.test(this.#line.charAt(this.#at + 1))
              ? this.#line.charAt(this.#at + 1)
              : this.#line.slice(this.#at, this.#at + 2).replace('\\\n', '');
            this.#at += 2;
          } else if (quoted === '$' || quoted === '`') expands();
          else {
            text += quoted;
            this.#at += 1;
          }
        }
        if (this.#at >= this.#line.length) this.isWhole = false;
        this.#at += 1;
      } else if (character === '$' && this.#line.charAt(this.#at + 1) === "'") {
        this.#at += 1;
        isExact = false;
        const letters = this.#singleQuoted();
        // Any character may be written by its number.
        isUnknownPath ||= /\\[^ntr]/.test(letters);
        text += letters;
      } else if (character === '$' || character === '`' || /^[<>]\(/.test(this.#rest())) {
        expands();
      } else {
        if (character === '{' && /^\{[^{}\s]*(?:,|\.\.)/.test(this.#rest())) isExact = false;
        if (character === '(') {
          isExact = false;
          this.#at += 1;
          inner.push(...this.steps(')'));
          continue;
        }
        text += character;
        this.#at += 1;
      }
    }
    // Skip a character that starts nothing, so that the parser always advances.
    if (this.#at === begin) this.#at += 1;
    const unknownPath = isUnknownPath ? this.#line.slice(begin, this.#at) : undefined;
    return { text, isExact, isQuoted, isHome, inner, unknownPath };
  }

  #singleQuoted(): string {
    const end = this.#line.indexOf("'", this.#at + 1);
    const text = this.#line.slice(this.#at + 1, end === -1 ? undefined : end);
    if (end === -1) this.isWhole = false;
    this.#at = end === -1 ? this.#line.length : end + 1;
    return text;
  }

  #expansion(): { isHomeVariable: boolean; steps: readonly LooseStep[] } {
    const rest = this.#rest();
    const home = HOME.exec(rest)?.[0];
    if (home !== undefined) {
      this.#at += home.length;
      return { isHomeVariable: true, steps: [] };
    }
    if (rest.startsWith('`')) {
      this.#at += 1;
      return { isHomeVariable: false, steps: this.steps('`') };
    }
    if (rest.startsWith('$(') || /^[<>]\(/.test(rest)) {
      this.#at += 2;
      return { isHomeVariable: false, steps: this.steps(')') };
    }
    if (rest.startsWith('${')) return { isHomeVariable: false, steps: this.#inBraces() };
    this.#at += VARIABLE.exec(rest)?.[0].length ?? 1;
    return { isHomeVariable: false, steps: [] };
  }

  /** The commands within `${…}`: `${X:-$(…)}`, `${X[$(…)]}`. */
  #inBraces(): readonly LooseStep[] {
    const inner: LooseStep[] = [];
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) return this.#giveUp();
    this.#at += 2;
    // `${X@P}` and `${!X}` run what is in the variable, or in another one.
    if (!PLAIN_BRACES.test(this.#line.slice(this.#at, this.#at + 120))) this.isWhole = false;
    for (let isQuoted = false; ; ) {
      const character = this.#line.charAt(this.#at);
      if (character === '') this.isWhole = false;
      if (character === '' || (character === '}' && !isQuoted)) break;
      if (character === '"') isQuoted = !isQuoted;
      if (character === '\\') this.#at += 2;
      else if (character === '`' || /^(?:[$<>]\(|\$\{)/.test(this.#rest())) inner.push(...this.#expansion().steps);
      else this.#at += 1;
    }
    this.#at = Math.min(this.#at + 1, this.#line.length);
    this.#depth -= 1;
    return inner;
  }
}

/** Anything after the last step (a bracket, a comment) belongs to it. */
function withAllOf(steps: readonly LooseStep[], end: number): LooseStep[] {
  return steps.map((step, index) => (index === steps.length - 1 ? { ...step, end } : step));
}
