import type { TokenizerExtension, Tokens } from 'marked';

/**
 * Formulas are shown as they were written; without this, their underscores and backslashes would be taken for Markdown.
 */
export interface MathToken extends Tokens.Generic {
  readonly type: 'math' | 'math_block';
  readonly text: string;
}

/**
 * A formula of TeX contains no blank line, so an unclosed one ends with its paragraph; none is as long as the limit.
 */
const BLOCK =
  /^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n)[\s\S]){1,2000}?)\$\$|\\\[((?:(?!\n[ \t]*\n)[\s\S]){1,2000}?)\\\])[ \t]*(?:\n|$)/;
/** A closing dollar followed by a digit, or a dollar next to a space, is money. */
const INLINE = /^(?:\$\$([^$\n]+?)\$\$|\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s$\\])\$(?![\d$])|\\\((.+?)\\\)|\\\[(.+?)\\\])/;

const INSIDE = /\n {0,3}(?:\$\$|\\\[)/;

/** Whether a formula begins behind the first line. */
export function hasFormulaInside(text: string): boolean {
  return INSIDE.test(text);
}

export const mathBlock: TokenizerExtension = {
  name: 'math_block',
  level: 'block',
  // Only in this paragraph: marked asks for each one, and would have the rest of the text searched every time.
  start: (source) => {
    const found = /(?:^|\n) {0,3}(?:\$\$|\\\[)|\n[ \t]*\n/.exec(source);
    return found === null || found[0].endsWith('\n') ? undefined : found.index;
  },
  tokenizer(source): MathToken | undefined {
    const match = BLOCK.exec(source);
    return match === null
      ? undefined
      : { type: 'math_block', raw: match[0], text: (match[1] ?? match[2] ?? '').trim() };
  },
};

export const mathInline: TokenizerExtension = {
  name: 'math',
  level: 'inline',
  start: (source) => /\$|\\[([]/.exec(source)?.index,
  tokenizer(source): MathToken | undefined {
    const match = INLINE.exec(source);
    if (match === null) return undefined;
    return { type: 'math', raw: match[0], text: match[1] ?? match[2] ?? match[3] ?? match[4] ?? '' };
  },
};
