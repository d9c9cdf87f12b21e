/** The first mistake in a text that is not JSON. Engines name it differently by version, or not at all, and quote the text. */
export interface JsonMistake {
  /** 0-based, in UTF-16 units. */
  readonly offset: number;
  /** Completes "line 3, column 5: …". */
  readonly reason: string;
}

const MAX_DEPTH = 500;

/** Only for texts that `JSON.parse` refused; `undefined` when no mistake is found. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  try {
    new Reader(text).document();
    return undefined;
  } catch (error) {
    if (error instanceof Mistake) return { offset: error.offset, reason: error.message };
    throw error;
  }
}

export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

class Mistake extends Error {
  readonly offset: number;
  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#skipBlanks();
    this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail('more text after the end of the value');
  }

  #fail(reason: string, offset = this.#at): never {
    throw new Mistake(offset, reason);
  }

  #ended(what: string): never {
    this.#fail(`the file ends before ${what} is complete; it may be half-written`, this.#text.length);
  }

  #skipBlanks(): void {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at++;
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (two === '//' || two === '/*' || two.startsWith('#')) this.#fail('JSON has no comments; remove this one');
  }

  #value(depth: number): void {
    if (depth > MAX_DEPTH) this.#fail('nested too deeply');
    const first = this.#text.charAt(this.#at);
    if (first === '') this.#ended('a value');
    if (first === '{') this.#members(depth);
    else if (first === '[') this.#elements(depth);
    else if (first === '"') this.#string();
    else if (first === "'") this.#fail('texts need double quotes');
    else this.#word();
  }

  #members(depth: number): void {
    this.#at++;
    this.#skipBlanks();
    if (this.#text.charAt(this.#at) === '}') {
      this.#at++;
      return;
    }
    for (;;) {
      const first = this.#text.charAt(this.#at);
      if (first === '') this.#ended('an object');
      if (first !== '"')
        this.#fail(first === '}' ? 'a comma before } must be removed' : 'a key in double quotes is expected');
      this.#string();
      this.#skipBlanks();
      if (this.#at >= this.#text.length) this.#ended('an object');
      if (this.#text.charAt(this.#at) !== ':') this.#fail('a colon is expected after the key');
      this.#at++;
      this.#skipBlanks();
      this.#value(depth + 1);
      if (this.#closes('}', 'an object')) return;
    }
  }

  #elements(depth: number): void {
    this.#at++;
    this.#skipBlanks();
    if (this.#text.charAt(this.#at) === ']') {
      this.#at++;
      return;
    }
    for (;;) {
      if (this.#text.charAt(this.#at) === ']') this.#fail('a comma before ] must be removed');
      this.#value(depth + 1);
      if (this.#closes(']', 'a list')) return;
    }
  }

  #closes(bracket: string, what: string): boolean {
    this.#skipBlanks();
    const next = this.#text.charAt(this.#at);
    if (next === '') this.#ended(what);
    if (next !== bracket && next !== ',') this.#fail(`a comma or ${bracket} is expected`);
    this.#at++;
    if (next === ',') this.#skipBlanks();
    return next === bracket;
  }

  #string(): void {
    const start = this.#at++;
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character === '') this.#fail('this text has no closing quote; the file may be half-written', start);
      if (character === '\n' || character === '\r') this.#fail('this text has no closing quote on its line', start);
      if (character < ' ') this.#fail('control characters in a text must be written as \\u escapes');
      if (character === '\\') this.#escape();
      this.#at++;
      if (character === '"') return;
    }
  }

  #escape(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === '') this.#ended('a text');
    const valid =
      next === 'u' ? /^[0-9a-f]{4}$/i.test(this.#text.slice(this.#at + 2, this.#at + 6)) : /["\\/bfnrt]/.test(next);
    if (!valid) this.#fail('a backslash must be doubled: write \\\\ (or / in paths)');
    this.#at++;
  }

  #word(): void {
    const word = /^[^\s,:{}[\]"']+/.exec(this.#text.slice(this.#at, this.#at + 400))?.[0] ?? '';
    if (!/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(word))
      this.#fail(
        word === ''
          ? 'a value is expected'
          : 'a value is expected: a text in double quotes, a number, true, false or null',
      );
    this.#at += word.length;
  }
}
