import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens, type TokensList } from 'marked';
import { hasFormulaInside } from './math.ts';

/** Lists and quotes within each other. Nobody reads more; the page would run out of stack at some hundred. */
const MAX_NESTED_BLOCKS = 12;
/** How deep emphasis and links may be nested in each other. */
const MAX_NESTED_INLINES = 12;
/**
 * A paragraph or cell with more is shown as it was written: for each mark, the rest is searched for the one that closes
 * it.
 */
const MAX_INLINE_LENGTH = 20_000;
const MAX_MARKS = 500;
const MARK = /[*_~`[\]!<$\\]/g;
/** How often each character may be read, as part of what it is nested in. */
const MAX_READINGS = 2 * (MAX_NESTED_BLOCKS + MAX_NESTED_INLINES);
const WORK_OF_SHORT_TEXT = 10_000;

/** Marked's lexer with a limit for depth and work. What is beyond the limit becomes text, as it was written. */
export class BoundedLexer extends Lexer {
  #blocks = 0;
  #inlines = 0;
  #work: number;

  constructor(options: MarkedOptions, length: number) {
    super(options);
    this.#work = WORK_OF_SHORT_TEXT + MAX_READINGS * length;
  }

  override blockTokens(source: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    if (this.#isOver(source, this.#blocks, MAX_NESTED_BLOCKS)) return withText(tokens, source);
    this.#blocks += 1;
    try {
      return super.blockTokens(source, tokens, isClipped);
    } finally {
      this.#blocks -= 1;
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const isMuch = source.length > MAX_INLINE_LENGTH || (source.match(MARK)?.length ?? 0) > MAX_MARKS;
    if (isMuch || this.#isOver(source, this.#inlines, MAX_NESTED_INLINES)) return withText(tokens, source);
    this.#inlines += 1;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#inlines -= 1;
    }
  }

  /** A quote that goes on without its sign is read again from its start, with each such line. */
  read(length: number): void {
    this.#work -= length;
  }

  get isExhausted(): boolean {
    return this.#work < 0;
  }

  #isOver({ length }: string, depth: number, most: number): boolean {
    this.#work -= length;
    return depth >= most || this.isExhausted;
  }
}

/** Asks its lexer before it reads what can be read again. */
export class BoundedTokenizer extends Tokenizer {
  #quotes = 0;

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#counted(source, () => {
      this.#quotes += 1;
      try {
        return super.blockquote(source);
      } finally {
        this.#quotes -= 1;
      }
    });
  }

  override list(source: string): Tokens.List | undefined {
    return this.#counted(source, () => super.list(source));
  }

  /**
   * Marked looks for a setext underline in all lines of a paragraph and would take a formula in between for heading
   * text.
   */
  override lheading(source: string): Tokens.Heading | undefined {
    const [heading = ''] = this.rules.block.lheading.exec(source) ?? [];
    return hasFormulaInside(heading) ? undefined : super.lheading(source);
  }

  #counted<T extends Tokens.Generic>({ length }: string, read: () => T | undefined): T | undefined {
    const { lexer } = this;
    if (!(lexer instanceof BoundedLexer)) return read();
    if (lexer.isExhausted) return undefined;
    const isInQuote = this.#quotes > 0;
    const token = read();
    // In a quote, what follows is put together anew each time.
    lexer.read(isInQuote ? length : (token?.raw.length ?? 0));
    return token;
  }
}

function withText(tokens: Token[], source: string): Token[] {
  if (source !== '') tokens.push(textToken(source));
  return tokens;
}

/** What is shown as it was written. */
export function textToken(source: string): Tokens.Text {
  return { type: 'text', raw: source, text: source, escaped: false };
}
