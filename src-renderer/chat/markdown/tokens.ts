import { Lexer, Marked, type MarkedToken, type Token } from 'marked';
import { headingWithoutMath, type MathToken, mathBlock, mathInline } from './math.ts';

export type AnyToken = MarkedToken | MathToken;

/** Single line breaks are kept; otherwise results that the Guide repeats, poems and addresses would run together. */
const marked = new Marked({ gfm: true, breaks: true, extensions: undefined });
marked.use({ extensions: [mathBlock, mathInline], tokenizer: headingWithoutMath });

/**
 * The top-level tokens of Markdown (GFM). Their `raw` put together is the text, with its line ends as `\n`. No markup
 * is generated here.
 */
export function lex(text: string): readonly AnyToken[] {
  return marked.lexer(text) as AnyToken[];
}

/** The tokens of a text inside a block. */
export function lexInline(text: string): readonly AnyToken[] {
  return new Lexer(marked.defaults).inlineTokens(text) as AnyToken[];
}

/** Marked types nested tokens loosely, because extensions may add more. Ours are known. */
export function known(tokens: readonly Token[] | undefined): readonly AnyToken[] {
  return (tokens ?? []) as readonly AnyToken[];
}
