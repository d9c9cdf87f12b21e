import { type Comparison, isComparison, type Literal } from './json-compare.ts';
import { ExactNumber } from './json-document.ts';

/** One step of a path, from a value to parts of it. */
export type Segment =
  | { readonly kind: 'key'; readonly key: string }
  /** Negative numbers count from the end. */
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'every' }
  /** Children whose value at `path` compares to `literal` as required. */
  | {
      readonly kind: 'filter';
      readonly path: readonly Segment[];
      readonly comparison: Comparison;
      readonly literal: Literal;
    };

const MAX_PATH_LENGTH = 10_000;
/** A bare key ends where another element of the grammar begins. */
const BARE_KEY = /[^\s.[\]()'"*=!<>]+/y;
const INTEGER = /-?\d+/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const COMPARISON = /==|!=|<=|>=|<|>/y;
const KEYWORD = /true|false|null/y;
const BLANKS = /\s*/y;
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Parses a path: optional `$`, then `.key`, `['key']`, `[n]`, `[*]`, `.*`, `[?(@.key op literal)]` in any order. Throws
 * an error with what is wrong and where. Source: tool catalogue B.9.
 */
export function parseJsonPath(path: string): Segment[] {
  if (path.length > MAX_PATH_LENGTH)
    throw new Error(`the path has ${path.length} characters, the most is ${MAX_PATH_LENGTH}`);
  return new PathReader(path).wholePath();
}

class PathReader {
  readonly #path: string;
  #at = 0;

  constructor(path: string) {
    this.#path = path;
  }

  wholePath(): Segment[] {
    this.#skipBlanks();
    const hasRoot = this.#takes('$');
    const segments: Segment[] = [];
    if (!hasRoot && !/[.[]/.test(this.#next())) segments.push(this.#afterDot());
    segments.push(...this.#segments(true));
    this.#skipBlanks();
    if (this.#at < this.#path.length) throw this.#unexpected('. or [');
    return segments;
  }

  /** `mayChoose` allows wildcards and filters. */
  #segments(mayChoose: boolean): Segment[] {
    const segments: Segment[] = [];
    for (;;) {
      const start = this.#at;
      let segment: Segment;
      if (this.#takes('.')) {
        if (this.#next() === '.') throw this.#problem('searching all levels (..) is not supported', start);
        segment = this.#afterDot();
      } else if (this.#takes('[')) segment = this.#inBrackets();
      else return segments;
      if (!mayChoose && segment.kind !== 'key' && segment.kind !== 'index')
        throw this.#problem('a filter compares one value and can contain neither * nor ?', start);
      segments.push(segment);
    }
  }

  #afterDot(): Segment {
    if (this.#takes('*')) return { kind: 'every' };
    const key = this.#match(BARE_KEY);
    if (key === undefined) throw this.#unexpected('a key or *');
    return { kind: 'key', key };
  }

  #inBrackets(): Segment {
    this.#skipBlanks();
    const segment = this.#bracketed();
    this.#skipBlanks();
    this.#expect(']');
    return segment;
  }

  #bracketed(): Segment {
    if (this.#takes('*')) return { kind: 'every' };
    if (this.#takes('?')) return this.#filter();
    const next = this.#next();
    if (next === "'" || next === '"') return { kind: 'key', key: this.#quoted(next) };
    const index = this.#match(INTEGER);
    if (index === undefined) throw this.#unexpected('a number, a key in quotes, * or ?');
    return { kind: 'index', index: Number(index) };
  }

  #filter(): Segment {
    this.#skipBlanks();
    const hasParenthesis = this.#takes('(');
    this.#skipBlanks();
    this.#expect('@');
    const path = this.#segments(false);
    this.#skipBlanks();
    const comparison = this.#match(COMPARISON);
    if (!isComparison(comparison)) throw this.#unexpected('==, !=, <, <=, > or >=');
    this.#skipBlanks();
    const literal = this.#literal();
    this.#skipBlanks();
    if (hasParenthesis) this.#expect(')');
    return { kind: 'filter', path, comparison, literal };
  }

  #literal(): Literal {
    const next = this.#next();
    if (next === "'" || next === '"') return this.#quoted(next);
    const keyword = this.#match(KEYWORD);
    if (keyword !== undefined) return keyword === 'null' ? null : keyword === 'true';
    const digits = this.#match(NUMBER);
    if (digits === undefined) throw this.#unexpected('a string in quotes, a number, true, false or null');
    return Number.isSafeInteger(Number(digits)) ? Number(digits) : new ExactNumber(digits);
  }

  #quoted(quote: string): string {
    const start = this.#at;
    this.#at += 1;
    let text = '';
    for (;;) {
      const character = this.#next();
      if (character === '') throw this.#problem(`the string is not closed with ${quote}`, start);
      this.#at += 1;
      if (character === quote) return text;
      text += character === '\\' ? this.#escaped() : character;
    }
  }

  #escaped(): string {
    const start = this.#at - 1;
    const character = this.#next();
    this.#at += 1;
    if (/^['"\\/]$/.test(character)) return character;
    if (Object.hasOwn(ESCAPES, character)) return ESCAPES[character] ?? '';
    const code = character === 'u' ? this.#match(/[0-9a-fA-F]{4}/y) : undefined;
    if (code === undefined) throw this.#problem(`\\${character} is no escape`, start);
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  /** The next UTF-16 unit; empty at the end. */
  #next(): string {
    return this.#path.charAt(this.#at);
  }

  #takes(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#takes(character)) throw this.#unexpected(character);
  }

  /** `pattern` is sticky. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.#path) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }

  #skipBlanks(): void {
    this.#match(BLANKS);
  }

  #unexpected(wanted: string): Error {
    const found = this.#at < this.#path.length ? `found ${this.#path.slice(this.#at, this.#at + 10)}` : 'it ends';
    return this.#problem(`expected ${wanted} but ${found}`, this.#at);
  }

  #problem(text: string, at: number): Error {
    return new Error(`in the path at position ${at}: ${text}`);
  }
}
