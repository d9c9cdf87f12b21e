import { Marked, type MarkedToken, type Token } from 'marked';
import { BoundedLexer, BoundedTokenizer, textToken } from './bounded-lexer.ts';
import { type MathToken, mathBlock, mathInline } from './math.ts';

export type AnyToken = MarkedToken | MathToken;

/** Single line breaks are kept; otherwise results that the Guide repeats, poems and addresses would run together. */
const marked = new Marked({ gfm: true, breaks: true, extensions: undefined });
marked.use({ extensions: [mathBlock, mathInline] });

/** What comes after this many characters is shown as it was written. */
const MAX_PARSED_LENGTH = 100_000;

/**
 * The top-level tokens of Markdown (GFM). Their `raw` put together is the text, with its line ends as `\n`. No markup
 * is generated here.
 */
export function lex(text: string): readonly AnyToken[] {
  const end = text.length > MAX_PARSED_LENGTH ? text.lastIndexOf('\n', MAX_PARSED_LENGTH) + 1 : text.length;
  const tokens = lexed(text.slice(0, end));
  return end === text.length ? tokens : [...tokens, textToken(text.slice(end))];
}

function lexerFor({ length }: string): BoundedLexer {
  return new BoundedLexer({ ...marked.defaults, tokenizer: new BoundedTokenizer() }, length);
}

/** A parser has its bugs: where it fails, the text is shown as it was written. */
function lexed(text: string): readonly AnyToken[] {
  try {
    return lexerFor(text).lex(text) as AnyToken[];
  } catch {
    return [textToken(text)];
  }
}

/** The tokens of a text inside a block. */
export function lexInline(text: string): readonly AnyToken[] {
  try {
    return lexerFor(text).inlineTokens(text) as AnyToken[];
  } catch {
    return [textToken(text)];
  }
}

/** Marked types nested tokens loosely, because extensions may add more. Ours are known. */
export function known(tokens: readonly Token[] | undefined): readonly AnyToken[] {
  return (tokens ?? []) as readonly AnyToken[];
}
